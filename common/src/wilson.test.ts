import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MIN_OUTCOMES, shareOf } from './wilson.ts';

/** Computed by hand from Wilson's formula, with z = 1.96. */
test.each([
  [31, 12_480, 0.0025, 0.0018, 0.0035],
  [0, 100, 0, 0, 0.037],
  [10, 100, 0.1, 0.0552, 0.1744],
  [50, 50, 1, 0.92865, 1],
])('%i of %i', (count, of, rate, low, high) => {
  const share = shareOf(count, of);
  expect(share.rate).toBeCloseTo(rate, 4);
  expect(share.low).toBeCloseTo(low, 4);
  expect(share.high).toBeCloseTo(high, 4);
});

test('below thirty nothing is claimed', () => {
  expect(shareOf(1, MIN_OUTCOMES - 1)).toEqual({ count: 1, of: 29, rate: null, low: null, high: null });
});

test('an interval is within 0 and 1 and holds the share; of more outcomes it is narrower', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: MIN_OUTCOMES, max: 1e6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (of, part) => {
        const count = Math.round(of * part);
        const { low, high, rate } = shareOf(count, of);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(rate!);
        expect(high).toBeGreaterThanOrEqual(rate!);
        const more = shareOf(count * 4, of * 4);
        expect(more.high! - more.low!).toBeLessThan(high! - low!);
      },
    ),
  );
});
