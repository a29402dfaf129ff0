// Every domain that is asked about, once: what DNS says (for its TTL) and what asking has taught (for hours).
// Promise: one lookup per domain at a time; a bounded number of lookups, shared fairly among accounts, each completed
// before the next of its account begins; another account that needs a lookup pulls it forward; a budget of bytes for all
// that is kept; knowledge outlives DNS answers; an affirmation counts once the server has not invented an answer
// afterwards.

import { DomainKnowledge } from '../check/domain-knowledge.ts';
import { Askers } from '../dns/askers.ts';
import { type DomainFacts, type DomainFactsOptions, domainFacts } from '../dns/domain-facts.ts';
import { SizedMap } from '../dns/sized-map.ts';
import { type Turn, Turns } from '../dns/turns.ts';
import { isFree } from '../domain/free.ts';
import { providerOf } from '../domain/provider.ts';
import { suggestDomain } from '../domain/suggest-domain.ts';
import type { Holder } from '../pace/fair-share.ts';
import { stateBytes } from './state-bytes.ts';

/** About 100,000 ordinary domains. */
const BUDGET_BYTES = 128 * 1024 * 1024;
/** Five exchangers with two addresses each take 2.5 KiB. */
const LARGE_FROM_BYTES = 8 * 1024;
/** Two questions each at a time: as many as may be in flight. */
const LOOKUPS_MAX = 100;

/**
 * Whether a DNS answer about a domain may lead to a verdict. `kept`: the server denied a made-up name afterwards; `broken`:
 * it invented an answer.
 */
export interface Trust {
  state: 'waiting' | 'kept' | 'broken';
}

/** Everything the engine holds about one domain. */
export interface DomainState {
  readonly name: string;
  readonly facts: DomainFacts;
  readonly provider: string;
  readonly free: boolean;
  /** What may have been meant instead. */
  readonly suggestion: string | null;
  readonly knowledge: DomainKnowledge;
  /** Whether its facts may lead to a verdict; hosts are asked meanwhile. */
  readonly trust: Trust;
  /** What it is thought to take in memory. */
  bytes: number;
}

export interface DomainBookOptions extends DomainFactsOptions {
  /** One of our own addresses is an IPv6 one, so that those of exchangers are wanted at once. */
  readonly speaksIpv6: boolean;
  readonly budgetBytes?: number;
  /** Answered recipients wait until this is understood. */
  readonly isWaitedFor?: (knowledge: DomainKnowledge) => boolean;
  /** The trust in a domain's facts is no longer `waiting`. */
  readonly trustSettled?: (domain: DomainState) => void;
}

/** One domain being looked up, or waiting for its turn. */
class Lookup extends Askers implements Turn {
  state: Turn['state'] = 'idle';
  paidBy: Holder = '';
  begin: () => void = () => {};
  turns: Turns<Lookup>;
  done!: Promise<DomainState>;

  constructor(holder: Holder, turns: Turns<Lookup>) {
    super([holder]);
    this.turns = turns;
  }
}

export class DomainBook {
  readonly #options: DomainBookOptions;
  readonly #now: () => number;
  readonly #domains: SizedMap<DomainState>;
  readonly #lookups = new Map<string, Lookup>();
  readonly #turns = new Turns<Lookup>(LOOKUPS_MAX);
  /** For those that come back, from waiting for a proof or to be widened: they wait for nobody who has not begun. */
  readonly #secondTurns = new Turns<Lookup>(LOOKUPS_MAX);

  constructor(options: DomainBookOptions, now: () => number) {
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

  /** At once where it is known, so that a list of one domain's addresses costs no promise each. */
  get(name: string, holder: Holder): DomainState | Promise<DomainState> {
    const known = this.#domains.get(name);
    if (known !== undefined && known.facts.untilMs > this.#now()) return known;
    return (
      this.#join(name, holder) ??
      this.#ask(name, known, this.#options.speaksIpv6, new Lookup(holder, this.#turns))
    );
  }

  /** Its IPv4 addresses lead nowhere: the same with IPv6, unless that was already requested. */
  widen(name: string, holder: Holder): Promise<DomainState> {
    return (
      this.#join(name, holder) ??
      this.#ask(name, this.#domains.get(name), true, new Lookup(holder, this.#secondTurns))
    );
  }

  /** Whoever needs what another waits for need not wait for the other's turn. */
  #join(name: string, holder: Holder): Promise<DomainState> | undefined {
    const lookup = this.#lookups.get(name);
    if (lookup === undefined || lookup.holders.includes(holder)) return lookup?.done;
    lookup.turns.join(lookup, holder);
    for (const question of lookup.questions) question.join(holder);
    return lookup.done;
  }

  #ask(name: string, known: DomainState | undefined, isWhole: boolean, lookup: Lookup): Promise<DomainState> {
    this.#lookups.set(name, lookup);
    lookup.done = turn(lookup).then(() =>
      this.#look(name, lookup, known, isWhole || known?.facts.isWhole === true),
    );
    return lookup.done;
  }

  /** Its turn is another's meanwhile. */
  async #aside<T>(lookup: Lookup, waits: Promise<T>): Promise<T> {
    lookup.turns.end(lookup);
    const result = await waits;
    lookup.turns = this.#secondTurns;
    await turn(lookup);
    return result;
  }

  async #look(
    name: string,
    lookup: Lookup,
    before: DomainState | undefined,
    isWhole: boolean,
  ): Promise<DomainState> {
    const { guard } = this.#options;
    guard.begin();
    const { inventions } = guard;
    const aside = <T>(waits: Promise<T>) => this.#aside(lookup, waits);
    let facts = await domainFacts(name, { ...this.#options, askers: lookup, aside }, isWhole);
    lookup.turns.end(lookup);
    if (facts.isSilent) facts = await this.#heardFrom(name, facts);
    const provider = facts.mx === null ? '' : providerOf(facts.mx);
    const knowledge = before?.knowledge ?? this.#noKnowledge(name);
    const state: DomainState = {
      name,
      facts,
      provider,
      free: isFree(name),
      suggestion: suggestDomain(name),
      knowledge,
      trust: { state: 'waiting' },
      bytes: stateBytes(name, facts) + knowledge.bytes,
    };
    this.#verify(state, inventions);
    this.#lookups.delete(name);
    this.#domains.set(name, state);
    return state;
  }

  /** Apart from `#look`: its closures would keep the whole lookup for as long as the knowledge. */
  #noKnowledge(name: string): DomainKnowledge {
    return new DomainKnowledge((bytes) => this.#domains.grow(name, bytes));
  }

  /** A domain whose name servers are mute says nothing about ours: that is for a sentinel to show. */
  async #heardFrom(name: string, facts: DomainFacts): Promise<DomainFacts> {
    const { guard } = this.#options;
    if (!guard.isOn || !(await guard.anybodyAnswers(name))) return facts;
    return { ...facts, isSilent: false };
  }

  /** Beside the asking: a server that makes answers up is found out before anybody is told a verdict. */
  #verify(domain: DomainState, inventions: number): void {
    const { name, facts, trust } = domain;
    const { guard, trustSettled } = this.#options;
    if (facts.kind !== 'ok' || !guard.isOn) {
      trust.state = 'kept';
      return;
    }
    void guard.mayBeInvented(facts, inventions).then((isMadeUp) => {
      // No verdict is reported any more.
      if (guard.isClosed) return;
      if (isMadeUp && this.#domains.get(name)?.trust === trust) this.#domains.delete(name);
      trust.state = isMadeUp ? 'broken' : 'kept';
      trustSettled?.(domain);
    });
  }
}

function turn(lookup: Lookup): Promise<void> {
  return new Promise((begin) => {
    lookup.begin = begin;
    lookup.turns.ask(lookup);
  });
}
