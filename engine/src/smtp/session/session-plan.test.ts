import { expect, test } from 'vitest';
import { DEFAULT_TIMEOUTS, withTimeouts } from './session-plan.ts';

test.each([
  [{}, DEFAULT_TIMEOUTS.secondTryMs],
  [{ quitMs: 1 }, 120_000],
  [{ bannerMs: 90_000 }, 180_000],
  [{ replyMs: 90_000, bannerMs: 10_000 }, 180_000],
  [{ replyMs: 90_000, secondTryMs: 100_000 }, 100_000],
])('with %j a second try has %i ms: twice the longer wait of a first, unless it is given', (given, secondTryMs) => {
  expect(withTimeouts(DEFAULT_TIMEOUTS, given)).toEqual({ ...DEFAULT_TIMEOUTS, ...given, secondTryMs });
});
