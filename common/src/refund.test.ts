import { expect, test } from 'vitest';
import { refundOf } from './refund.ts';

test.each([
  ['every address has a verdict', 100, 100, 0, 0],
  ['some stayed unknown', 100, 100, 5, 5],
  ['it ended before all were checked', 100, 60, 3, 43],
  ['nothing was checked', 100, 0, 0, 100],
])('of a list where %s', (_, total, checked, unknown, refund) => {
  expect(refundOf({ total, checked, counts: { unknown } })).toBe(refund);
});
