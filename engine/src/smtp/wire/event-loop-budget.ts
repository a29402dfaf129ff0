// Schedules received bytes on the event loop. Promise: reading takes a bounded part of each turn of the loop, a small one
// while a single check is in progress, which needs many turns; a session that carries a single check goes first, then
// those with the largest backlog; every wait is bounded, and the bytes of one session stay in order.
//
//   heard ──first of its turn──▶ looked at now
//     └────────▶ waits ──next turn──▶ looked at while the turn has room, most behind it first
//                  └──while way is made, after a rest──▲

import { invariant } from '@mxproof/common/invariant';
import type { WireEvents } from '../../ports.ts';

/** Of one turn, while no single check is in progress: short, so that replies wait less for each other (ADR 0021). */
const TURN_MS = 4;
/**
 * While a single check is in progress, which needs about fifteen turns; and a rest between two turns, since the database
 * needs the processors as well (ADR 0021).
 */
const HURRIED_TURN_MS = 2;
const REST_MS = 4;
/** For one single check; after that it waits for its mail server, not for us. */
const WAY_MAX_MS = 250;

/** After this long a piece is read, whatever the backlog of other sessions. */
const PATIENCE_MS = 100;

/** What may wait for its turn; a flight's replies are far below it. */
const UNHEARD_MAX_BYTES = 256 * 1024;

/** A receiver of bytes: one session. */
export interface Listener {
  /** A single check waits for it. */
  readonly urgent: boolean;
  /** Recipients queued behind it: the longest queue decides when a list ends. */
  readonly backlog: number;
  /** Received and not read yet, in pieces. */
  unheard: number;
  /** The backlog when the first of these pieces came: the same for all of them, or a piece could overtake an older one. */
  waitsWith: number;
}

export interface LoopBudget {
  /** Whether a piece may be read now; if not, it goes into `later`. */
  now(listener: Listener): boolean;
  later(listener: Listener, look: () => void): void;
  /** Lists yield until the returned function is called, or for a quarter of a second. */
  makeWay(): () => void;
  readonly isMakingWay: boolean;
}

export interface TextEvents extends Omit<WireEvents, 'data'> {
  /** Latin-1: one character a byte, whatever they mean. */
  data(text: string): void;
  tooMuch(): void;
}

/** Hands received bytes to the session when it is its turn. */
export class ScheduledEvents implements WireEvents {
  readonly #loopBudget: LoopBudget;
  readonly #listener: Listener;
  readonly #events: TextEvents;
  #unheardBytes = 0;

  constructor(loopBudget: LoopBudget, listener: Listener, events: TextEvents) {
    this.#loopBudget = loopBudget;
    this.#listener = listener;
    this.#events = events;
  }

  connected(): void {
    if (this.#loopBudget.now(this.#listener)) this.#events.connected();
    else this.#loopBudget.later(this.#listener, () => this.#events.connected());
  }

  data(chunk: Uint8Array): void {
    // Read out now: the wire reads on into the same buffer.
    const bytes = Buffer.isBuffer(chunk)
      ? chunk
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const text = bytes.toString('latin1');
    if (this.#loopBudget.now(this.#listener)) this.#events.data(text);
    else if (this.#unheardBytes + text.length > UNHEARD_MAX_BYTES) this.#events.tooMuch();
    else {
      this.#unheardBytes += text.length;
      this.#loopBudget.later(this.#listener, () => {
        this.#unheardBytes -= text.length;
        this.#events.data(text);
      });
    }
  }

  secured(): void {
    if (this.#loopBudget.now(this.#listener)) this.#events.secured();
    else this.#loopBudget.later(this.#listener, () => this.#events.secured());
  }

  closed(error: string | null): void {
    if (this.#loopBudget.now(this.#listener)) this.#events.closed(error);
    else this.#loopBudget.later(this.#listener, () => this.#events.closed(error));
  }
}

/** For worlds in memory, which have a simulated clock and the thread to themselves. */
export const AT_ONCE: LoopBudget = {
  now: () => true,
  later: (_, look) => look(),
  makeWay: () => () => {},
  isMakingWay: false,
};

export interface EventLoop {
  nowMs(): number;
  onNextTurn(run: () => void): void;
  after(ms: number, run: () => void): void;
}

const EVENT_LOOP: EventLoop = {
  nowMs: () => performance.now(),
  onNextTurn: setImmediate,
  after: (ms, run) => setTimeout(run, ms),
};

interface WaitingPiece {
  readonly listener: Listener;
  readonly look: () => void;
  readonly sinceMs: number;
}

/**
 * Sessions with at least half the largest backlog first, unless a piece has waited too long. In two passes: sorting a
 * thousand of them every few milliseconds would cost as much as it saves. The pieces of one session stay in order.
 */
function inOrder(waiting: readonly WaitingPiece[], nowMs: number): WaitingPiece[] {
  let most = 0;
  for (const { listener } of waiting) most = Math.max(most, listener.waitsWith);
  const first: WaitingPiece[] = [];
  const rest: WaitingPiece[] = [];
  for (const one of waiting) {
    const comesFirst = one.listener.waitsWith * 2 >= most || nowMs - one.sinceMs > PATIENCE_MS;
    (comesFirst ? first : rest).push(one);
  }
  return rest.length === 0 ? first : first.concat(rest);
}

export function createLoopBudget({ nowMs, onNextTurn, after }: EventLoop = EVENT_LOOP): LoopBudget {
  let waiting: WaitingPiece[] = [];
  /** When this turn's first piece was read; 0: none was. */
  let sinceMs = 0;
  /** Until when lists yield to each single check in progress. */
  const ways = new Map<object, number>();

  function isMakingWay(): boolean {
    for (const [way, untilMs] of ways) if (untilMs <= nowMs()) ways.delete(way);
    return ways.size > 0;
  }

  function nextTurn(): void {
    if (isMakingWay()) after(REST_MS, turn);
    else onNextTurn(turn);
  }

  function hasRoom(): boolean {
    return nowMs() - sinceMs < (ways.size > 0 ? HURRIED_TURN_MS : TURN_MS);
  }

  function turn(): void {
    sinceMs = nowMs();
    let next = 0;
    waiting = inOrder(waiting, sinceMs);
    try {
      for (const { listener, look } of waiting) {
        next += 1;
        listener.unheard -= 1;
        invariant(listener.unheard >= 0, 'a session has heard more than was said');
        look();
        if (!hasRoom()) break;
      }
    } finally {
      // Also after one of them has thrown: the others must still be read, their `closed` above all.
      waiting = waiting.slice(next);
      if (waiting.length > 0) nextTurn();
      else sinceMs = 0;
    }
  }

  return {
    now(listener) {
      if (listener.unheard > 0) return false;
      if (listener.urgent) return true;
      if (sinceMs > 0) return false;
      sinceMs = nowMs();
      nextTurn();
      return true;
    },
    later(listener, look) {
      if (listener.unheard === 0) listener.waitsWith = listener.backlog;
      listener.unheard += 1;
      waiting.push({ listener, look, sinceMs: nowMs() });
    },
    get isMakingWay() {
      return isMakingWay();
    },
    makeWay() {
      const way = {};
      ways.set(way, nowMs() + WAY_MAX_MS);
      return () => ways.delete(way);
    },
  };
}
