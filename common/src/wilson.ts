// How far a share that was counted may be from the true one: Wilson's score interval (1927), with 95 %. Pure.

/** Below so many nothing is claimed. */
export const MIN_OUTCOMES = 30;
/** Of the normal distribution: 95 % lie within. */
const Z = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface Share {
  readonly count: number;
  readonly of: number;
  /** Null below MIN_OUTCOMES, as its bounds. */
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** `hits` of `n`, which need not be whole numbers; `n` is above 0. Both ends are within 0 and 1, with hits/n between them. */
export function wilson(hits: number, n: number): Interval {
  const share = hits / n;
  const middle = share + Z ** 2 / (2 * n);
  const reach = Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2));
  const whole = 1 + Z ** 2 / n;
  return {
    // At the ends, rounding must not lead beyond them.
    low: hits === 0 ? 0 : Math.max(0, Math.min(share, (middle - reach) / whole)),
    high: hits === n ? 1 : Math.min(1, Math.max(share, (middle + reach) / whole)),
  };
}

export function shareOf(count: number, of: number): Share {
  if (of < MIN_OUTCOMES) return { count, of, rate: null, low: null, high: null };
  return { count, of, rate: count / of, ...wilson(count, of) };
}
