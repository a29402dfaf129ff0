// Notices a list that guesses addresses: a domain that knows almost nobody in it. Promise: asking such a domain on this
// list's behalf ends after a fixed number of recipients, and only for this list; memory is bounded.
import type { Limits } from '../pace/pace.ts';

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

export class Guessing {
  readonly #tallies = new Map<string, Tally>();
  /** Answers come a flight at a time, so that the last one is nearly always the next one. */
  #lastKey: { readonly lot: number; readonly domain: string; readonly tally: Tally } | null = null;

  /** Answers true at the one recipient with which it became clear. */
  note(
    lot: number,
    domain: string,
    isUnknown: boolean,
    limits: () => Pick<Limits, 'unknownRecipients'>,
  ): boolean {
    const tally = this.#tallyOf(lot, domain, limits);
    tally.asked += 1;
    if (isUnknown) tally.unknown += 1;
    if (tally.stopped || tally.judgedAfter === null || tally.asked < tally.judgedAfter) return false;
    tally.stopped = tally.unknown * 100 >= tally.asked * UNKNOWN_PERCENT;
    return tally.stopped;
  }

  /** What was seen where asking has ended, else null. */
  stopped(lot: number, domain: string): Tally | null {
    if (this.#tallies.size === 0) return null;
    const tally = this.#tallies.get(keyOf(lot, domain));
    return tally?.stopped === true ? tally : null;
  }

  #tallyOf(lot: number, domain: string, limits: () => Pick<Limits, 'unknownRecipients'>): Tally {
    const last = this.#lastKey;
    if (last !== null && last.lot === lot && last.domain === domain) return last.tally;
    const key = keyOf(lot, domain);
    let tally = this.#tallies.get(key);
    if (tally === undefined) {
      tally = { asked: 0, unknown: 0, judgedAfter: limits().unknownRecipients, stopped: false };
      const [oldest] = this.#tallies.size >= TALLIES_MAX ? this.#tallies.keys() : [];
      if (oldest !== undefined) this.#tallies.delete(oldest);
    } else this.#tallies.delete(key);
    this.#tallies.set(key, tally);
    this.#lastKey = { lot, domain, tally };
    return tally;
  }
}

function keyOf(lot: number, domain: string): string {
  return `${lot} ${domain}`;
}
