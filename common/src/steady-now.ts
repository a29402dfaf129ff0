/** Read once: it costs as much as the clock itself. */
const ORIGIN_MS = performance.timeOrigin;

/**
 * Milliseconds since 1970: the wall clock when the process started, then a monotonic clock. A step of the wall clock must
 * neither end every wait at once nor prolong every pause.
 */
export function steadyNow(): number {
  return Math.floor(ORIGIN_MS + performance.now());
}
