import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeFromWindow, WINDOW_MS, type Window } from './rate-window.ts';

const EMPTY: Window = { times: [], counts: [] };
const ask = fc.record({
  /** After the one before. */
  laterMs: fc.oneof(fc.nat(500), fc.nat(20_000), fc.constant(WINDOW_MS), fc.nat(90_000)),
  amounts: fc.array(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: -5, max: -1 })), {
    minLength: 1,
    maxLength: 5,
  }),
});

/** What was granted, one entry a unit: the plainest log there is. */
function replay(limit: number, asks: readonly { laterMs: number; amounts: readonly number[] }[]) {
  let window = EMPTY;
  let nowMs = 1_700_000_000_000;
  const log: number[] = [];
  const seen: { nowMs: number; taken: ReturnType<typeof takeFromWindow>; log: number[] }[] = [];
  for (const { laterMs, amounts } of asks) {
    nowMs += laterMs;
    const taken = takeFromWindow(window, nowMs, limit, amounts);
    window = taken.window;
    for (const [index, amount] of amounts.entries()) {
      if (amount < 0) log.splice(Math.max(0, log.length + amount));
      else if (taken.granted[index]) log.push(...Array.from({ length: amount }, () => nowMs));
    }
    seen.push({ nowMs, taken, log: [...log] });
  }
  return seen;
}

test('in no 60 seconds is more granted than the limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(ask, { maxLength: 60 }), (limit, asks) => {
      for (const { nowMs, log } of replay(limit, asks))
        expect(log.filter((atMs) => atMs > nowMs - WINDOW_MS).length).toBeLessThanOrEqual(limit);
    }),
  );
});

test('no request that fits is refused, but for the slot that is just leaving', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(ask, { maxLength: 60 }), (limit, asks) => {
      const steps = replay(
        limit,
        asks.map(({ laterMs, amounts }) => ({ laterMs, amounts: [amounts[0]!] })),
      );
      for (const [index, { nowMs, taken }] of steps.entries()) {
        const amount = asks[index]!.amounts[0]!;
        if (taken.granted[0]) continue;
        const before = steps[index - 1]?.log ?? [];
        const counted = before.filter((atMs) => atMs > nowMs - WINDOW_MS - 400).length;
        expect(counted + amount).toBeGreaterThan(limit);
      }
    }),
  );
});

test('a request repeated after the time given is granted, if there were no others', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.array(ask, { minLength: 1, maxLength: 40 }),
      (limit, asks) => {
        for (const [index, { nowMs, taken }] of replay(limit, asks).entries()) {
          const largest = Math.max(0, ...asks[index]!.amounts.filter((_, place) => !taken.granted[place]));
          expect(taken.retryAfterMs).toBeLessThanOrEqual(WINDOW_MS);
          expect(taken.resetMs).toBeLessThanOrEqual(WINDOW_MS);
          if (largest === 0 || largest > limit) continue;
          const again = takeFromWindow(taken.window, nowMs + taken.retryAfterMs, limit, [largest]);
          expect(again.granted).toEqual([true]);
        }
      },
    ),
  );
});

test('what is given back can be taken again, and never more than was taken', () => {
  const nowMs = 1_700_000_000_000;
  const full = takeFromWindow(EMPTY, nowMs, 5, [3, 2, 1]);
  expect(full).toMatchObject({ granted: [true, true, false], remaining: 0 });
  const back = takeFromWindow(full.window, nowMs + 1_000, 5, [-2, 2, 1]);
  expect(back).toMatchObject({ granted: [true, true, false], remaining: 0 });
  expect(takeFromWindow(full.window, nowMs, 5, [-100]).remaining).toBe(5);
  expect(takeFromWindow(EMPTY, nowMs, 5, [-100, 6]).granted).toEqual([true, false]);
});

test.each([
  5_000, 3_600_000,
])('after a clock has stepped back by %i ms no request waits longer than a window', (stepMs) => {
  const nowMs = 1_700_000_000_000;
  const first = takeFromWindow(EMPTY, nowMs, 2, [1]);
  const backMs = nowMs - stepMs;
  const earlier = takeFromWindow(first.window, backMs, 2, [1, 1]);
  expect(earlier).toMatchObject({ granted: [true, false], retryAfterMs: WINDOW_MS });
  expect(takeFromWindow(earlier.window, backMs + 59_999, 2, [1]).granted).toEqual([false]);
  expect(takeFromWindow(earlier.window, backMs + 60_000, 2, [1]).granted).toEqual([true]);
});

test('an ask larger than the whole window never fits, and is told a full window', () => {
  expect(takeFromWindow(EMPTY, 1_700_000_000_000, 5, [6])).toMatchObject({
    granted: [false],
    retryAfterMs: WINDOW_MS,
    remaining: 5,
  });
});
