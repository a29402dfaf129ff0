// Every domain that is asked about, once: what DNS says (for its TTL) and what asking has taught (for hours).
// Promise: one lookup per domain at a time; a bounded number of domains and lookups, each completed before the next
// begins, single checks first; knowledge outlives DNS answers; an affirmation counts once the server has not invented
// an answer afterwards.
import { type DomainFacts, type DomainFactsOptions, domainFacts } from '../dns/domain-facts.ts';
import { isFree } from '../domain/free.ts';
import { providerOf } from '../domain/provider.ts';
import { suggestDomain } from '../domain/suggest-domain.ts';
import { DomainKnowledge } from '../smtp/knowledge/domain-knowledge.ts';
import type { AddressCheck } from './address-check.ts';
import { Trust } from './trust.ts';

const DOMAINS_MAX = 100_000;
/** Two questions each at a time: as many as may be in flight. */
const LOOKUPS_MAX = 100;

/** Everything the engine holds about one domain. */
export interface DomainState {
  readonly name: string;
  readonly facts: DomainFacts;
  readonly provider: string;
  readonly free: boolean;
  /** What may have been meant instead. */
  readonly suggestion: string | null;
  readonly knowledge: DomainKnowledge<AddressCheck>;
  /** Whether its facts may lead to a verdict; hosts are asked meanwhile. */
  readonly trust: Trust;
}

export interface DomainBookOptions extends Omit<DomainFactsOptions, 'aside'> {
  /** One of our own addresses is an IPv6 one, so that those of exchangers are wanted at once. */
  readonly speaksIpv6: boolean;
}

export class DomainBook {
  readonly #options: DomainBookOptions & DomainFactsOptions;
  readonly #now: () => number;
  readonly #domains = new Map<string, DomainState>();
  readonly #asking = new Map<string, Promise<DomainState>>();
  /** In the order they came; calling it begins the lookup. */
  readonly #waiting = new Map<string, () => void>();
  #looking = 0;

  constructor(options: DomainBookOptions, now: () => number) {
    this.#options = { ...options, aside: (waits) => this.#aside(waits) };
    this.#now = now;
  }

  /** At once where it is known, so that a list of one domain's addresses costs no promise each. */
  get(name: string, urgent: boolean): DomainState | Promise<DomainState> {
    const known = this.#domains.get(name);
    if (known !== undefined && known.facts.untilMs > this.#now()) return known;
    const asking = this.#asking.get(name) ?? this.#ask(name, known);
    if (urgent) this.#begin(name);
    return asking;
  }

  /** Its IPv4 addresses lead nowhere: the same with IPv6, unless that was already requested. */
  widen(name: string): Promise<DomainState> {
    const known = this.#domains.get(name);
    const asking = this.#asking.get(name) ?? this.#ask(name, known, true);
    this.#begin(name);
    return asking;
  }

  #ask(
    name: string,
    known: DomainState | undefined,
    isWhole = this.#options.speaksIpv6,
  ): Promise<DomainState> {
    const promise = new Promise<void>((begin) => this.#waiting.set(name, begin)).then(() =>
      this.#look(name, known, isWhole || known?.facts.isWhole === true),
    );
    this.#asking.set(name, promise);
    this.#beginSome();
    return promise;
  }

  #beginSome(): void {
    for (const name of this.#waiting.keys()) {
      if (this.#looking >= LOOKUPS_MAX) return;
      this.#begin(name);
    }
  }

  #begin(name: string): void {
    const begin = this.#waiting.get(name);
    if (begin === undefined) return;
    this.#waiting.delete(name);
    this.#looking += 1;
    begin();
  }

  async #aside<T>(waits: Promise<T>): Promise<T> {
    this.#looking -= 1;
    this.#beginSome();
    const result = await waits;
    this.#looking += 1;
    return result;
  }

  async #look(name: string, before: DomainState | undefined, isWhole: boolean): Promise<DomainState> {
    const { guard } = this.#options;
    guard.begin();
    const { inventions } = guard;
    let facts = await domainFacts(name, this.#options, isWhole);
    if (facts.isSilent) facts = await this.#heardFrom(name, facts);
    this.#looking -= 1;
    this.#beginSome();
    const provider = facts.mx === null ? '' : providerOf(facts.mx);
    const knowledge = before?.knowledge ?? new DomainKnowledge<AddressCheck>();
    const state: DomainState = {
      name,
      facts,
      provider,
      free: isFree(name),
      suggestion: suggestDomain(name),
      knowledge,
      trust: new Trust(),
    };
    this.#verify(state, inventions);
    this.#asking.delete(name);
    this.#domains.delete(name);
    this.#domains.set(name, state);
    if (this.#domains.size > DOMAINS_MAX) this.#forgetOne();
    return state;
  }

  /** A domain whose name servers are mute says nothing about ours: that is for a sentinel to show. */
  async #heardFrom(name: string, facts: DomainFacts): Promise<DomainFacts> {
    const { guard } = this.#options;
    if (!guard.isOn || !(await this.#aside(guard.anybodyAnswers(name)))) return facts;
    return { ...facts, isSilent: false };
  }

  /** Beside the asking: a server that makes answers up is found out before anybody is told a verdict. */
  #verify({ name, facts, trust }: DomainState, inventions: number): void {
    const { guard } = this.#options;
    if (facts.kind !== 'ok' || !guard.isOn) {
      trust.settle('kept');
      return;
    }
    void guard.mayBeInvented(facts, inventions).then((isMadeUp) => {
      // No verdict is reported any more.
      if (guard.isClosed) return;
      if (isMadeUp && this.#domains.get(name)?.trust === trust) this.#domains.delete(name);
      trust.settle(isMadeUp ? 'broken' : 'kept');
    });
  }

  #forgetOne(): void {
    for (const [name, state] of this.#domains) {
      if (state.knowledge.open > 0 || state.knowledge.holding) continue;
      this.#domains.delete(name);
      return;
    }
  }
}
