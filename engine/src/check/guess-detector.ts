// Notices a list that guesses addresses: a domain that rejects almost all of its addresses as unknown. Promise: asking
// such a domain on this list's behalf ends after a fixed number of recipients, and only for this list; memory is bounded.
import { limitsFor, type Policy } from '../policy/policy.ts';

/** Lists' domains remembered; the one unused longest is forgotten first and counted afresh. */
const TALLIES_MAX = 10_000;
/** Of a hundred. A bought or old list has up to half unknown recipients; a dictionary has nearly all. */
const UNKNOWN_PERCENT = 95;

export interface Tally {
  asked: number;
  unknown: number;
  /** Recipients after which it is judged; null: never. */
  readonly judgedAfter: number | null;
  stopped: boolean;
}

interface GuessedDomain {
  readonly name: string;
  readonly provider: string;
  readonly facts: { readonly mx: string | null };
}

export class GuessDetector {
  readonly #policy: Policy;
  readonly #tallies = new Map<string, Tally>();
  /** Some list was found to guess. */
  isOn = false;
  /** A cache of one: answers come a flight at a time, nearly always for the same lot and domain. */
  #last: { readonly lot: number; readonly domain: string; readonly tally: Tally } | null = null;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** True once: for the recipient that crossed the limit. */
  note(lot: number, domain: GuessedDomain, isUnknown: boolean): boolean {
    const tally = this.#tallyOf(lot, domain);
    tally.asked += 1;
    if (isUnknown) tally.unknown += 1;
    if (tally.stopped || tally.judgedAfter === null || tally.asked < tally.judgedAfter) return false;
    tally.stopped = tally.unknown * 100 >= tally.asked * UNKNOWN_PERCENT;
    this.isOn ||= tally.stopped;
    return tally.stopped;
  }

  /** The counts with which asking ended; null: it goes on. */
  stopped(lot: number, domain: string): Tally | null {
    const tally = this.#tallies.get(keyOf(lot, domain));
    return tally?.stopped === true ? tally : null;
  }

  #tallyOf(lot: number, { name, facts, provider }: GuessedDomain): Tally {
    const last = this.#last;
    if (last !== null && last.lot === lot && last.domain === name) return last.tally;
    const key = keyOf(lot, name);
    let tally = this.#tallies.get(key);
    if (tally === undefined) {
      const { unknownRecipients } = limitsFor(this.#policy, facts.mx ?? name, provider);
      tally = { asked: 0, unknown: 0, judgedAfter: unknownRecipients, stopped: false };
      const [oldest] = this.#tallies.size >= TALLIES_MAX ? this.#tallies.keys() : [];
      if (oldest !== undefined) this.#tallies.delete(oldest);
    } else this.#tallies.delete(key);
    this.#tallies.set(key, tally);
    this.#last = { lot, domain: name, tally };
    return tally;
  }
}

function keyOf(lot: number, domain: string): string {
  return `${lot} ${domain}`;
}
