import { expect, test } from 'vitest';
import { Guessing } from './guessing.ts';

const usual = () => ({ unknownRecipients: 500 });

/** At which recipient asking ends, of `count` whose every n-th is known; null: never. */
function endsAt(
  count: number,
  knownEvery: number,
  limits: () => { unknownRecipients: number | null } = usual,
) {
  const guessing = new Guessing();
  for (let at = 1; at <= count; at += 1)
    if (guessing.note(1, 'a.test', at % knownEvery !== 0, limits)) return at;
  return null;
}

test.each([
  ['nobody is known', 5_000, 10_000, 500],
  ['one of twenty-five is known', 5_000, 25, 500],
  ['one of twenty is known: exactly 95 %', 5_000, 20, 500],
  ['one of ten is known', 5_000, 10, null],
  ['too few were asked', 499, 10_000, null],
])('%s', (_, count, knownEvery, at) => {
  expect(endsAt(count, knownEvery)).toBe(at);
});

test('a list that turns to guessing is found out later', () => {
  const guessing = new Guessing();
  let stoppedAt = 0;
  for (let at = 1; at <= 20_000 && stoppedAt === 0; at += 1)
    if (guessing.note(1, 'a.test', at > 300, usual)) stoppedAt = at;
  expect(stoppedAt).toBe(6_000);
});

test('the policy may allow it', () => {
  expect(endsAt(5_000, 10_000, () => ({ unknownRecipients: null }))).toBeNull();
  expect(endsAt(5_000, 10_000, () => ({ unknownRecipients: 2_000 }))).toBe(2_000);
});

test('it ends for this list and this domain only', () => {
  const guessing = new Guessing();
  for (let at = 0; at < 500; at += 1) guessing.note(1, 'a.test', true, usual);
  expect(guessing.stopped(1, 'a.test')).toMatchObject({ asked: 500, unknown: 500 });
  expect(guessing.stopped(2, 'a.test')).toBeNull();
  expect(guessing.stopped(1, 'b.test')).toBeNull();
});

test('a hundred thousand domains are not all remembered, those in use are', () => {
  const guessing = new Guessing();
  let stopped = 0;
  for (let at = 0; at < 100_000; at += 1) {
    guessing.note(1, `d${at}.test`, true, usual);
    if (at % 100 === 0 && guessing.note(1, 'a.test', true, usual)) stopped += 1;
  }
  expect(stopped).toBe(1);
  expect(guessing.stopped(1, 'a.test')).not.toBeNull();
});
