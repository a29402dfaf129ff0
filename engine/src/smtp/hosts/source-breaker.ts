// Which hosts (by address) and providers refuse one of our source addresses. Promise: a source that is refused is
// not used there for a while, and no other one is used instead; the rest outlives what else is known of the host; an
// answer about a recipient ends it; its beginning and its end are logged. Each rest that refusals begin has an end; after
// it one session tries. With a store, rests at providers are shared by all processes that have the source: the store keeps
// them, and decides which process tries.
//
//   closed ──refused often enough──▶ resting ──its time is over, a session begins──▶ tried
//     ▲                                 ▲                                            │   │
//     │                                 └──refused: twice as long, up to a bound─────┘   │
//     └──answered about a recipient (the breaker is removed)─────────────────────────────┘
import { isKnownProvider } from '../../domain/provider.ts';
import { lowerOf } from '../../lower-of.ts';
import type { KeptRest, RestStore } from '../../ports.ts';
import { NO_SHARED_LINES } from '../../state/transcript.ts';
import type { LogEvent } from '../../types.ts';
import type { Source } from './egress.ts';
import type { MxHost } from './mx-host.ts';
import type { Waiter } from './parts/connection-queue.ts';
import type { ShutPeriod } from './parts/host-availability.ts';
import { ProxyHealth } from './proxy-health.ts';
import { sourceName } from './source-name.ts';
import type { SourcePermits } from './source-permits.ts';

const REST_MIN_MS = 15 * 60_000;
const REST_MAX_MS = 4 * 3_600_000;
/** A session that has not been answered by then is no longer waited for: another may try. */
const TRIAL_MAX_MS = 2 * 60_000;
/** A host that has refused this often in a row refuses us; a single refusal may be about its recipient. */
const REFUSALS_TO_REST = 3;
/** A provider of which so many hosts refuse, refuses us; at a single host it may be the customer's own choice. */
const HOSTS_TO_REST = 3;
const HOSTS_MAX = 5_000;
const FORGOTTEN_AT_ONCE = 500;
const HOUR_MS = 3_600_000;
/** Providers are few and are always logged. */
const HOSTS_LOGGED_PER_HOUR_MAX = 10;

type Refuser = Pick<MxHost, 'ip' | 'provider'> & {
  /** What the hosts of a provider share; null: of no known provider. */
  readonly shared: object | null;
};

interface ProviderBreaker {
  readonly breaker: Breaker;
  /** Addresses of hosts that have refused since the provider's last answer, up to HOSTS_TO_REST of them. */
  readonly hosts: Set<string>;
  /** Lanes that wait for the word on who tries; null: the store was not asked. */
  asking: Set<Waiter> | null;
}

interface HostBreaker {
  readonly breaker: Breaker;
  readonly provider: string;
}

/** Whether one source address is left out at one host or provider. Pure: time as an argument. */
export class Breaker {
  /** Refusals since the last answer about a recipient. */
  refusals = 0;
  /** The beginning of the rest was logged, so its end is logged as well. */
  isLogged = false;
  /** When the first of its rests in a row began. */
  sinceMs = 0;
  by: KeptRest['by'] = 'refusals';
  #hasRested = false;
  #restMs = 0;
  #untilMs = 0;
  #isTried = false;
  /** Until then the trial after a rest is this process's, and no other's. */
  #trialClaimedUntilMs = 0;

  /** When the rest or the trial ends; 0: there was none; infinite: when an operator says so. */
  get untilMs(): number {
    return this.#untilMs;
  }

  get restMs(): number {
    return this.#restMs;
  }

  get hasRested(): boolean {
    return this.#hasRested;
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
    this.#rest(Math.min(REST_MAX_MS, Math.max(REST_MIN_MS, this.#restMs * 2)), nowMs);
    this.by = 'refusals';
    this.#untilMs = nowMs + this.#restMs;
    return true;
  }

  #rest(restMs: number, nowMs: number): void {
    this.#hasRested = true;
    this.#restMs = restMs;
    this.#untilMs = nowMs;
    this.#isTried = false;
    this.#trialClaimedUntilMs = 0;
  }

  /** Takes over a rest that the store has kept. */
  learn({ by, agoMs, leftMs, restMs, refusals, trialLeftMs }: KeptRest, nowMs: number): void {
    this.by = by;
    this.sinceMs = nowMs - agoMs;
    this.refusals = Math.max(this.refusals, refusals);
    if (leftMs === null || leftMs > 0) {
      this.#rest(restMs, nowMs);
      this.#untilMs = leftMs === null ? Number.POSITIVE_INFINITY : nowMs + leftMs;
      return;
    }
    // It is over: this process or another may be trying.
    if (this.isResting(nowMs) || !this.#hasRested) this.#rest(restMs, nowMs);
    if (trialLeftMs > 0 && this.#trialClaimedUntilMs <= nowMs) this.triedElsewhere(trialLeftMs, nowMs);
  }

  /** The rest is over, and the store has not said yet that this process may try. */
  awaitsTrial(nowMs: number): boolean {
    return this.#hasRested && !this.keepsOut(nowMs) && this.#trialClaimedUntilMs <= nowMs;
  }

  mayTry(nowMs: number): void {
    this.#trialClaimedUntilMs = nowMs + TRIAL_MAX_MS;
  }

  triedElsewhere(leftMs: number, nowMs: number): void {
    this.#isTried = true;
    this.#untilMs = nowMs + leftMs;
  }
}

export class SourceBreaker {
  readonly source: Source;
  /** What it may still ask within the hour and the day. */
  readonly permits: SourcePermits;
  /** Null: it connects directly. */
  readonly proxy: ProxyHealth | null;
  readonly #log: (event: LogEvent) => void;
  readonly #hosts = new Map<string, HostBreaker>();
  readonly #rests: RestStore | null;
  /** As many as there are names for providers. */
  readonly #providers = new Map<string, ProviderBreaker>();
  #loggedSinceMs = 0;
  #logged = 0;

  /** `rests`: null: they are this process's alone. */
  constructor(
    source: Source,
    log: (event: LogEvent) => void,
    permits: SourcePermits,
    rests: RestStore | null = null,
  ) {
    this.source = source;
    this.#rests = rests;
    this.permits = permits;
    this.proxy = source.proxy === undefined ? null : new ProxyHealth(source.proxy.name, log);
    this.#log = log;
  }

  /** `isCertain`: it has turned the whole session away, in words that are about us. True: the source rests there. */
  refused(at: Refuser, hostName: string, isCertain: boolean, nowMs: number): boolean {
    const host = this.#hosts.get(at.ip)?.breaker ?? this.#newHost(at);
    const isEnough = isCertain || host.refusals + 1 >= REFUSALS_TO_REST;
    const isNew = host.refused(isEnough, nowMs);
    const isHostResting = host.isResting(nowMs);
    // A block by the provider is logged once, not for each of its hosts.
    if (this.#refusedByProvider(at, isHostResting, nowMs)) return true;
    if (isNew && this.#mayLogHost(host, nowMs)) this.#logBlocked(host, `${hostName} (${at.ip})`);
    return isHostResting;
  }

  #refusedByProvider({ ip, provider, shared }: Refuser, isHostResting: boolean, nowMs: number): boolean {
    if (shared === null) return false;
    let known = this.#providers.get(provider);
    if (known === undefined) {
      known = newProvider();
      this.#providers.set(provider, known);
    }
    const { breaker, hosts } = known;
    if (isHostResting && hosts.size < HOSTS_TO_REST) hosts.add(ip);
    if (breaker.refused(hosts.size >= HOSTS_TO_REST, nowMs)) {
      if (!breaker.isLogged) this.#logBlocked(breaker, provider);
      this.#rests?.began({ source: this.name, provider }, breaker.restMs, breaker.refusals);
    }
    return breaker.isResting(nowMs);
  }

  /** It has answered about a recipient, in words that are not about us. */
  answered({ ip, provider, shared }: Refuser, hostName: string, nowMs: number): void {
    if (this.#hosts.size === 0 && this.#providers.size === 0) return;
    const host = this.#hosts.get(ip)?.breaker;
    // What was asked before a rest began does not end it.
    if (host !== undefined && !host.isResting(nowMs)) {
      this.#hosts.delete(ip);
      if (host.isLogged) this.#logUnblocked(`${hostName} (${ip})`);
    }
    const known = shared === null ? undefined : this.#providers.get(provider);
    if (known === undefined || known.breaker.isResting(nowMs)) return;
    this.#providers.delete(provider);
    if (known.breaker.isLogged) this.#logUnblocked(provider);
    if (known.breaker.hasRested) this.#rests?.ended({ source: this.name, provider });
  }

  /** A session begins: where the source has rested it is the one that tries. */
  began({ ip, provider }: Refuser, nowMs: number): void {
    this.proxy?.began(nowMs);
    this.#hosts.get(ip)?.breaker.began(nowMs);
    this.#providers.get(provider)?.breaker.began(nowMs);
  }

  isResting({ ip, provider }: Refuser, nowMs: number): boolean {
    if (this.#hosts.size === 0 && this.#providers.size === 0) return false;
    if (this.#hosts.get(ip)?.breaker.isResting(nowMs) === true) return true;
    return this.#providers.get(provider)?.breaker.isResting(nowMs) === true;
  }

  /** Why no session may begin; null: one may. Its recipients are asked later, like those of a busy host. */
  shutFor({ ip, provider }: Refuser, hostName: string, nowMs: number): ShutPeriod | null {
    const byProxy = this.proxy?.shutFor(hostName, nowMs) ?? null;
    if (byProxy !== null || (this.#hosts.size === 0 && this.#providers.size === 0)) return byProxy;
    const atProvider = this.#providers.get(provider)?.breaker;
    if (atProvider?.keepsOut(nowMs) === true) return restingShut(atProvider, provider, hostName, nowMs);
    const atHost = this.#hosts.get(ip)?.breaker;
    return atHost?.keepsOut(nowMs) === true ? restingShut(atHost, hostName, hostName, nowMs) : null;
  }

  /** After a rest at its provider, it is not known yet which process tries. */
  awaitsTrial({ provider }: Refuser, nowMs: number): boolean {
    if (this.#rests === null || this.#providers.size === 0) return false;
    return this.#providers.get(provider)?.breaker.awaitsTrial(nowMs) === true;
  }

  /** `waiter` is pumped when it is known. Where the store cannot say, this process tries. */
  askForTrial({ provider }: Refuser, waiter: Waiter, now: () => number): void {
    const known = this.#providers.get(provider);
    if (known === undefined || this.#rests === null) return;
    const { asking } = known;
    if (asking !== null) {
      asking.add(waiter);
      return;
    }
    const waiters = new Set([waiter]);
    known.asking = waiters;
    const tell = (isOurs: boolean) => {
      known.asking = null;
      if (isOurs) known.breaker.mayTry(now());
      else known.breaker.triedElsewhere(TRIAL_MAX_MS, now());
      for (const one of waiters) one.pump();
    };
    this.#rests.claimTrial({ source: this.name, provider }, TRIAL_MAX_MS).then(tell, () => tell(true));
  }

  /** All that is kept of its rests at providers. */
  learnRests(rests: readonly KeptRest[], nowMs: number): void {
    const kept = new Set<string>();
    for (const rest of rests) {
      // Hosts of no provider have nothing in common.
      if (!isKnownProvider(rest.provider)) continue;
      kept.add(rest.provider);
      const known = this.#providers.get(rest.provider) ?? newProvider();
      this.#providers.set(rest.provider, known);
      const isNews = !known.breaker.hasRested || known.breaker.by !== rest.by;
      known.breaker.learn(rest, nowMs);
      if (isNews && known.breaker.isResting(nowMs)) this.#logBlocked(known.breaker, rest.provider);
    }
    for (const [provider, { breaker }] of this.#providers) {
      if (kept.has(provider) || !breaker.hasRested) continue;
      this.#providers.delete(provider);
      if (breaker.isLogged) this.#logUsedAgain(provider);
    }
  }

  /** By hand: nothing that was shown there counts any more. */
  resumed(at: string): void {
    this.#providers.delete(at);
    for (const [ip, { provider }] of this.#hosts) if (provider === at) this.#hosts.delete(ip);
    this.#logUsedAgain(at);
  }

  /** Since when it rests at a whole provider for refusals, the first of several; null: at none. */
  blockedSinceMs(nowMs: number): number | null {
    let sinceMs: number | null = null;
    for (const { breaker } of this.#providers.values())
      if (breaker.keepsOut(nowMs) && breaker.by === 'refusals') sinceMs = lowerOf(sinceMs, breaker.sinceMs);
    return sinceMs;
  }

  #newHost({ ip, provider }: Refuser): Breaker {
    if (this.#hosts.size >= HOSTS_MAX) this.#forgetSoonest();
    const breaker = new Breaker();
    this.#hosts.set(ip, { breaker, provider });
    return breaker;
  }

  /** Removes breakers that have not rested, then those whose rest ends first. */
  #forgetSoonest(): void {
    const byEnd = [...this.#hosts].sort(([, a], [, b]) => a.breaker.untilMs - b.breaker.untilMs);
    for (const [ip] of byEnd.slice(0, FORGOTTEN_AT_ONCE)) this.#hosts.delete(ip);
  }

  #mayLogHost(host: Breaker, nowMs: number): boolean {
    if (host.isLogged) return false;
    if (nowMs - this.#loggedSinceMs >= HOUR_MS) {
      this.#loggedSinceMs = nowMs;
      this.#logged = 0;
    }
    this.#logged += 1;
    return this.#logged <= HOSTS_LOGGED_PER_HOUR_MAX;
  }

  #logBlocked(breaker: Breaker, whom: string): void {
    breaker.isLogged = true;
    if (breaker.by === 'operator') {
      const end = Number.isFinite(breaker.untilMs)
        ? `until ${timeOf(breaker.untilMs)}`
        : 'until it is resumed';
      const text = `${this.#shownName} rests at ${whom} ${end}, as an operator has said`;
      this.#log({ level: 'info', event: 'source_rested', text });
      return;
    }
    const text =
      `${whom} has blocked ${this.#shownName} (refused ${times(breaker.refusals)}): not contacted from there until ${timeOf(breaker.untilMs)}, ` +
      'then tried with one connection. Check the listing at https://check.spamhaus.org/ and with the operator of that server';
    this.#log({ level: 'warn', event: 'source_blocked', text });
  }

  #logUnblocked(whom: string): void {
    this.#log({ level: 'info', event: 'source_unblocked', text: `${whom} answers ${this.#shownName} again` });
  }

  /** Another process was answered, or an operator resumed it. */
  #logUsedAgain(whom: string): void {
    this.#log({
      level: 'info',
      event: 'source_unblocked',
      text: `${this.#shownName} is used at ${whom} again`,
    });
  }

  /** What it is known by, in the store and to people; null: the machine's own address. */
  get name(): string | null {
    return sourceName(this.source);
  }

  get #shownName(): string {
    return this.name ?? "this machine's address";
  }
}

function newProvider(): ProviderBreaker {
  return { breaker: new Breaker(), hosts: new Set(), asking: null };
}

function timeOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function restingShut(
  { by, refusals, untilMs }: Breaker,
  whom: string,
  host: string,
  nowMs: number,
): ShutPeriod {
  const why = by === 'operator' ? 'as its operator has said' : `after being refused ${times(refusals)}`;
  return {
    kind: 'source_resting',
    atMs: nowMs,
    untilMs,
    meaning: 'blocked',
    detail: 'source_resting',
    temporary: true,
    rule: `source: this source is resting at ${whom} ${why}`,
    connected: true,
    unresponsive: 'no',
    // The recipients' own schedule decides: a list need not last as long as the longest rest.
    retryAfterMs: null,
    host,
    tls: false,
    session: NO_SHARED_LINES,
  };
}
