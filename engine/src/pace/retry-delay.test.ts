import { expect, test } from 'vitest';
import { DEFAULT_RETRY_SECONDS, retryDelayMs } from './retry-delay.ts';

test('the schedule grows from a minute to tens of minutes and then ends', () => {
  const delays = [1, 2, 3, 4, 5].map((attempts) => retryDelayMs(attempts, DEFAULT_RETRY_SECONDS, null));
  expect(delays).toEqual([60_000, 300_000, 900_000, 1_800_000, null]);
});

test('a delay the reply names is kept, with a margin and within bounds', () => {
  expect(retryDelayMs(1, [60], 300_000)).toBe(301_000);
  expect(retryDelayMs(1, [60], 1)).toBe(2_000);
  expect(retryDelayMs(1, [60], 10 ** 9)).toBe(7_201_000);
  expect(retryDelayMs(2, [60], 300_000)).toBeNull();
});
