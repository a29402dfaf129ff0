// The service under measurement: `mxproof serve` on its embedded store in a process of its own, the world in another.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { useEmbedded } from '../../server/src/embedded/use-embedded.ts';
import { openAccount } from '../../server/src/flow/open-account.ts';
import { THE_SERVICE } from '../../server/src/rules/audit.ts';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { createSecretBox } from '../../server/src/store/secret-box.ts';
import type { WorldProcess } from '../../world/src/world-process.ts';
import { cpuSecondsOf, peakMegabytesOf } from './process-cost.ts';

const LAUNCHER = fileURLToPath(new URL('../../cli/bin/mxproof.mjs', import.meta.url));
/** The tenth node starts on a machine that nine keep busy. */
const START_LIMIT_MS = 120_000;
const SECRET_KEY = 'only for this benchmark';
const CREDITS = 1_000_000_000;

export interface ServiceRig {
  readonly port: number;
  readonly pid: number;
  readonly db: Database;
  readonly keys: readonly string[];
  /** One more node, `mxproof work`, on the same store. */
  addNode(env: Record<string, string>): Promise<void>;
  /** Highest resident memory so far, the service alone. */
  memoryMegabytes(): number;
  /** User and system time of the service so far. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

export async function startServiceRig(
  world: WorldProcess,
  options: {
    readonly policy?: object;
    readonly accounts?: number;
    readonly env?: Record<string, string>;
    /** Instead of `mxproof serve`. */
    readonly program?: string;
  },
): Promise<ServiceRig> {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-bench-'));
  const policyFile = join(folder, 'policy.json');
  if (options.policy) writeFileSync(policyFile, JSON.stringify({ everyone: options.policy }));
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    MXPROOF_DATA_DIR: folder,
    LOG_LEVEL: 'info',
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_SECRET_KEY: SECRET_KEY,
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    MXPROOF_HELO_NAME: 'bench.example.com',
    ...(options.policy && { MXPROOF_POLICY_FILE: policyFile }),
    // The windows work as ever, only wider: a benchmark asks more than a client may.
    MXPROOF_RATE_REQUESTS: '10000000',
    MXPROOF_RATE_ADDRESSES: '1000000000',
    ...options.env,
  };
  const nodes: ChildProcess[] = [];
  const start = async (role: keyof typeof READY, more: Record<string, string>) => {
    const node = await startNode(role, { ...env, ...more }, role === 'serve' ? options.program : undefined);
    nodes.push(node.child);
    return node;
  };
  const { child: service, found } = await start('serve', {});
  const embedded = await useEmbedded(folder, { debug() {}, info() {}, warn() {} });
  const db = openDatabase({ url: embedded.connectionString, poolSize: 4 });
  const box = createSecretBox(SECRET_KEY);
  const keys: string[] = [];
  for (let n = 0; n < (options.accounts ?? 1); n++)
    keys.push((await openAccount(db, THE_SERVICE, box, { name: `bench ${n}`, credits: CREDITS })).apiKey);
  return {
    port: Number(found),
    pid: service.pid!,
    db,
    keys,
    async addNode(more) {
      await start('work', { ...more, DATABASE_URL: embedded.connectionString });
    },
    memoryMegabytes: () => peakMegabytesOf(service.pid!),
    cpuSeconds: () => cpuSecondsOf(service.pid!),
    async stop() {
      await db.close();
      await embedded.release();
      // The service last: the store is its own.
      for (const child of nodes.reverse()) {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a node logs when it is ready; of `serve`, its port. */
const READY = { serve: /"url":"http:\/\/[^"]*:(\d+)/, work: /"msg":"(checking)"/ } as const;

export async function startNode(
  role: keyof typeof READY,
  env: NodeJS.ProcessEnv,
  program?: string,
): Promise<{ readonly child: ChildProcess; readonly found: string }> {
  const child = spawn(process.execPath, program ? [program] : [LAUNCHER, role], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, found: await lineOf(child, READY[role]) };
}

function lineOf(child: ChildProcess, said: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the service did not start')), START_LIMIT_MS);
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (process.env.BENCH_LOG) console.error(line);
      const found = said.exec(line)?.[1];
      if (!found) return;
      clearTimeout(timer);
      resolve(found);
    });
    child.once('exit', () => reject(new Error('the service ended')));
  });
}
