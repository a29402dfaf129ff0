// When a key that is made now expires.
export const EXPIRIES = ['never', 'days30', 'days90', 'days365', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAY_SECONDS = 86_400;
const DAYS = { days30: 30, days90: 90, days365: 365 } as const;

/**
 * @param lastDay `2026-11-15`, in the reader's own time zone, the whole day included
 * @returns Unix seconds; null: never; `past`: the day is over, or is none
 */
export function expiresAt(expiry: Expiry, lastDay: string, nowMs: number): number | null | 'past' {
  switch (expiry) {
    case 'never':
      return null;
    case 'days30':
    case 'days90':
    case 'days365':
      return Math.floor(nowMs / 1000) + DAYS[expiry] * DAY_SECONDS;
    case 'date': {
      const [year, month, day] = lastDay.split('-').map(Number);
      const endMs = new Date(year ?? Number.NaN, (month ?? 0) - 1, (day ?? 0) + 1).getTime();
      return endMs > nowMs ? endMs / 1000 : 'past';
    }
    default:
      return expiry satisfies never;
  }
}

/** For the field's lower bound: today, in the reader's own time zone. */
export function localDay(nowMs: number): string {
  const now = new Date(nowMs);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
