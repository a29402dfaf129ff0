// Whether a DNS answer about a domain may lead to a verdict. Promise: each waiting callback is called once it is known.
//
//   waiting ──the server denied a made-up name afterwards──▶ kept
//      └──────it invented an answer────────────────────────▶ broken

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
