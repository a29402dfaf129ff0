// Every domain somebody asks about, once: what DNS says (for its time) and what asking has taught (for hours).
// Promise: one lookup per domain at a time, a bounded number of domains, knowledge outliving DNS answers.
import { type DomainFacts, type DomainFactsOptions, domainFacts } from './dns/domain-facts.ts';
import { providerOf } from './domain/provider.ts';
import { DomainKnowledge } from './smtp/domain-knowledge.ts';

const DOMAINS_MAX = 100_000;

/** Everything the engine holds about one domain. */
export interface DomainState {
  readonly name: string;
  readonly facts: DomainFacts;
  readonly provider: string;
  readonly knowledge: DomainKnowledge;
}

export class DomainBook {
  readonly #options: DomainFactsOptions;
  readonly #now: () => number;
  readonly #domains = new Map<string, DomainState>();
  readonly #asking = new Map<string, Promise<DomainState>>();

  constructor(options: DomainFactsOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  /** At once where it is known, so that a list of one domain's addresses costs no promise each. */
  get(name: string): DomainState | Promise<DomainState> {
    const known = this.#domains.get(name);
    if (known !== undefined && known.facts.untilMs > this.#now()) return known;
    const asking = this.#asking.get(name);
    if (asking !== undefined) return asking;
    const promise = this.#look(name, known);
    this.#asking.set(name, promise);
    return promise;
  }

  async #look(name: string, before: DomainState | undefined): Promise<DomainState> {
    const facts = await domainFacts(name, this.#options);
    const provider = facts.mx === null ? '' : providerOf(facts.mx);
    const state = { name, facts, provider, knowledge: before?.knowledge ?? new DomainKnowledge() };
    this.#asking.delete(name);
    this.#domains.delete(name);
    this.#domains.set(name, state);
    if (this.#domains.size > DOMAINS_MAX) this.#forgetOne();
    return state;
  }

  #forgetOne(): void {
    for (const [name, state] of this.#domains) {
      if (state.knowledge.open > 0 || state.knowledge.holding) continue;
      this.#domains.delete(name);
      return;
    }
  }
}
