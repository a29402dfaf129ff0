// Which hosts (by address) and providers refuse one of our source addresses. Promise: a source that is refused is
// not used there for a while, and no other one is used instead; that is kept when what is known of the host is forgotten;
// an answer about a recipient ends it; both its begin and its end are logged. Each rest has an end; after it
// one session tries.
//
//   closed ──refused often enough──▶ resting ──its time is over, a session begins──▶ tried
//     ▲                                 ▲                                            │   │
//     │                                 └──refused: twice as long, up to a bound─────┘   │
//     └──answered about a recipient (the breaker is removed)─────────────────────────────┘
import type { LogEvent } from '../../types.ts';
import { NO_SHARED_LINES } from '../session/transcript.ts';
import type { Source } from './egress.ts';
import type { MxHost } from './mx-host.ts';
import type { ShutPeriod } from './parts/host-availability.ts';
import { ProxyHealth } from './proxy-health.ts';
import { sourceName } from './source-name.ts';
import type { SourcePermits } from './source-permits.ts';

const REST_MIN_MS = 15 * 60_000;
const REST_MAX_MS = 4 * 3_600_000;
/** A session that has not been answered by then is no longer waited for: another may try. */
const TRIAL_MAX_MS = 2 * 60_000;
/** Refusals in a row: one may be about one recipient, several are about us. */
const REFUSALS_TELLING = 3;
/** Hosts of a provider in a row: one may be a customer's own choice. */
const HOSTS_TELLING = 3;
const HOSTS_MAX = 5_000;
const FORGOTTEN_AT_ONCE = 500;
const HOUR_MS = 3_600_000;
/** Providers are few and are always logged. */
const HOSTS_SAID_PER_HOUR_MAX = 10;

type Refuser = Pick<MxHost, 'ip' | 'provider'> & {
  /** What the hosts of a provider share; null: of no known provider. */
  readonly shared: object | null;
};

interface ProviderBreaker {
  readonly breaker: Breaker;
  /** That refuse, since the last answer; no more than are telling. */
  readonly hosts: Set<string>;
}

/** Whether one source address is left out at one host or provider. Pure: time as an argument. */
export class Breaker {
  /** In a row, since the last answer about a recipient. */
  refusals = 0;
  /** Its begin was logged, so its end is as well. */
  isSaid = false;
  /** When the first of its rests in a row began. */
  sinceMs = 0;
  #restMs = 0;
  #untilMs = 0;
  #isTried = false;

  /** When the rest or the trial ends; 0: there was none. */
  get untilMs(): number {
    return this.#untilMs;
  }

  get hasRested(): boolean {
    return this.#restMs > 0;
  }

  /** Open sessions end. */
  isResting(nowMs: number): boolean {
    return !this.#isTried && this.#untilMs > nowMs;
  }

  /** No other session may begin. */
  keepsOut(nowMs: number): boolean {
    return this.#untilMs > nowMs;
  }

  /** A session begins. */
  began(nowMs: number): void {
    if (!this.hasRested || this.keepsOut(nowMs)) return;
    this.#isTried = true;
    this.#untilMs = nowMs + TRIAL_MAX_MS;
  }

  /** True: a rest begins. `isEnough`: to begin the first; after a rest every refusal is. */
  refused(isEnough: boolean, nowMs: number): boolean {
    this.refusals += 1;
    // What was asked before the rest began is answered in it.
    if (this.isResting(nowMs) || !(isEnough || this.hasRested)) return false;
    if (!this.hasRested) this.sinceMs = nowMs;
    this.#restMs = this.hasRested ? Math.min(REST_MAX_MS, this.#restMs * 2) : REST_MIN_MS;
    this.#untilMs = nowMs + this.#restMs;
    this.#isTried = false;
    return true;
  }
}

export class SourceBreaker {
  readonly source: Source;
  /** What it may still ask within the hour and the day. */
  readonly permits: SourcePermits;
  /** Null: it connects directly. */
  readonly proxy: ProxyHealth | null;
  readonly #log: (event: LogEvent) => void;
  readonly #hosts = new Map<string, Breaker>();
  /** As many as there are names for providers. */
  readonly #providers = new Map<string, ProviderBreaker>();
  #saidSinceMs = 0;
  #said = 0;

  constructor(source: Source, log: (event: LogEvent) => void, permits: SourcePermits) {
    this.source = source;
    this.permits = permits;
    this.proxy = source.proxy === undefined ? null : new ProxyHealth(source.proxy.name, log);
    this.#log = log;
  }

  /** `isCertain`: it has turned the whole session away, in words that are about us. True: the source rests there. */
  refused(at: Refuser, hostName: string, isCertain: boolean, nowMs: number): boolean {
    const host = this.#hosts.get(at.ip) ?? this.#newHost(at.ip);
    const isEnough = isCertain || host.refusals + 1 >= REFUSALS_TELLING;
    const isNew = host.refused(isEnough, nowMs);
    const isHostResting = host.isResting(nowMs);
    // A block by the provider is logged once, not for each of its hosts.
    if (this.#refusedByProvider(at, isHostResting, nowMs)) return true;
    if (isNew && this.#maySayHost(host, nowMs)) this.#sayBlocked(host, `${hostName} (${at.ip})`);
    return isHostResting;
  }

  #refusedByProvider({ ip, provider, shared }: Refuser, isHostResting: boolean, nowMs: number): boolean {
    if (shared === null) return false;
    let known = this.#providers.get(provider);
    if (known === undefined) {
      known = { breaker: new Breaker(), hosts: new Set() };
      this.#providers.set(provider, known);
    }
    const { breaker, hosts } = known;
    if (isHostResting && hosts.size < HOSTS_TELLING) hosts.add(ip);
    if (breaker.refused(hosts.size >= HOSTS_TELLING, nowMs) && !breaker.isSaid)
      this.#sayBlocked(breaker, provider);
    return breaker.isResting(nowMs);
  }

  /** It has answered about a recipient, in words that are not about us. */
  answered({ ip, provider, shared }: Refuser, hostName: string, nowMs: number): void {
    if (this.#hosts.size === 0 && this.#providers.size === 0) return;
    const host = this.#hosts.get(ip);
    // What was asked before a rest began does not end it.
    if (host !== undefined && !host.isResting(nowMs)) {
      this.#hosts.delete(ip);
      if (host.isSaid) this.#sayUnblocked(`${hostName} (${ip})`);
    }
    const known = shared === null ? undefined : this.#providers.get(provider);
    if (known === undefined || known.breaker.isResting(nowMs)) return;
    this.#providers.delete(provider);
    if (known.breaker.isSaid) this.#sayUnblocked(provider);
  }

  /** A session begins: where the source has rested it is the one that tries. */
  began({ ip, provider }: Refuser, nowMs: number): void {
    this.proxy?.began(nowMs);
    this.#hosts.get(ip)?.began(nowMs);
    this.#providers.get(provider)?.breaker.began(nowMs);
  }

  isResting({ ip, provider }: Refuser, nowMs: number): boolean {
    if (this.#hosts.size === 0 && this.#providers.size === 0) return false;
    if (this.#hosts.get(ip)?.isResting(nowMs) === true) return true;
    return this.#providers.get(provider)?.breaker.isResting(nowMs) === true;
  }

  /** Why no session may begin; null: one may. Its recipients are asked later, like those of a busy host. */
  shutFor({ ip, provider }: Refuser, hostName: string, nowMs: number): ShutPeriod | null {
    const byProxy = this.proxy?.shutFor(hostName, nowMs) ?? null;
    if (byProxy !== null || (this.#hosts.size === 0 && this.#providers.size === 0)) return byProxy;
    const atProvider = this.#providers.get(provider)?.breaker;
    if (atProvider?.keepsOut(nowMs) === true) return restingShut(atProvider, provider, hostName, nowMs);
    const atHost = this.#hosts.get(ip);
    return atHost?.keepsOut(nowMs) === true ? restingShut(atHost, hostName, hostName, nowMs) : null;
  }

  /** Since when it rests at a whole provider, the first of several; null: at none. */
  blockedSinceMs(nowMs: number): number | null {
    let sinceMs: number | null = null;
    for (const { breaker } of this.#providers.values())
      if (breaker.keepsOut(nowMs)) sinceMs = Math.min(sinceMs ?? breaker.sinceMs, breaker.sinceMs);
    return sinceMs;
  }

  #newHost(ip: string): Breaker {
    if (this.#hosts.size >= HOSTS_MAX) this.#forgetSoonest();
    const host = new Breaker();
    this.#hosts.set(ip, host);
    return host;
  }

  /** Removes breakers that have not rested, then those whose rest ends first. */
  #forgetSoonest(): void {
    const byEnd = [...this.#hosts].sort(([, a], [, b]) => a.untilMs - b.untilMs);
    for (const [ip] of byEnd.slice(0, FORGOTTEN_AT_ONCE)) this.#hosts.delete(ip);
  }

  #maySayHost(host: Breaker, nowMs: number): boolean {
    if (host.isSaid) return false;
    if (nowMs - this.#saidSinceMs >= HOUR_MS) {
      this.#saidSinceMs = nowMs;
      this.#said = 0;
    }
    this.#said += 1;
    return this.#said <= HOSTS_SAID_PER_HOUR_MAX;
  }

  #sayBlocked(breaker: Breaker, whom: string): void {
    breaker.isSaid = true;
    const until = new Date(breaker.untilMs).toISOString().slice(0, 16).replace('T', ' ');
    const text =
      `${whom} has blocked ${this.#shownName} (refused ${times(breaker.refusals)}): not contacted from there until ${until} UTC, ` +
      'then tried with one connection. Check the listing at https://check.spamhaus.org/ and with the operator of that server';
    this.#log({ level: 'warn', event: 'source_blocked', text });
  }

  #sayUnblocked(whom: string): void {
    this.#log({ level: 'info', event: 'source_unblocked', text: `${whom} answers ${this.#shownName} again` });
  }

  /** What it is known by, in the store and to people; null: the machine's own address. */
  get name(): string | null {
    return sourceName(this.source);
  }

  get #shownName(): string {
    return this.name ?? "this machine's address";
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function restingShut({ refusals, untilMs }: Breaker, whom: string, host: string, nowMs: number): ShutPeriod {
  return {
    kind: 'source_resting',
    atMs: nowMs,
    untilMs,
    meaning: 'blocked',
    detail: 'source_resting',
    temporary: true,
    rule: `source: this source is resting at ${whom} after being refused ${times(refusals)}`,
    connected: true,
    unresponsive: 'no',
    // The recipients' own schedule decides: a list need not last as long as the longest rest.
    retryAfterMs: null,
    host,
    tls: false,
    session: NO_SHARED_LINES,
  };
}
