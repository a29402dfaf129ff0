// What a listener to the callbacks of test lists is told.
import type { ShownCallback } from '../store/shown-callbacks.ts';

/** Who looks for the callbacks that are listened to on this node, whichever node sends them. */
export interface CallbackWatch {
  /** Each attempt of the account's callbacks after the one with the id `after`; ends when the signal is aborted. */
  sent(accountId: number, after: number, signal: AbortSignal): AsyncGenerator<ShownCallback>;
}
