// How far a share that was counted may be from the true one. Pure.

/** Below so many nothing is claimed. */
export const MIN_OUTCOMES = 30;
/** Of the normal distribution: 95 % lie within. */
const Z = 1.959963984540054;

export interface Share {
  readonly count: number;
  readonly of: number;
  /** Null below MIN_OUTCOMES, as its bounds. */
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** With Wilson's interval (1927), which holds for small counts too, and for none. */
export function shareOf(count: number, of: number): Share {
  if (of < MIN_OUTCOMES) return { count, of, rate: null, low: null, high: null };
  const rate = count / of;
  const z2 = Z * Z;
  const middle = (rate + z2 / (2 * of)) / (1 + z2 / of);
  const half = (Z / (1 + z2 / of)) * Math.sqrt((rate * (1 - rate)) / of + z2 / (4 * of * of));
  return { count, of, rate, low: count === 0 ? 0 : middle - half, high: count === of ? 1 : middle + half };
}
