// The engine with the operator's settings, for the service and for `mxproof check`.

import type { ReadingWatch } from '@mxproof/common/watchdog';
import {
  type Checker,
  type CheckerOptions,
  createChecker,
  DisposableOverrides,
  findHeloName,
  type LogEvent,
  type PermitStore,
  type RestStore,
  readReply,
  replyFromText,
  type SourceOption,
  type WireObserver,
} from '@mxproof/engine';
import type { Config, DnsServer } from '../settings/config.ts';
import { findSources, serverText } from '../settings/look-up-names.ts';
import { loadDisposableFile } from './disposable-file.ts';

/** Without one the engine would look the machine's own up. */
const UNUSED_NAME = 'unused.invalid';

export type SayEvent = (level: LogEvent['level'], line: string) => void;

/** The environment variables of the engine options that its events tell the operator to set. */
const SETTINGS: Readonly<Record<string, string>> = {
  dns_untrusted: ' (MXPROOF_DNS_SERVERS, MXPROOF_DNS_SENTINELS)',
};

export { ADVICE } from '../features/sources/service-status.ts';
export { findDnsServers } from '../settings/look-up-names.ts';

interface CheckerParts extends Pick<CheckerOptions, 'endsUnreached' | 'onFinding' | 'dnsObserver'> {
  /** As `findSources` has found them; unset: it is asked. */
  readonly sources?: readonly SourceOption[];
  readonly watchdog?: ReadingWatch;
  readonly permits?: PermitStore | undefined;
  /** Unset: the operator's file, as it is now. */
  readonly disposable?: DisposableOverrides;
  readonly observer?: WireObserver | undefined;
  readonly rests?: RestStore | undefined;
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
  {
    watchdog,
    permits,
    observer,
    rests,
    endsUnreached,
    disposable,
    onFinding,
    dnsObserver,
    sources,
  }: CheckerParts = {},
): Promise<Checker> {
  return createChecker({
    probeKey: probeKey ?? undefined,
    dnsServers: dnsServers.length > 0 ? dnsServers.map(serverText) : undefined,
    dnsSentinels: config.dnsSentinels ?? undefined,
    smtpPort: config.smtpPort,
    heloName: config.heloName ?? (await ownName(config, say)),
    mailFrom: config.mailFrom,
    sources: sources ?? (await findSources(config)),
    policy: config.policy ?? undefined,
    allowPrivateTargets: config.allowPrivateTargets,
    retrySeconds: config.smtpRetryMs?.map((ms) => ms / 1_000),
    evidence: config.retention.evidence !== 0,
    disposable: disposable ?? (await disposableNow(config)),
    permits,
    observer,
    rests,
    endsUnreached,
    onFinding,
    dnsObserver,
    watchdog,
    log: ({ level, event, text }) => say(level, `${text}${SETTINGS[event] ?? ''}`),
  });
}

/** Of a node that does not check: it asks DNS alone, and greets no mail server. */
export function createDomainLookups(
  config: Config,
  dnsServers: readonly DnsServer[],
  say: SayEvent,
  parts: Pick<CheckerParts, 'watchdog' | 'disposable' | 'dnsObserver'>,
): Checker {
  return createChecker({
    ...parts,
    dnsServers: dnsServers.length > 0 ? dnsServers.map(serverText) : undefined,
    dnsSentinels: config.dnsSentinels ?? undefined,
    heloName: UNUSED_NAME,
    allowPrivateTargets: config.allowPrivateTargets,
    log: ({ level, event, text }) => say(level, `${text}${SETTINGS[event] ?? ''}`),
  });
}

/** No row of any table reads these, so that each is tried. */
const UNREADABLE = ['550 number é first', '550 number é second'];

/**
 * V8 compiles an expression at its first use, and again at its second: a tenth of a second and more in all, which a
 * watchdog would count as the first mail host's. Before the watchdog is started, since it would log it.
 */
export function compileReplyPatterns(): void {
  for (const text of UNREADABLE) readReply('rcpt', replyFromText(text), 'other');
}

async function disposableNow({ disposableFile }: Config): Promise<DisposableOverrides> {
  const overrides = new DisposableOverrides();
  if (disposableFile !== null) await loadDisposableFile(disposableFile, overrides);
  return overrides;
}

/** Undefined where each source address has a name of its own. */
async function ownName(config: Config, say: SayEvent): Promise<string | undefined> {
  if (config.sourceAddresses.length > 0) return undefined;
  const { name, warning } = await findHeloName();
  if (warning !== null) say('warn', warning);
  return name;
}
