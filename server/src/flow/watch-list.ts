// What a client that follows a list receives, and the list's progress as a number.
import type { List } from '../rules/list.ts';

/** Reads the lists that clients of this node follow, whichever node works on them. */
export interface ListWatch {
  /**
   * The list whenever it is another than `known`, then whenever it has changed; a reader that is not back in time for a
   * change gets the next. Ends after the list's end, when the list is gone, and when the signal is aborted.
   */
  changes(known: List, signal: AbortSignal): AsyncGenerator<List>;
}

/**
 * Only grows while the list is worked on, and is the same on every node: not begun 0, begun 1 and one more for each
 * checked address, one more again at the end.
 */
export function progressOf({ status, checked, finishedAtSeconds }: List): number {
  return checked + (status === 'processing' ? 0 : 1) + (finishedAtSeconds === null ? 0 : 1);
}
