/** Read once: it costs as much as the clock itself. */
const ORIGIN_MS = performance.timeOrigin;

/**
 * Milliseconds since 1970 as the process began, and from then on by a clock that nobody steps: an hour forward must not
 * end every wait at once, an hour back must not prolong every pause.
 */
export function steadyNow(): number {
  return Math.floor(ORIGIN_MS + performance.now());
}
