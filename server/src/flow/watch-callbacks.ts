// What a client that listens to the callbacks of test lists receives.
import type { ShownCallback } from '../store/shown-callbacks.ts';

/** Finds the callbacks that clients of this node listen to, whichever node sends them. */
export interface CallbackWatch {
  /** Each attempt of the account's callbacks after the one with the id `after`; ends when the signal is aborted. */
  sent(accountId: number, after: number, signal: AbortSignal): AsyncGenerator<ShownCallback>;
}
