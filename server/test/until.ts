// Waits for a condition in tests: as long as it takes, with a bound that only a defect reaches.
import { setTimeout as sleep } from 'node:timers/promises';

const LIMIT_MS = 120_000;
const POLL_MS = 20;

/** Calls `what` until it neither throws nor returns false; after the limit, throws what it last threw. */
export async function until<T>(what: () => T | Promise<T>, limitMs = LIMIT_MS): Promise<T> {
  const deadlineMs = performance.now() + limitMs;
  for (;;) {
    let failure: unknown;
    try {
      const answered = await what();
      if (answered !== false) return answered;
      failure = new Error(`still false after ${limitMs} ms: ${what}`);
    } catch (error) {
      failure = error;
    }
    if (performance.now() > deadlineMs) throw failure;
    await sleep(POLL_MS);
  }
}
