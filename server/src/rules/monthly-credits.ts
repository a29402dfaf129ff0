// Monthly credits: which months are due, and what their grants are called. A month is its first day (UTC), such as `2026-12-01`.

/** Of an account in one go, after an outage of years. */
const MONTHS_AT_ONCE = 24;

/** Those from `from` on that have begun by `thisMonth`, itself included; the earliest first. */
export function monthsDue(from: string, thisMonth: string): string[] {
  const due: string[] = [];
  for (let month = from; month <= thisMonth && due.length < MONTHS_AT_ONCE; month = monthAfter(month))
    due.push(month);
  return due;
}

export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  // Months of Date count from 0: this one's number is the next one.
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
}

/** In the account's history. */
export const monthlyNote = (month: string) => `monthly credits ${month.slice(0, 7)}`;
