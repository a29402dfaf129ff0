// How many addresses may be between a source and its reader. Promise: a source that waits for room resumes once half of
// the window is free, or when it is opened for good.
import { invariant } from '@mxproof/common/invariant';

const WINDOW = 50_000;
/** Reading goes on when so few are left: addresses that come in a trickle open sessions for a handful each. */
const REFILL_BELOW = 25_000;

export class ReadAheadWindow {
  /** Read and neither handed out nor given up. */
  size = 0;
  #isOpen = false;
  #resume: () => void = () => {};

  get isFull(): boolean {
    return this.size >= WINDOW;
  }

  enter(): void {
    this.size += 1;
  }

  leave(count: number): void {
    this.size -= count;
    invariant(this.size >= 0, 'a window holds fewer than no addresses');
    if (this.size < REFILL_BELOW) this.#resume();
  }

  room(): Promise<void> {
    if (this.#isOpen || this.size < REFILL_BELOW) return Promise.resolve();
    return new Promise((resume) => {
      this.#resume = resume;
    });
  }

  /** No more is read: a source that waits for room is released. */
  open(): void {
    this.#isOpen = true;
    this.#resume();
  }
}
