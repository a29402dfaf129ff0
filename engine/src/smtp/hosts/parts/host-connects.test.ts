import { expect, test } from 'vitest';
import { HostConnects } from './host-connects.ts';

test('the wait is counted from the first connect without an answer', () => {
  const connects = new HostConnects();
  expect(connects.waitedMs(50)).toBe(0);
  connects.began(100);
  connects.began(400);
  expect(connects.waitedMs(600)).toBe(500);
  connects.answered();
  expect(connects.waitedMs(700)).toBe(0);
});

test.each([
  ['ETIMEDOUT', true],
  ['ECONNREFUSED', false],
  [null, false],
])('a connect that ended with %s makes a last choice: %s', (error, isLast) => {
  const connects = new HostConnects();
  connects.began(0);
  connects.failed(error, 15_000);
  expect(connects.waitedMs(15_000)).toBe(0);
  expect(connects.isLastChoice(15_000)).toBe(isLast);
  expect(connects.isLastChoice(15_000 + 10 * 60_000)).toBe(false);
});

test('a host that answers is no longer the last choice', () => {
  const connects = new HostConnects();
  connects.failed('ETIMEDOUT', 0);
  connects.answered();
  expect(connects.isLastChoice(1)).toBe(false);
});
