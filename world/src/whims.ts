// Hosts that refuse a recipient for reasons that are not the recipient's: by chance, by pace, by number, by order.
// Promise: which mailbox is asked about plays no part.
import type { Random } from './random.ts';
import type { Whim } from './spec.ts';

const MINUTE_MS = 60_000;

/** Where a recipient stands, counted from 1, and what its session has drawn. */
export interface Place {
  readonly inTransaction: number;
  readonly inSession: number;
  readonly luck: number;
}

export class Whims {
  readonly #whims: readonly Whim[];
  readonly #random: Random;
  /** Recipients so far. */
  #asked = 0;
  #minute = { startMs: 0, asked: 0 };
  #bucket = { filledAtMs: 0, left: Number.POSITIVE_INFINITY };

  constructor(whims: readonly Whim[], random: Random) {
    this.#whims = whims;
    this.#random = random;
  }

  /** To be asked once for each recipient. */
  refuse(place: Place, nowMs: number): boolean {
    this.#asked += 1;
    let refused = false;
    // Every one of them counts, whatever the others say.
    for (const whim of this.#whims) if (this.#strikes(whim, place, nowMs)) refused = true;
    return refused;
  }

  #strikes(whim: Whim, place: Place, nowMs: number): boolean {
    switch (whim.by) {
      case 'chance':
        return this.#random.chance(whim.share);
      case 'session':
        return place.luck < whim.share;
      case 'rate':
        return whim.steadily ? this.#isEmpty(whim.perMinute, nowMs) : this.#isOver(whim.perMinute, nowMs);
      case 'count':
        return this.#number(whim.of, place) >= whim.from;
      case 'order':
        return this.#number(whim.of, place) % whim.every === whim.rest;
      case 'first':
        return this.#number(whim.of, place) <= whim.recipients;
      default:
        return whim satisfies never;
    }
  }

  #number(of: 'transaction' | 'session' | 'host', { inTransaction, inSession }: Place): number {
    return of === 'host' ? this.#asked : of === 'session' ? inSession : inTransaction;
  }

  #isOver(perMinute: number, nowMs: number): boolean {
    if (nowMs - this.#minute.startMs >= MINUTE_MS) this.#minute = { startMs: nowMs, asked: 0 };
    this.#minute.asked += 1;
    return this.#minute.asked > perMinute;
  }

  #isEmpty(perMinute: number, nowMs: number): boolean {
    const { filledAtMs, left } = this.#bucket;
    const now = Math.min(perMinute, left + ((nowMs - filledAtMs) * perMinute) / MINUTE_MS);
    const isEmpty = now < 1;
    this.#bucket = { filledAtMs: nowMs, left: isEmpty ? now : now - 1 };
    return isEmpty;
  }
}
