// Whether what DNS said of a domain may lead to a verdict. Promise: whoever waits is called once it is known.
//
//   waiting ──the server denied a made-up name afterwards──▶ kept
//      └──────it made up an answer─────────────────────────▶ broken

export class Trust {
  state: 'waiting' | 'kept' | 'broken' = 'waiting';
  readonly #waiting: (() => void)[] = [];

  /** Only while it is not known yet. */
  wait(then: () => void): void {
    this.#waiting.push(then);
  }

  settle(state: 'kept' | 'broken'): void {
    this.state = state;
    for (const then of this.#waiting.splice(0)) then();
  }
}
