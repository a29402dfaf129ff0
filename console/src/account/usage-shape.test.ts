import type { UsageDay } from '@mxproof/client';
import { expect, test } from 'vitest';
import { roundUp, usageShape } from './usage-shape.ts';

const day = (date: string, counts: Partial<UsageDay> = {}): UsageDay => ({
  date,
  charged: 0,
  refunded: 0,
  deliverable: 0,
  risky: 0,
  undeliverable: 0,
  unknown: 0,
  ...counts,
});

test.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 5],
  [5, 5],
  [6, 10],
  [100, 100],
  [101, 200],
  [4_999, 5_000],
  [99_999, 100_000],
])('the scale for %i ends at %i', (value, end) => {
  expect(roundUp(value)).toBe(end);
});

test('the busiest day is the first of the highest', () => {
  const shape = usageShape([
    day('2026-11-01', { charged: 3 }),
    day('2026-11-02', { charged: 7, refunded: 2 }),
    day('2026-11-03', { charged: 7 }),
  ]);
  expect(shape).toMatchObject({ charged: 17, refunded: 2, top: 10, bottom: 2 });
  expect(shape.busiest?.date).toBe('2026-11-02');
});

test('a day with results alone happened, one with nothing did not', () => {
  const shape = usageShape([day('2026-11-01', { risky: 1 }), day('2026-11-02')]);
  expect(shape.active.map(({ date }) => date)).toEqual(['2026-11-01']);
  expect(shape).toMatchObject({ busiest: null, top: 1, bottom: 0 });
});
