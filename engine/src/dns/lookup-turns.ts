// When a domain is looked up, on which account, and what that may cost. Promise: a bounded number of lookups at a time,
// shared fairly among accounts; an account that joins a lookup pulls it forward, with every question of it that waits;
// a lookup that waits for a proof gives its turn to another meanwhile; a lookup that has begun never waits for one that
// has not; each puts a bounded number of questions to servers, whatever the answers say.
//
//   first turn ──▶ asking ──▶ over
//                  │    ▲
//      steps aside ▼    │
//             waiting ──▶ second turn ◀── a domain that is looked up again for its IPv6 addresses begins here
import type { Holder } from '@mxproof/common/fair-share';
import type { QuestionBudget } from '../ports.ts';
import { type SharedTurn, SharedTurns } from './shared-turns.ts';

/** Two questions each at a time: as many as may be in flight. */
const LOOKUPS_MAX = 100;
/**
 * A domain's MX and the addresses of 12 MX hosts, twice (a denial is asked about once more), aliases that we follow
 * ourselves included: bounds what one submitted address can send to third-party name servers.
 */
const QUESTIONS_PER_LOOKUP_MAX = 50;

export class LookupTurns {
  readonly #first = new SharedTurns<Lookup>(LOOKUPS_MAX);
  readonly #second = new SharedTurns<Lookup>(LOOKUPS_MAX);

  first(holder: Holder): Lookup {
    return new Lookup(holder, this.#first, this.#second);
  }

  second(holder: Holder): Lookup {
    return new Lookup(holder, this.#second, this.#second);
  }
}

/** One domain being looked up, or waiting for its turn. */
export class Lookup implements SharedTurn, QuestionBudget {
  readonly holders: Holder[];
  questionsLeft = QUESTIONS_PER_LOOKUP_MAX;
  /** What it has asked so far. */
  readonly questions: { join(holder: Holder): void }[] = [];
  state: SharedTurn['state'] = 'idle';
  paidBy: Holder = '';
  begin: () => void = () => {};
  /** How long it waits for the zones of others (zone-turns.ts); null: it has not had to. */
  patientUntilMs: number | null = null;
  /** It waits for one. */
  isHeldBack = false;
  #turns: SharedTurns<Lookup>;
  readonly #secondTurns: SharedTurns<Lookup>;

  constructor(holder: Holder, turns: SharedTurns<Lookup>, secondTurns: SharedTurns<Lookup>) {
    this.holders = [holder];
    this.#turns = turns;
    this.#secondTurns = secondTurns;
  }

  /** Waits until one of its accounts has a turn. */
  turn(): Promise<void> {
    return new Promise((begin) => {
      this.begin = begin;
      this.#turns.ask(this);
    });
  }

  /** Another account needs the same, and need not wait for the turn of the first. */
  join(holder: Holder): void {
    if (this.holders.includes(holder)) return;
    this.#turns.join(this, holder);
    for (const question of this.questions) question.join(holder);
  }

  /** Its turn is another's while it waits for something that is no question of its own. */
  async stepAside<Result>(waits: Promise<Result>): Promise<Result> {
    this.end();
    const result = await waits;
    this.#turns = this.#secondTurns;
    await this.turn();
    return result;
  }

  end(): void {
    this.#turns.end(this);
  }
}
