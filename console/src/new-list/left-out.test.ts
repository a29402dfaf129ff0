import { expect, test } from 'vitest';
import { leftOutIn, rangeSending, sentIn } from './left-out.ts';

const LEFT_OUT = [0, 3, 4, 9];

test('a range sends what is not left out of it', () => {
  expect(leftOutIn(LEFT_OUT, { from: 3, count: 6 })).toEqual([3, 4]);
  expect(sentIn(LEFT_OUT, { from: 3, count: 6 })).toBe(4);
  expect(sentIn([], { from: 3, count: 6 })).toBe(6);
});

test.each([
  [0, 1, 2],
  [0, 2, 3],
  // The next one is left out, and so is the one behind it.
  [0, 3, 6],
  [3, 1, 3],
  [5, 4, 4],
  [5, 5, 6],
])('from %i on, %i are sent by the next %i', (from, sent, count) => {
  const range = rangeSending(LEFT_OUT, from, sent);
  expect(range).toEqual({ from, count });
  expect(sentIn(LEFT_OUT, range)).toBe(sent);
});
