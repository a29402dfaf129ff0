// A small internet on loopback: one DNS server and a fleet of SMTP hosts with behaviours.
//
//   const world = await startWorld({
//     domains: {
//       'good.example': { host: {}, mailboxes: ['anna', 'info'] },               // mx.good.example, as Postfix
//       'all.example': { host: {}, mailboxes: { catchAll: true } },
//       'grey.example': { host: { greylist: { delayMs: 300 } }, mailboxes: ['anna'] },
//       'gone.example': { dns: 'nxdomain' },
//       'null.example': { mx: null },
//       'big.example': { mx: ['mx1.big.example', 'mx2.big.example'], mailboxes: { share: 0.8 } },
//     },
//     hosts: { 'mx1.big.example': { replyDelayMs: 20 }, 'mx2.big.example': { down: true } },
//   }, { seed: 1 });
//   world.dnsServer   '127.0.0.1:40123'  → MXPROOF_DNS_SERVERS
//   world.smtpPort    21034              → MXPROOF_SMTP_PORT (with MXPROOF_ALLOW_PRIVATE_TARGETS=1)
//   world.seen        counters, live: seen.total.rcpts, seen.hosts['mx.good.example'].peakOpen, seen.asks.get('anna@good.example')
//   world.truth('anna@good.example')  → { state: 'deliverable', reason: 'accepted_email', … }
//   world.post('anna@good.example', '2026-11-02')  → what becomes of mail to her, as a sending service tells it (delivery.ts)
//   await world.close()
//
// Behaviours: spec.ts. The same hosts in simulated time and memory: virtual.ts. In another process: world-process.ts.
// Promise: loopback only; the same spec and seed behave the same; close() leaves nothing behind.
import { steadyNow } from '@mxproof/common/steady-now';
import type { Clock } from '@mxproof/engine';
import { compileWorld } from './compile-world.ts';
import { createPost, type Post } from './delivery.ts';
import { startDnsServer } from './dns-server.ts';
import { startSmtpServer } from './smtp-server.ts';
import type { WorldSpec } from './spec.ts';
import type { Traffic } from './traffic.ts';
import { type Truth, truthOf } from './truth.ts';

export type { WorldSpec } from './spec.ts';

export interface World {
  readonly dnsServer: string;
  readonly smtpPort: number;
  readonly seen: Traffic;
  truth(email: string): Truth;
  readonly post: Post;
  /** The addresses of an MX host, in the order of its spec. */
  addressesOf(host: string): readonly string[];
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly seed?: number;
  /** Fixed ports, for peers that cannot be told another. */
  readonly smtpPort?: number;
  readonly dnsPort?: number;
  readonly dnsAddress?: string;
  /** False saves memory where millions of RCPTs come. */
  readonly keepAsks?: boolean;
}

const REAL_CLOCK: Clock = {
  now: steadyNow,
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

export async function startWorld(spec: WorldSpec, options: WorldOptions = {}): Promise<World> {
  const seed = options.seed ?? 1;
  const compiled = compileWorld(spec, { seed, keepAsks: options.keepAsks });
  const dnsAddress = options.dnsAddress ?? '127.0.0.1';
  const dns = await startDnsServer(compiled.zone, {
    seed,
    address: dnsAddress,
    latencyMs: spec.dns?.latencyMs ?? 0,
    lossShare: spec.dns?.lossShare ?? 0,
    port: options.dnsPort ?? 0,
  });
  try {
    const smtp = await startSmtpServer(compiled.hosts.values(), {
      clock: REAL_CLOCK,
      port: options.smtpPort ?? null,
    });
    return {
      dnsServer: `${dnsAddress}:${dns.port}`,
      smtpPort: smtp.port,
      seen: compiled.seen,
      truth: (email) => truthOf(compiled, email),
      post: createPost(compiled),
      addressesOf: (host) => compiled.hosts.get(host)?.addresses ?? [],
      async close() {
        await Promise.all([smtp.close(), dns.close()]);
      },
    };
  } catch (error) {
    await dns.close();
    throw error;
  }
}
