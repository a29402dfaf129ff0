// Wilson's score interval of a share, with 95 %.

/** Of the normal distribution, 2.5 % are beyond. */
const Z = 1.959964;

export interface Interval {
  readonly low: number;
  readonly high: number;
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
