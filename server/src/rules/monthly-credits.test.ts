import { expect, test } from 'vitest';
import { monthAfter, monthlyNote, monthsDue } from './monthly-credits.ts';

test('months that have begun are due, the earliest first, and none that has not', () => {
  expect(monthsDue('2026-11-01', '2027-02-01')).toEqual([
    '2026-11-01',
    '2026-12-01',
    '2027-01-01',
    '2027-02-01',
  ]);
  expect(monthsDue('2026-11-01', '2026-11-01')).toEqual(['2026-11-01']);
  expect(monthsDue('2026-12-01', '2026-11-01')).toEqual([]);
  expect(monthsDue('2000-01-01', '2026-11-01')).toHaveLength(24);
});

test('a month follows the one before, over the end of a year', () => {
  expect(['2026-01-01', '2026-11-01', '2026-12-01', '2028-02-01'].map(monthAfter)).toEqual([
    '2026-02-01',
    '2026-12-01',
    '2027-01-01',
    '2028-03-01',
  ]);
});

test('a grant is called after its month', () => {
  expect(monthlyNote('2026-12-01')).toBe('monthly credits 2026-12');
});
