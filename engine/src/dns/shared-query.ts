// A query shared by many callers. Promise: a caller gets the result of a round that began after it came; one round at a
// time, with a minimum interval between rounds, and none while no caller waits.
//
//   idle ──a caller comes──▶ (pause until the next round may begin) ──▶ asking ──▶ callers that came before it are told
//    ▲                      ▲                                                          │
//    └──────────────────────┴─ others have come meanwhile ◀────────────────────────────┘
import type { Clock } from '../types.ts';

type ResultHandler<Result> = (result: Result) => void;

interface SharedQueryOptions<Result> {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly ask: (key: string) => Promise<Result>;
  /** Whether this result will do for callers without a key. */
  readonly serves: (result: Result) => boolean;
  /** The result for callers that still wait when it closes. */
  readonly closed: Result;
}

export class SharedQuery<Result> {
  readonly #options: SharedQueryOptions<Result>;
  /** By key, in the order in which the keys came; `` is served by any key's round. */
  readonly #waiting = new Map<string, ResultHandler<Result>[]>();
  #begunAtMs = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  #timer: unknown = null;
  #isClosed = false;

  constructor(options: SharedQueryOptions<Result>) {
    this.#options = options;
  }

  next(key = ''): Promise<Result> {
    if (this.#isClosed) return Promise.resolve(this.#options.closed);
    return new Promise((tell) => {
      this.#wait(key, [tell]);
      this.#begin();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#options.clock.clearTimeout(this.#timer);
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const tell of all) tell(this.#options.closed);
  }

  #wait(key: string, who: ResultHandler<Result>[]): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, who);
    else for (const tell of who) waiting.push(tell);
  }

  #begin(): void {
    if (this.#isAsking || this.#timer !== null || this.#waiting.size === 0) return;
    const { clock, everyMs } = this.#options;
    const pauseMs = this.#begunAtMs + everyMs - clock.now();
    // A clock that was set back must not prolong the pause.
    if (pauseMs > 0 && pauseMs <= everyMs) {
      this.#timer = clock.setTimeout(() => {
        this.#timer = null;
        this.#round();
      }, pauseMs);
    } else this.#round();
  }

  #round(): void {
    const [key] = this.#waiting.keys();
    if (key === undefined) return;
    const own = this.#take(key);
    const others = this.#take('');
    this.#isAsking = true;
    this.#begunAtMs = this.#options.clock.now();
    const told = (result: Result) => {
      this.#isAsking = false;
      for (const tell of own) tell(result);
      if (this.#isClosed || this.#options.serves(result)) for (const tell of others) tell(result);
      else if (others.length > 0) this.#wait('', others);
      this.#begin();
    };
    this.#options.ask(key).then(told, () => told(this.#options.closed));
  }

  #take(key: string): ResultHandler<Result>[] {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    return waiting;
  }
}
