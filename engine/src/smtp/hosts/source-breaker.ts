// Which hosts (by address) and providers refuse one of our source addresses. Promise: a source that is refused is
// not used there for a while, and no other one is used instead; refused-place.ts says which payers a rest keeps out; the rest outlives what
// else is known of the host; an answer about a recipient ends it; its beginning and its end are logged. With a store, rests at
// providers that keep out everyone are shared by all processes that have the source: the store keeps them, and decides which
// process tries.
import { isKnownProvider } from '../../domain/provider.ts';
import { lowerOf } from '../../lower-of.ts';
import { type Payers, payersNeeded } from '../../policy/payers.ts';
import type { KeptRest, RestStore } from '../../ports.ts';
import { NO_SHARED_LINES } from '../../state/transcript.ts';
import type { LogEvent } from '../../types.ts';
import { type Breaker, TRIAL_MAX_MS } from './breaker.ts';
import type { Source } from './egress.ts';
import type { MxHost } from './mx-host.ts';
import type { Waiter } from './parts/connection-queue.ts';
import type { ShutPeriod } from './parts/host-availability.ts';
import { ProxyHealth } from './proxy-health.ts';
import { type Behalf, type Needs, type Refusal, RefusedPlace, type Scope } from './refused-place.ts';
import { sourceName } from './source-name.ts';
import type { SourcePermits } from './source-permits.ts';

/** A host that has refused this often in a row refuses us; a single refusal may be about its recipient. */
const AT_HOST: Needs = { refusals: 3, hosts: 1, domains: 2, isWide: false };
/** A provider of which so many hosts refuse, refuses us; at a single host, or of one domain, it may be the customer's own choice. */
const AT_PROVIDER: Needs = { refusals: 1, hosts: 3, domains: 3, isWide: true };
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
  readonly place: RefusedPlace;
  /** Lanes that wait for the word on who tries; null: the store was not asked. */
  asking: Set<Waiter> | null;
}

interface HostBreaker {
  readonly place: RefusedPlace;
  readonly provider: string;
}

/** What a refusal was said to. */
export type Refused = Behalf & Pick<Refusal, 'isToAll' | 'isCertain'>;

export class SourceBreaker {
  readonly source: Source;
  /** What it may still ask within the hour and the day. */
  readonly permits: SourcePermits;
  /** Null: it connects directly. */
  readonly proxy: ProxyHealth | null;
  readonly #log: (event: LogEvent) => void;
  readonly #hosts = new Map<string, HostBreaker>();
  readonly #rests: RestStore | null;
  readonly #payers: Payers;
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
    payers: Payers = { areSeveral: false },
  ) {
    this.source = source;
    this.#rests = rests;
    this.#payers = payers;
    this.permits = permits;
    this.proxy = source.proxy === undefined ? null : new ProxyHealth(source.proxy.name, log);
    this.#log = log;
  }

  /** True: the source rests there, for those on whose behalf it was refused at least. */
  refused(at: Refuser, hostName: string, refused: Refused, nowMs: number): boolean {
    const { place } = this.#hosts.get(at.ip) ?? this.#newHost(at);
    const refusal = { ...refused, ip: at.ip };
    const began = place.refused(refusal, AT_HOST, payersNeeded(this.#payers), nowMs);
    const isHostResting = place.breaker.isResting(nowMs) || place.isResting(refused, nowMs);
    // A block by the provider is logged once, not for each of its hosts.
    if (this.#refusedByProvider(at, refusal, isHostResting, nowMs)) return true;
    const breaker = place.breaker.isResting(nowMs) ? place.breaker : place.keepsOut(refused, nowMs);
    if (began !== null && breaker !== null && this.#mayLogHost(breaker, nowMs))
      this.#logBlocked(breaker, `${hostName} (${at.ip})`, began);
    return isHostResting;
  }

  #refusedByProvider(at: Refuser, refusal: Refusal, isHostResting: boolean, nowMs: number): boolean {
    const { provider, shared } = at;
    if (shared === null) return false;
    const known = this.#providers.get(provider) ?? newProvider();
    const { breaker } = known.place;
    if (!isHostResting && !breaker.hasRested) return false;
    this.#providers.set(provider, known);
    const began = known.place.refused(
      { ...refusal, isCertain: false },
      AT_PROVIDER,
      payersNeeded(this.#payers),
      nowMs,
    );
    if (began === 'everyone') {
      if (!breaker.isLogged) this.#logBlocked(breaker, provider, began);
      this.#rests?.began({ source: this.name, provider }, breaker.restMs, breaker.refusals);
    }
    return breaker.isResting(nowMs);
  }

  /** It has answered about a recipient, in words that are not about us. */
  answered(at: Refuser, hostName: string, behalf: Behalf, nowMs: number): void {
    if (this.#isEmpty) return;
    const { ip, provider, shared } = at;
    const host = this.#hosts.get(ip)?.place;
    const atHost = host?.answered(behalf, nowMs) ?? [];
    if (host?.isEmpty === true) this.#hosts.delete(ip);
    if (atHost.some(({ isLogged }) => isLogged)) this.#logUnblocked(`${hostName} (${ip})`);
    const place = shared === null ? undefined : this.#providers.get(provider)?.place;
    if (place === undefined) return;
    const { breaker } = place;
    const isEnded = place.answered(behalf, nowMs).includes(breaker);
    if (place.isEmpty) this.#providers.delete(provider);
    if (isEnded && breaker.isLogged) this.#logUnblocked(provider);
    if (isEnded && breaker.hasRested) this.#rests?.ended({ source: this.name, provider });
  }

  get #isEmpty(): boolean {
    return this.#hosts.size === 0 && this.#providers.size === 0;
  }

  /** A session begins: where the source has rested it is the one that tries. */
  began(at: Refuser, behalf: Behalf, nowMs: number): void {
    this.proxy?.began(nowMs);
    for (const place of this.#placesOf(at)) place.began(behalf, nowMs);
  }

  /** For everyone: open sessions end. */
  isResting(at: Refuser, nowMs: number): boolean {
    return this.#placesOf(at).some(({ breaker }) => breaker.isResting(nowMs));
  }

  /** For this payer or domain, and not for everyone. */
  isRestingFor(at: Refuser, behalf: Behalf, nowMs: number): boolean {
    return this.#placesOf(at).some((place) => place.isResting(behalf, nowMs));
  }

  /** It may rest for some that are to ask there, and not for others. */
  hasParts(at: Refuser): boolean {
    return this.#placesOf(at).some((place) => place.hasParts);
  }

  /** The widest first. */
  #placesOf({ ip, provider }: Refuser): readonly RefusedPlace[] {
    if (this.#isEmpty) return NOWHERE;
    const places = [this.#providers.get(provider)?.place, this.#hosts.get(ip)?.place];
    return places.filter((place) => place !== undefined);
  }

  /** Why no session may begin; null: one may. Its recipients are asked later, like those of a busy host. `behalf` null: of anyone. */
  shutFor(at: Refuser, hostName: string, behalf: Behalf | null, nowMs: number): ShutPeriod | null {
    const byProxy = this.proxy?.shutFor(hostName, nowMs) ?? null;
    if (byProxy !== null || this.#isEmpty) return byProxy;
    const { ip, provider } = at;
    const atProvider = this.#keptOut(this.#providers.get(provider)?.place, behalf, nowMs);
    if (atProvider !== null) return restingShut(atProvider, provider, hostName, nowMs);
    const atHost = this.#keptOut(this.#hosts.get(ip)?.place, behalf, nowMs);
    return atHost === null ? null : restingShut(atHost, hostName, hostName, nowMs);
  }

  #keptOut(place: RefusedPlace | undefined, behalf: Behalf | null, nowMs: number): Breaker | null {
    if (place === undefined) return null;
    if (place.breaker.keepsOut(nowMs)) return place.breaker;
    return behalf === null ? null : place.keepsOut(behalf, nowMs);
  }

  /** After a rest at its provider, it is not known yet which process tries. */
  awaitsTrial({ provider }: Refuser, nowMs: number): boolean {
    if (this.#rests === null || this.#providers.size === 0) return false;
    return this.#providers.get(provider)?.place.breaker.awaitsTrial(nowMs) === true;
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
      const { breaker } = known.place;
      if (isOurs) breaker.mayTry(now());
      else breaker.triedElsewhere(TRIAL_MAX_MS, now());
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
      const { breaker } = known.place;
      const isNews = !breaker.hasRested || breaker.by !== rest.by;
      breaker.learn(rest, nowMs);
      if (isNews && breaker.isResting(nowMs)) this.#logBlocked(breaker, rest.provider, 'everyone');
    }
    for (const [provider, { place }] of this.#providers) {
      const { breaker } = place;
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
    for (const {
      place: { breaker },
    } of this.#providers.values())
      if (breaker.keepsOut(nowMs) && breaker.by === 'refusals') sinceMs = lowerOf(sinceMs, breaker.sinceMs);
    return sinceMs;
  }

  #newHost({ ip, provider }: Refuser): HostBreaker {
    if (this.#hosts.size >= HOSTS_MAX) this.#forgetSoonest();
    const host = { place: new RefusedPlace(), provider };
    this.#hosts.set(ip, host);
    return host;
  }

  /** Removes breakers that have not rested, then those whose rest ends first. */
  #forgetSoonest(): void {
    const byEnd = [...this.#hosts].sort(([, a], [, b]) => a.place.untilMs - b.place.untilMs);
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

  #logBlocked(breaker: Breaker, place: string, scope: Scope): void {
    breaker.isLogged = true;
    if (breaker.by === 'operator') {
      const end = Number.isFinite(breaker.untilMs)
        ? `until ${timeOf(breaker.untilMs)}`
        : 'until it is resumed';
      const text = `${this.#shownName} rests at ${place} ${end}, as an operator has said`;
      this.#log({ level: 'info', event: 'source_rested', text });
      return;
    }
    const text =
      `${place} has blocked ${this.#shownName}${FOR_SCOPE[scope]} (refused ${times(breaker.refusals)}): not contacted from there until ${timeOf(breaker.untilMs)}, ` +
      'then tried with one connection. Check the listing at https://check.spamhaus.org/ and with the operator of that server';
    this.#log({ level: 'warn', event: 'source_blocked', text });
  }

  #logUnblocked(place: string): void {
    this.#log({
      level: 'info',
      event: 'source_unblocked',
      text: `${place} answers ${this.#shownName} again`,
    });
  }

  /** Another process was answered, or an operator resumed it. */
  #logUsedAgain(place: string): void {
    this.#log({
      level: 'info',
      event: 'source_unblocked',
      text: `${this.#shownName} is used at ${place} again`,
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

const NOWHERE: readonly RefusedPlace[] = [];

const FOR_SCOPE: Readonly<Record<Scope, string>> = {
  domain: ' for one domain',
  payer: ' for the addresses of one account',
  everyone: '',
};

function newProvider(): ProviderBreaker {
  return { place: new RefusedPlace(), asking: null };
}

function timeOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function restingShut(
  { by, refusals, untilMs }: Breaker,
  place: string,
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
    rule: `source: this source is resting at ${place} ${why}`,
    connected: true,
    unresponsive: 'no',
    // The recipients' own schedule decides: a list need not last as long as the longest rest.
    retryAfterMs: null,
    host,
    tls: false,
    session: NO_SHARED_LINES,
  };
}
