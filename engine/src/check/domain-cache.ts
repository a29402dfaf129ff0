// Every domain that is asked about, once: what DNS says (for its TTL) and what asking has taught (for hours).
// Promise: one lookup per domain at a time, which any account may join; a budget of bytes for all that is kept; knowledge
// outlives DNS answers; what a server is found to have invented is not kept.
//
//   get ─ known and not outdated ─────────────▶ the state, at once
//       ├ being looked up ─ join it ──────────▶ its state
//       └ neither ─ look up (look-up-domain.ts) ─▶ a new state, with the knowledge of the one before

import type { Holder } from '@mxproof/common/fair-share';
import type { DomainFacts } from '../dns/domain-facts.ts';
import { type LookUpOptions, lookUpDomain } from '../dns/look-up-domain.ts';
import { type Lookup, LookupTurns } from '../dns/lookup-turns.ts';
import { SizedMap } from '../dns/sized-map.ts';
import { disposableFinding } from '../domain/disposable.ts';
import { NO_OVERRIDES } from '../domain/disposable-overrides.ts';
import { isFree } from '../domain/free-providers.ts';
import { providerOf } from '../domain/provider.ts';
import { suggestDomain } from '../domain/suggest-domain.ts';
import type { DomainLookup } from '../state/check-state.ts';
import { DomainKnowledge } from './domain-knowledge.ts';
import { stateBytes } from './state-bytes.ts';

/** About 100,000 ordinary domains. */
const BUDGET_BYTES = 128 * 1024 * 1024;
/** Five MX hosts with two addresses each take 2.5 KiB. */
const LARGE_FROM_BYTES = 8 * 1024;

/**
 * Whether a DNS answer about a domain may lead to a verdict. `kept`: the server denied a made-up name afterwards; `broken`:
 * it invented an answer.
 */
interface Trust {
  state: 'waiting' | 'kept' | 'broken';
  /** Until it is no longer `waiting`. Null: it is not. */
  settled: Promise<void> | null;
}

/** Everything the engine holds about one domain. */
export interface DomainState {
  readonly name: string;
  readonly free: boolean;
  /** By the rule beside it, of this version of the operator's entries; read again when there are others. */
  disposable: boolean;
  disposableRule: string;
  overridesVersion: number;
  readonly facts: DomainFacts;
  readonly provider: string;
  /** The domain that was probably meant. */
  readonly suggestion: string | null;
  readonly knowledge: DomainKnowledge;
  /** Whether its facts may lead to a verdict; hosts are asked meanwhile. */
  readonly trust: Trust;
  /** What it is thought to take in memory. */
  bytes: number;
}

export interface DomainCacheOptions extends LookUpOptions {
  /** One of our own addresses is an IPv6 one, so that those of MX hosts are wanted at once. */
  readonly speaksIpv6: boolean;
  readonly budgetBytes?: number;
  /** What the operator says of disposable domains. */
  readonly disposable?: typeof NO_OVERRIDES;
  /** Answered recipients wait until this is understood. */
  readonly isWaitedFor?: (knowledge: DomainKnowledge) => boolean;
  /** The trust in a domain's facts is no longer `waiting`. */
  readonly trustSettled?: (domain: DomainState) => void;
}

interface RunningLookup {
  readonly lookup: Lookup;
  readonly state: Promise<DomainState>;
}

export class DomainCache {
  readonly #options: DomainCacheOptions;
  readonly #now: () => number;
  readonly #domains: SizedMap<DomainState>;
  readonly #underWay = new Map<string, RunningLookup>();
  readonly #turns = new LookupTurns();

  constructor(options: DomainCacheOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
    this.#domains = new SizedMap({
      budgetBytes: options.budgetBytes ?? BUDGET_BYTES,
      largeFromBytes: LARGE_FROM_BYTES,
      isInUse: ({ knowledge }) => knowledge.open > 0 || options.isWaitedFor?.(knowledge) === true,
    });
  }

  /** What is kept takes so much memory, about. */
  get bytes(): number {
    return this.#domains.bytes;
  }

  /** Synchronous where it is known, so that addresses of one domain cost no promise each. */
  get(name: string, holder: Holder): DomainState | Promise<DomainState> {
    const known = this.#domains.get(name);
    if (known !== undefined && known.facts.untilMs > this.#now()) return this.#judged(known);
    return (
      this.#join(name, holder) ??
      this.#begin(name, known, this.#options.speaksIpv6, this.#turns.first(holder))
    );
  }

  /** Its IPv4 addresses lead nowhere: the same with IPv6, unless that was already requested. */
  widen(name: string, holder: Holder): Promise<DomainState> {
    return (
      this.#join(name, holder) ?? this.#begin(name, this.#domains.get(name), true, this.#turns.second(holder))
    );
  }

  /** What is waited for while it is looked up: a new object each time. */
  lookupOf(name: string): DomainLookup {
    const lookup = this.#underWay.get(name)?.lookup;
    return {
      get isHeldBack() {
        return lookup?.isHeldBack === true;
      },
    };
  }

  #join(name: string, holder: Holder): Promise<DomainState> | undefined {
    const underWay = this.#underWay.get(name);
    underWay?.lookup.join(holder);
    return underWay?.state;
  }

  #begin(
    name: string,
    before: DomainState | undefined,
    wantsIpv6: boolean,
    lookup: Lookup,
  ): Promise<DomainState> {
    const state = this.#lookUp(name, before, wantsIpv6 || before?.facts.isWhole === true, lookup);
    this.#underWay.set(name, { lookup, state });
    return state;
  }

  async #lookUp(
    name: string,
    before: DomainState | undefined,
    isWhole: boolean,
    lookup: Lookup,
  ): Promise<DomainState> {
    const { facts, mayBeInvented } = await lookUpDomain(name, isWhole, lookup, this.#options);
    const state = this.#newState(name, facts, before?.knowledge);
    this.#settleTrust(state, mayBeInvented);
    this.#underWay.delete(name);
    this.#domains.set(name, state);
    return state;
  }

  #newState(name: string, facts: DomainFacts, known?: DomainKnowledge): DomainState {
    const knowledge = known ?? this.#noKnowledge(name);
    const provider = facts.mx === null ? '' : providerOf(facts.mx);
    return {
      name,
      facts,
      provider,
      free: isFree(name),
      ...this.#disposable(name, provider),
      suggestion: suggestDomain(name),
      knowledge,
      trust: { state: 'waiting', settled: null },
      bytes: stateBytes(name, facts) + knowledge.bytes,
    };
  }

  #disposable(
    name: string,
    provider: string,
  ): Pick<DomainState, 'disposable' | 'disposableRule' | 'overridesVersion'> {
    const { disposable: overrides = NO_OVERRIDES } = this.#options;
    const found = disposableFinding(name, provider === '' ? null : provider, overrides);
    const { disposable, rule } = found;
    return { disposable, disposableRule: disposable ? rule : '', overridesVersion: overrides.version };
  }

  /** In place: checks that already have it see the same. */
  #judged(state: DomainState): DomainState {
    const { disposable: overrides = NO_OVERRIDES } = this.#options;
    if (state.overridesVersion === overrides.version) return state;
    return Object.assign(state, this.#disposable(state.name, state.provider));
  }

  /** A method of its own: the closure lives as long as the knowledge, and would keep its whole scope alive. */
  #noKnowledge(name: string): DomainKnowledge {
    return new DomainKnowledge((bytes) => this.#domains.grow(name, bytes));
  }

  /** Runs while mail hosts are asked: a DNS server that invents answers is detected before a verdict is reported. */
  #settleTrust(domain: DomainState, mayBeInvented: Promise<boolean> | null): void {
    const { name, trust } = domain;
    if (mayBeInvented === null) {
      trust.state = 'kept';
      return;
    }
    trust.settled = mayBeInvented.then((isInvented) => {
      trust.settled = null;
      // No verdict is reported any more.
      if (this.#options.guard.isClosed) return;
      if (isInvented && this.#domains.get(name)?.trust === trust) this.#domains.delete(name);
      trust.state = isInvented ? 'broken' : 'kept';
      this.#options.trustSettled?.(domain);
    });
  }
}
