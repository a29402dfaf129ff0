import { expect, test } from 'vitest';
import { Breaker } from './breaker.ts';

const MINUTE_MS = 60_000;
const ENOUGH = true;

/** Minutes that each rest lasts, one trial after the other refused. */
function restsMinutes(count: number): number[] {
  const breaker = new Breaker();
  let nowMs = 0;
  return Array.from({ length: count }, () => {
    breaker.began(nowMs);
    breaker.refused(ENOUGH, nowMs);
    const minutes = (breaker.untilMs - nowMs) / MINUTE_MS;
    nowMs = breaker.untilMs;
    return minutes;
  });
}

test('each rest is twice as long as the one before, up to four hours', () => {
  expect(restsMinutes(7)).toEqual([15, 30, 60, 120, 240, 240, 240]);
});

test('too few refusals are counted and begin no rest', () => {
  const breaker = new Breaker();
  expect(breaker.refused(false, 0)).toBe(false);
  expect([breaker.refusals, breaker.keepsOut(1), breaker.hasRested]).toEqual([1, false, false]);
});

test('refusals of what was asked before make a rest no longer', () => {
  const breaker = new Breaker();
  breaker.refused(ENOUGH, 0);
  expect(breaker.refused(ENOUGH, 1)).toBe(false);
  expect(breaker.untilMs).toBe(15 * MINUTE_MS);
});

test('after a rest one session tries, alone; another only when that was not heard of for a while', () => {
  const breaker = new Breaker();
  breaker.refused(ENOUGH, 0);
  const overMs = breaker.untilMs;
  expect([breaker.keepsOut(overMs - 1), breaker.keepsOut(overMs)]).toEqual([true, false]);
  breaker.began(overMs);
  expect([breaker.keepsOut(overMs + 1), breaker.isResting(overMs + 1)]).toEqual([true, false]);
  expect(breaker.keepsOut(overMs + 2 * MINUTE_MS)).toBe(false);
});

test('whoever tries and is refused begins the next rest, by one refusal of any kind', () => {
  const breaker = new Breaker();
  breaker.refused(ENOUGH, 0);
  const overMs = breaker.untilMs;
  breaker.began(overMs);
  expect(breaker.refused(false, overMs + 1)).toBe(true);
  expect(breaker.isResting(overMs + 2)).toBe(true);
});
