// How long to wait before the next attempt, or whether there is none. Decides; waits for nothing.
import { ConnectionFailed, type MXProofError, Refusal } from '../errors.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** The service's windows last 60 seconds. Told to wait longer, we hand the refusal to the caller. */
const LONGEST_RETRY_AFTER_MS = 90_000;

/**
 * `always`: doing it twice is doing it once. `unless_done`: the service has no memory of the request, so only an answer
 * that says it did nothing is tried again.
 */
export type Repeat = 'always' | 'unless_done';

export function mayRepeat(error: MXProofError, repeat: Repeat): boolean {
  if (error instanceof ConnectionFailed) return repeat === 'always';
  if (!(error instanceof Refusal)) return false;
  if (error.status === 429 || error.status === 408) return true;
  return error.status >= 500 && repeat === 'always';
}

/** Without an answer, or with one that does not say how far the service came. */
export function mayHaveBeenDone(error: MXProofError): boolean {
  return error instanceof ConnectionFailed || (error instanceof Refusal && error.status >= 500);
}

/** Exponential with full jitter, so that clients refused at the same time do not retry at the same time. */
export function backoffMs(retry: number, random: () => number): number {
  return random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(retry, 16));
}

/** @returns null when the service asks for a longer wait than a call allows */
export function waitBeforeRetryMs(error: MXProofError, retry: number, random: () => number): number | null {
  const retryAfterMs = error instanceof Refusal && error.retryAfter !== null ? error.retryAfter * 1000 : 0;
  if (retryAfterMs > LONGEST_RETRY_AFTER_MS) return null;
  return retryAfterMs + backoffMs(retry, random);
}
