import { expect, test } from 'vitest';
import { HostDial } from './host-dial.ts';

test('the wait is counted from the first connect without an answer', () => {
  const dial = new HostDial();
  expect(dial.waitedMs(50)).toBe(0);
  dial.began(100);
  dial.began(400);
  expect(dial.waitedMs(600)).toBe(500);
  dial.answered();
  expect(dial.waitedMs(700)).toBe(0);
});

test.each([
  ['ETIMEDOUT', true],
  ['ECONNREFUSED', false],
  [null, false],
])('a connect that ended with %s makes a last choice: %s', (error, isLast) => {
  const dial = new HostDial();
  dial.began(0);
  dial.failed(error, 15_000);
  expect(dial.waitedMs(15_000)).toBe(0);
  expect(dial.isLastChoice(15_000)).toBe(isLast);
  expect(dial.isLastChoice(15_000 + 10 * 60_000)).toBe(false);
});

test('a host that answers is no longer the last choice', () => {
  const dial = new HostDial();
  dial.failed('ETIMEDOUT', 0);
  dial.answered();
  expect(dial.isLastChoice(1)).toBe(false);
});
