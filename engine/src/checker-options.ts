// The engine's settings and their defaults. Promise: a malformed one throws an error before anything is started.
import { createHmac, randomInt } from 'node:crypto';
import { type ReadingWatch, UNWATCHED } from '@mxproof/common/watchdog';
import { validateHelo, validateMailFrom } from './address/own-names.ts';
import { observeResolver } from './dns/observe-resolver.ts';
import { DEFAULT_SENTINELS } from './dns/sentinels.ts';
import { createWireResolver } from './dns/wire-resolver.ts';
import { type DisposableOverrides, NO_OVERRIDES } from './domain/disposable-overrides.ts';
import { defaultHeloName, findHeloName, type OwnName } from './helo.ts';
import { DEFAULT_RETRY_SECONDS } from './pace/retry-delay.ts';
import { DEFAULT_POLICY } from './policy/default-policy.ts';
import type { Policy } from './policy/policy.ts';
import type {
  Connect,
  DnsObserver,
  PermitStore,
  Resolver,
  RestStore,
  SocksProxy,
  WireObserver,
} from './ports.ts';
import { SOURCES_MAX, type Source } from './smtp/hosts/egress.ts';
import { MemoryPermits } from './smtp/hosts/memory-permits.ts';
import { sourceName } from './smtp/hosts/source-name.ts';
import { DEFAULT_TIMEOUTS, type SessionTimeouts, withTimeouts } from './smtp/session/session-plan.ts';
import { AT_ONCE, createLoopBudget, type LoopBudget } from './smtp/wire/event-loop-budget.ts';
import { netConnect } from './smtp/wire/net-connect.ts';
import { validateProxy } from './smtp/wire/socks5.ts';
import { systemClock } from './system-clock.ts';
import type { Clock, Finding, LogEvent } from './types.ts';

/** `ip`: one of this machine's own. */
export type SourceOption = { readonly heloName: string } & (
  | { readonly ip: string }
  | { readonly proxy: SocksProxy }
);

export interface CheckerOptions {
  /** `host[:port]`; unset: the system's. */
  readonly dnsServers?: readonly string[] | undefined;
  /**
   * Domains that certainly have mail, under different top-level domains: a server that is wrong about them is not
   * believed when it says that a domain does not exist. Empty: every server is believed.
   */
  readonly dnsSentinels?: readonly string[] | undefined;
  readonly resolver?: Resolver | undefined;
  readonly connect?: Connect | undefined;
  readonly clock?: Clock | undefined;
  /** 0 ≤ n < 1. */
  readonly random?: (() => number) | undefined;
  /**
   * A secret that nodes and restarts share: a domain's catch-all probe is then always the same, so that
   * greylisting recognizes it.
   */
  readonly probeKey?: string | undefined;
  readonly smtpPort?: number | undefined;
  readonly heloName?: string | undefined;
  /** `` is the null sender. */
  readonly mailFrom?: string | undefined;
  /** Addresses of this machine, and proxies. */
  readonly sources?: readonly SourceOption[] | undefined;
  readonly policy?: Policy | undefined;
  /** Counts the policy's limits per hour and day where several processes share a source. Unset: in memory. */
  readonly permits?: PermitStore | undefined;
  /** Keeps where sources rest for all processes that share one. Unset: each keeps its own, while it lives. */
  readonly rests?: RestStore | undefined;
  /** Told of what happens on the wire. Unset: nothing is counted. */
  readonly observer?: WireObserver | undefined;
  readonly allowPrivateTargets?: boolean | undefined;
  /** Seconds before the second, third … attempt. */
  readonly retrySeconds?: readonly number[] | undefined;
  /** `checkAll` asks no second time where nothing at all was reached: for a command whose user waits. */
  readonly endsUnreached?: boolean | undefined;
  readonly evidence?: boolean | undefined;
  readonly pipelining?: boolean | undefined;
  readonly maxSessions?: number | undefined;
  readonly timeouts?: Partial<SessionTimeouts> | undefined;
  /** What the operator says of disposable domains; may be replaced while it is used. */
  readonly disposable?: DisposableOverrides | undefined;
  /** How long DNS answers of unknown TTL are kept. */
  readonly dnsTtlMs?: number | undefined;
  readonly dnsObserver?: DnsObserver | undefined;
  /** Ends what takes the thread too long to read. Unset: reads are not timed. */
  readonly watchdog?: ReadingWatch | undefined;
  /** Told of each finding as it is reported, for counting. Must not throw. */
  readonly onFinding?: ((finding: Finding) => void) | undefined;
  readonly log?: ((event: LogEvent) => void) | undefined;
}

export interface ResolvedOptions {
  readonly resolver: Resolver;
  readonly dnsSentinels: readonly string[];
  /** Ends the questions that wait. */
  readonly closeDns: () => void;
  readonly connect: Connect;
  readonly loopBudget: LoopBudget;
  readonly clock: Clock;
  readonly random: () => number;
  /** Generates a domain's catch-all probe. */
  readonly probeRandom: (domain: string) => () => number;
  readonly smtpPort: number;
  readonly mailFrom: string;
  readonly sources: readonly Source[];
  readonly policy: Policy;
  readonly permits: PermitStore;
  readonly rests: RestStore | null;
  readonly observer: WireObserver | null;
  readonly allowPrivateTargets: boolean;
  readonly retrySeconds: readonly number[];
  readonly endsUnreached: boolean;
  readonly evidence: boolean;
  readonly pipelining: boolean;
  readonly maxSessions: number;
  readonly timeouts: SessionTimeouts;
  readonly downMs: number;
  readonly dnsTtlMs: number | undefined;
  readonly disposable: typeof NO_OVERRIDES;
  readonly watchdog: ReadingWatch;
  readonly onFinding: (finding: Finding) => void;
  readonly log: (event: LogEvent) => void;
}

const SMTP_PORT = 25;
const MAX_SESSIONS = 6_000;
const DOWN_MAX_MS = 30_000;
const DOWN_MIN_MS = 250;
const DOMAIN_MAX_CHARS = 253;
const SENTINEL = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const RANDOM_STEPS = 2 ** 47;

/** `own`: what the system tells about the machine's name; another in tests. */
export function resolveOptions(options: CheckerOptions, own?: OwnName): ResolvedOptions {
  const log = options.log ?? (() => {});
  const mailFrom = options.mailFrom === '<>' ? '' : (options.mailFrom ?? '');
  refuse(validateMailFrom(mailFrom));
  const retrySeconds = options.retrySeconds ?? DEFAULT_RETRY_SECONDS;
  // Unguessable: a catch-all probe that can be predicted can be answered with a lie.
  const random = options.random ?? (() => randomInt(RANDOM_STEPS) / RANDOM_STEPS);
  const { probeKey } = options;
  const clock = options.clock ?? systemClock;
  const names = resolverOf(options, clock);
  const { sources, resolver } = resolveSources(options, names.resolver, log, own);
  return {
    resolver,
    dnsSentinels: sentinelsOf(options.dnsSentinels),
    closeDns: names.close,
    connect: options.connect ?? netConnect,
    loopBudget: options.connect === undefined ? createLoopBudget() : AT_ONCE,
    clock,
    random,
    probeRandom: probeKey === undefined ? () => random : (domain) => keyedRandom(probeKey, domain),
    smtpPort: options.smtpPort ?? SMTP_PORT,
    mailFrom,
    sources,
    policy: options.policy ?? DEFAULT_POLICY,
    permits: options.permits ?? new MemoryPermits(clock),
    rests: options.rests ?? null,
    observer: options.observer ?? null,
    allowPrivateTargets: options.allowPrivateTargets ?? false,
    retrySeconds,
    endsUnreached: options.endsUnreached ?? false,
    evidence: options.evidence ?? true,
    pipelining: options.pipelining ?? true,
    maxSessions: options.maxSessions ?? MAX_SESSIONS,
    timeouts: withTimeouts(DEFAULT_TIMEOUTS, options.timeouts ?? {}),
    // A host found down must be tried in earnest again when its addresses come back.
    downMs: Math.max(DOWN_MIN_MS, Math.min(DOWN_MAX_MS, (retrySeconds[0] ?? DOWN_MAX_MS / 1000) * 500)),
    dnsTtlMs: options.dnsTtlMs,
    disposable: options.disposable ?? NO_OVERRIDES,
    watchdog: options.watchdog ?? UNWATCHED,
    onFinding: options.onFinding ?? (() => {}),
    log,
  };
}

/** One that was passed in may be shared: it is not ours to close. */
function resolverOf(
  { resolver, dnsServers, watchdog, dnsObserver }: CheckerOptions,
  clock: Clock,
): { resolver: Resolver; close: () => void } {
  const observed = (one: Resolver) =>
    dnsObserver === undefined ? one : observeResolver(one, dnsObserver, clock);
  if (resolver !== undefined) return { resolver: observed(resolver), close: () => {} };
  const own = createWireResolver({ servers: dnsServers, watchdog });
  return { resolver: observed(own), close: () => own.close() };
}

function sentinelsOf(names: readonly string[] | undefined): readonly string[] {
  if (names === undefined) return DEFAULT_SENTINELS;
  for (const name of names) refuse(validateSentinel(name));
  return names.map((name) => name.toLowerCase());
}

/** Null: it can be asked about. */
export function validateSentinel(name: string): string | null {
  const isDomain = name.length <= DOMAIN_MAX_CHARS && SENTINEL.test(name);
  return isDomain ? null : `a DNS sentinel must be a domain name such as gmail.com: ${name.slice(0, 80)}`;
}

/** Numbers that only the key's owner can foresee, the same for the same domain. */
function keyedRandom(key: string, domain: string): () => number {
  let count = 0;
  return () => {
    const bytes = createHmac('sha256', key).update(`${domain} ${count}`).digest();
    count += 1;
    return bytes.readUIntBE(0, 6) / 2 ** 48;
  };
}

interface ResolvedSources {
  readonly sources: readonly Source[];
  readonly resolver: Resolver;
}

function resolveSources(
  options: CheckerOptions,
  resolver: Resolver,
  log: (event: LogEvent) => void,
  own: OwnName | undefined,
): ResolvedSources {
  const { sources, heloName } = options;
  if (sources !== undefined && sources.length > 0) {
    if (sources.length > SOURCES_MAX)
      throw new Error(`too many source addresses: at most ${SOURCES_MAX} are allowed`);
    return { sources: sources.map((source) => resolveSource(source, options.policy)), resolver };
  }
  if (heloName !== undefined) {
    refuse(validateHelo(heloName));
    return { sources: [{ ip: null, heloName }], resolver };
  }
  return lookUpOwnName(resolver, log, own);
}

function resolveSource(source: SourceOption, policy: Policy | undefined): Source {
  refuse(validateHelo(source.heloName));
  if ('proxy' in source) refuse(validateProxy(source.proxy));
  const resolved = 'proxy' in source ? { ...source, ip: null } : source;
  const mailFrom = policy?.sources.get(sourceName(resolved) ?? '')?.mailFrom;
  return mailFrom === undefined ? resolved : { ...resolved, mailFrom: mailFrom === '<>' ? '' : mailFrom };
}

/**
 * The machine's own name takes a lookup, and `createChecker` does not wait: it is looked up beside the first domain,
 * whose answer is returned when both are known, so that no server is greeted with another name before.
 */
function lookUpOwnName(
  resolver: Resolver,
  log: (event: LogEvent) => void,
  own: OwnName | undefined,
): ResolvedSources {
  const source = { ip: null, heloName: defaultHeloName().name };
  let search: Promise<void> | null = null;
  const found = async () => {
    const { name, warning } = await findHeloName(own);
    source.heloName = name;
    if (warning !== null) log({ level: 'warn', event: 'helo_default', text: warning });
  };
  const mx: Resolver['mx'] = async (...question) => {
    search ??= found();
    const [answer] = await Promise.all([resolver.mx(...question), search]);
    return answer;
  };
  return {
    sources: [source],
    resolver: {
      mx,
      a: (...question) => resolver.a(...question),
      aaaa: (...question) => resolver.aaaa(...question),
      ...(resolver.servers === undefined ? {} : { servers: resolver.servers }),
    },
  };
}

function refuse(why: string | null): void {
  if (why !== null) throw new Error(why);
}
