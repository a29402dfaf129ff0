import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIVE_MAX_MS, LIVE_MS, nextBalanceMs } from './live-balance.ts';

test('while the service answers, it is asked every five seconds', () => {
  expect(nextBalanceMs(1_000_000, null)).toBe(5_000);
});

test('while it does not, each wait is twice the one before, up to a minute', () => {
  let now = 0;
  const waits = Array.from({ length: 7 }, () => {
    now += nextBalanceMs(0, now === 0 ? null : now);
    return nextBalanceMs(0, now);
  });
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
});

test('it is never asked in a rush, nor forgotten, whatever the clocks say', () => {
  fc.assert(
    fc.property(fc.integer(), fc.option(fc.integer()), (knownAt, failedAt) => {
      const wait = nextBalanceMs(knownAt, failedAt);
      expect(wait).toBeGreaterThanOrEqual(LIVE_MS);
      expect(wait).toBeLessThanOrEqual(LIVE_MAX_MS);
    }),
  );
});
