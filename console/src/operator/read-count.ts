// A whole number above 0, as people type it.

/** Nothing: null; not a whole number above 0: wrong. */
export function readCount(typed: string): number | null | 'wrong' {
  const digits = typed.replace(/\s/g, '');
  if (digits === '') return null;
  const count = Number(digits);
  return /^\d+$/.test(digits) && Number.isSafeInteger(count) && count > 0 ? count : 'wrong';
}
