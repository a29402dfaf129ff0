/**
 * Milliseconds since 1970 as the process began, and from then on by a clock that nobody steps: an hour forward must not
 * end every wait at once, an hour back must not prolong every pause.
 */
export function steadyNow(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}
