import { expect, test } from 'vitest';
import { ASSUMPTIONS, capacity } from './capacity.ts';

test('everything but whole machines grows in step with the addresses', () => {
  const one = capacity(1_000_000);
  const ten = capacity(10_000_000);
  expect(ten.peakPerSecond).toBeCloseTo(one.peakPerSecond * 10);
  expect(ten.walGigabytesPerDay).toBeCloseTo(one.walGigabytesPerDay * 10);
  expect(one.nodes).toBe(1);
});

test('the first thing to run out at ten million a day is source addresses, not machines', () => {
  const need = capacity(10_000_000);
  expect(need.sources).toBeGreaterThan(1);
  expect(need.nodes).toBe(1);
});

test('a day of steady work by one core is what it is measured to do', () => {
  const steady = { ...ASSUMPTIONS, peakFactor: 1 };
  expect(capacity(ASSUMPTIONS.perCore * 86_400, steady).cores).toBeCloseTo(1);
});
