import { expect, test } from 'vitest';
import { paceOf } from './use-pace.ts';

test('the rest takes as long as what was seen lately says', () => {
  const samples = [
    { atMs: 0, checked: 100 },
    { atMs: 2_000, checked: 300 },
  ];
  expect(paceOf(samples, 1_300)).toEqual({ perSecond: 100, secondsLeft: 10 });
});

test('nothing is promised while nothing moves, or from too little', () => {
  expect(paceOf([], 10)).toBeNull();
  expect(
    paceOf(
      [
        { atMs: 0, checked: 1 },
        { atMs: 100, checked: 2 },
      ],
      10,
    ),
  ).toBeNull();
  expect(
    paceOf(
      [
        { atMs: 0, checked: 5 },
        { atMs: 4_000, checked: 5 },
      ],
      10,
    ),
  ).toBeNull();
  expect(
    paceOf(
      [
        { atMs: 0, checked: 5 },
        { atMs: 9_000, checked: 5 },
      ],
      10,
    ),
  ).toEqual({
    perSecond: 0,
    secondsLeft: null,
  });
});
