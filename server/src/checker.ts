// The engine with the operator's settings, for the service and for `mxproof check`.

import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import type { ReadingWatch } from '@mxproof/common/watchdog';
import {
  type Checker,
  type CheckerOptions,
  createChecker,
  findHeloName,
  type LogEvent,
  type PermitStore,
  type RestStore,
  readReply,
  replyFromText,
  type WireObserver,
} from '@mxproof/engine';
import type { Config, DnsServer } from './config.ts';
import { OperatorError } from './operator-error.ts';

export type SayEvent = (level: LogEvent['level'], line: string) => void;

/** The environment variables of the engine options that its events tell the operator to set. */
const SETTINGS: Readonly<Record<string, string>> = {
  dns_untrusted: ' (MXPROOF_DNS_SERVERS, MXPROOF_DNS_SENTINELS)',
};

export { ADVICE } from './rules/service-status.ts';

interface CheckerParts extends Pick<CheckerOptions, 'endsUnreached'> {
  readonly watchdog?: ReadingWatch;
  readonly permits?: PermitStore;
  readonly observer?: WireObserver;
  readonly rests?: RestStore;
}

/**
 * `probeKey`: a secret all nodes share, or null where nothing outlives the process; `permits`: what counts the limits per hour
 * and day for all of them, likewise.
 */
export async function createCheckerFor(
  config: Config,
  dnsServers: readonly DnsServer[],
  say: SayEvent,
  probeKey: string | null,
  { watchdog, permits, observer, rests, endsUnreached }: CheckerParts = {},
): Promise<Checker> {
  if (watchdog) compileReplyPatterns();
  return createChecker({
    probeKey: probeKey ?? undefined,
    dnsServers: dnsServers.length > 0 ? dnsServers.map(serverText) : undefined,
    dnsSentinels: config.dnsSentinels ?? undefined,
    smtpPort: config.smtpPort,
    heloName: config.heloName ?? (await ownName(config, say)),
    mailFrom: config.mailFrom,
    sources: config.sourceAddresses.map(({ ip, helo }) => ({ ip, heloName: helo })),
    policy: config.policy ?? undefined,
    allowPrivateTargets: config.allowPrivateTargets,
    retrySeconds: config.smtpRetryMs?.map((ms) => ms / 1_000),
    evidence: config.evidenceKeptMs > 0,
    permits,
    observer,
    rests,
    endsUnreached,
    watchdog,
    log: ({ level, event, text }) => say(level, `${text}${SETTINGS[event] ?? ''}`),
  });
}

/** No row of any table reads these, so that each is tried. */
const UNREADABLE = ['550 number é first', '550 number é second'];

/**
 * V8 compiles an expression at its first use, and again at its second: a tenth of a second and more in all, which the
 * watchdog would count as the first mail host's.
 */
function compileReplyPatterns(): void {
  for (const text of UNREADABLE) readReply('rcpt', replyFromText(text), 'other');
}

/** Undefined where each source address has a name of its own. */
async function ownName(config: Config, say: SayEvent): Promise<string | undefined> {
  if (config.sourceAddresses.length > 0) return undefined;
  const { name, warning } = await findHeloName();
  if (warning !== null) say('warn', warning);
  return name;
}

export function serverText({ host, port }: DnsServer): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Resolvers are asked by address: names among them are looked up once, with the system's own resolver. */
export async function findDnsServers(config: Config): Promise<readonly DnsServer[]> {
  return Promise.all(
    config.dnsServers.map(async ({ host, port }) => {
      if (isIP(host) !== 0) return { host, port };
      try {
        return { host: (await lookup(host)).address, port };
      } catch {
        throw new OperatorError(`MXPROOF_DNS_SERVERS names ${host}, which does not resolve to an address.`);
      }
    }),
  );
}
