// Items of several accounts in one loop: lists, erasures, duties.
// Promise: one that fails stops no other. It is logged once, rests for a while that grows with each failure, and is then tried
// alone. A database that does not answer is the loop's to wait for, and no item's fault.
import { steadyNow } from '@mxproof/common/steady-now';
import type { Logger } from 'pino';
import { isTooSlow, isUnavailable } from '../store/database.ts';

const FIRST_REST_MS = 1_000;
const MAX_REST_MS = 5 * 60_000;
/** The one that failed first is forgotten beyond: it is tried sooner, and logged again. */
const MAX_FAILING = 10_000;

export interface Isolation<Key> {
  /** Those whose rest is not over; a query for items leaves them out, so that the others have its room. */
  resting(): Key[];
  /** Nothing happens while the item rests. */
  run(key: Key, work: () => Promise<void>): Promise<void>;
  /** Together, as long as that goes well; otherwise each alone. `work` may be called again with an item it has done. */
  runAll(keys: readonly Key[], work: (keys: readonly Key[]) => Promise<void>): Promise<void>;
}

export function createIsolation<Key extends number | string>(options: {
  /** What the items are, for the log. */
  readonly name: string;
  readonly log: Logger;
  readonly now?: () => number;
}): Isolation<Key> {
  const { name, log, now = steadyNow } = options;
  const failing = new Map<Key, { readonly failures: number; readonly restsUntilMs: number }>();

  function noteFailure(key: Key, error: unknown): void {
    const failures = (failing.get(key)?.failures ?? 0) + 1;
    if (failures === 1)
      log.error({ loop: name, item: key, err: error }, 'failed, and will be tried again; the others go on');
    const restMs = Math.min(MAX_REST_MS, FIRST_REST_MS * 2 ** (failures - 1));
    failing.set(key, { failures, restsUntilMs: now() + restMs });
    if (failing.size > MAX_FAILING) failing.delete(failing.keys().next().value!);
  }

  const isResting = (key: Key) => now() < (failing.get(key)?.restsUntilMs ?? 0);

  async function run(key: Key, work: () => Promise<void>): Promise<void> {
    if (isResting(key)) return;
    try {
      await work();
    } catch (error) {
      // A statement that its limit has ended may be as slow for ever.
      if (isUnavailable(error) && !isTooSlow(error)) throw error;
      noteFailure(key, error);
      return;
    }
    if (failing.delete(key)) log.info({ loop: name, item: key }, 'recovered');
  }

  return {
    resting: () => [...failing.keys()].filter(isResting),
    run,
    async runAll(keys, work) {
      const together = keys.filter((key) => !failing.has(key));
      const alone = keys.filter((key) => failing.has(key));
      try {
        if (together.length > 0) await work(together);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        alone.push(...together);
      }
      for (const key of alone) await run(key, () => work([key]));
    },
  };
}
