import { expect, test } from 'vitest';
import { ConnectionFailed } from '../errors.ts';
import { refusalOf } from '../refusals.ts';
import { backoffMs, mayRepeat, waitBeforeRetryMs } from './backoff.ts';

const refused = (status: number, headers: Record<string, string> = {}) =>
  refusalOf(status, new Headers(headers), '', 0);
const lost = new ConnectionFailed('lost');

test('waits double from half a second to eight, and any part of them may be waited', () => {
  expect([0, 1, 2, 3, 4, 5, 99].map((retry) => backoffMs(retry, () => 1))).toEqual([
    500, 1000, 2000, 4000, 8000, 8000, 8000,
  ]);
  expect(backoffMs(3, () => 0.25)).toBe(1000);
  expect(backoffMs(3, () => 0)).toBe(0);
});

test('no client comes back sooner than told, nor all at once', () => {
  expect(waitBeforeRetryMs(refused(429, { 'retry-after': '7' }), 0, () => 0)).toBe(7000);
  expect(waitBeforeRetryMs(refused(503, { 'retry-after': '7' }), 0, () => 1)).toBe(7500);
  expect(waitBeforeRetryMs(refused(429, { 'retry-after': '91' }), 0, () => 0)).toBeNull();
  expect(waitBeforeRetryMs(lost, 1, () => 0.5)).toBe(500);
});

test.each([
  [lost, true, false],
  [refused(408), true, true],
  [refused(429), true, true],
  [refused(500), true, false],
  [refused(502), true, false],
  [refused(503), true, false],
  [refused(400), false, false],
  [refused(401), false, false],
  [refused(402), false, false],
  [refused(404), false, false],
  [refused(409), false, false],
  [refused(422), false, false],
])('%s is repeated: %s; where that would be doing it twice: %s', (error, always, unlessDone) => {
  expect(mayRepeat(error, 'always')).toBe(always);
  expect(mayRepeat(error, 'unless_done')).toBe(unlessDone);
});
