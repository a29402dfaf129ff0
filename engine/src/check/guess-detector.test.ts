import { expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../policy/default-policy.ts';
import { parsePolicy } from '../policy/parse-policy.ts';
import { GuessDetector } from './guess-detector.ts';

function policy(unknownRecipients: number | null) {
  const parsed = parsePolicy({ everyone: { unknownRecipients } });
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
}

const named = (name: string) => ({ name, provider: 'other', facts: { mx: `mx.${name}` } });
const A = named('a.test');

/** At which recipient asking ends, of `count` whose every n-th is known; null: never. */
function endsAt(count: number, knownEvery: number, own = DEFAULT_POLICY): number | null {
  const guessing = new GuessDetector(own);
  for (let at = 1; at <= count; at += 1) if (guessing.note(1, A, at % knownEvery !== 0)) return at;
  return null;
}

test.each([
  ['every recipient is unknown', 5_000, 10_000, 500],
  ['one of twenty-five is known', 5_000, 25, 500],
  ['one of twenty is known: exactly 95 %', 5_000, 20, 500],
  ['one of ten is known', 5_000, 10, null],
  ['too few were asked', 499, 10_000, null],
])('%s', (_, count, knownEvery, at) => {
  expect(endsAt(count, knownEvery)).toBe(at);
});

test('a list that turns to guessing is found out later', () => {
  const guessing = new GuessDetector(DEFAULT_POLICY);
  let stoppedAt = 0;
  for (let at = 1; at <= 20_000 && stoppedAt === 0; at += 1)
    if (guessing.note(1, A, at > 300)) stoppedAt = at;
  expect(stoppedAt).toBe(6_000);
});

test('the policy may allow it', () => {
  expect(endsAt(5_000, 10_000, policy(null))).toBeNull();
  expect(endsAt(5_000, 10_000, policy(2_000))).toBe(2_000);
});

test('it ends for this list and this domain only', () => {
  const guessing = new GuessDetector(DEFAULT_POLICY);
  for (let at = 0; at < 500; at += 1) guessing.note(1, A, true);
  expect(guessing.stopped(1, 'a.test')).toMatchObject({ asked: 500, unknown: 500 });
  expect(guessing.stopped(2, 'a.test')).toBeNull();
  expect(guessing.stopped(1, 'b.test')).toBeNull();
});

test('of a hundred thousand domains those in use are remembered', () => {
  const guessing = new GuessDetector(DEFAULT_POLICY);
  let stopped = 0;
  for (let at = 0; at < 100_000; at += 1) {
    guessing.note(1, named(`d${at}.test`), true);
    if (at % 100 === 0 && guessing.note(1, A, true)) stopped += 1;
  }
  expect(stopped).toBe(1);
  expect(guessing.stopped(1, 'a.test')).not.toBeNull();
});
