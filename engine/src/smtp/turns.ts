// Whose turn it is on the one thread. Promise: what sessions hear takes a few milliseconds of each turn of the event
// loop and no more, so that whoever needs many turns (a request, a statement, a single check) is not kept waiting by
// lists, however long they are; a session that carries a single check goes first; what one session hears stays in order.
//
//   heard ──turn has room, nobody waits──▶ looked at now
//     └──────────────▶ waits ──next turn──▶ looked at, oldest first, while the turn has room

/** Of one turn: a single check needs about fifteen of them, and may be held up by a tenth of a second in all. */
const TURN_MS = 2;

/** Something that hears: one session. */
export interface Listener {
  /** A single check waits for it. */
  readonly urgent: boolean;
  /** What it has heard and not looked at yet. */
  unheard: number;
}

export interface Turns {
  /** Whether this may be looked at now; if not, it goes into `later`. */
  now(listener: Listener): boolean;
  later(listener: Listener, look: () => void): void;
}

/** For worlds in memory, which have a clock of their own and nobody else on the thread. */
export const AT_ONCE: Turns = {
  now: () => true,
  later: (_, look) => look(),
};

export function takeTurns(
  nowMs: () => number = () => performance.now(),
  nextTurn: (run: () => void) => void = setImmediate,
): Turns {
  let waiting: { readonly listener: Listener; readonly look: () => void }[] = [];
  /** When this turn's first was looked at; 0: nobody was. */
  let sinceMs = 0;

  function turn(): void {
    sinceMs = nowMs();
    let next = 0;
    for (const { listener, look } of waiting) {
      next += 1;
      listener.unheard -= 1;
      look();
      if (nowMs() - sinceMs >= TURN_MS) break;
    }
    // Behind them, if meanwhile somebody came.
    waiting = next === waiting.length ? [] : waiting.slice(next);
    if (waiting.length > 0) nextTurn(turn);
    else sinceMs = 0;
  }

  return {
    now(listener) {
      if (listener.unheard > 0) return false;
      if (listener.urgent) return true;
      if (waiting.length > 0) return false;
      if (sinceMs > 0) return nowMs() - sinceMs < TURN_MS;
      sinceMs = nowMs();
      nextTurn(turn);
      return true;
    },
    later(listener, look) {
      listener.unheard += 1;
      waiting.push({ listener, look });
    },
  };
}
