import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideCharge } from './charge-rule.ts';

test('more than 1,000 credits or a tenth of the balance is asked about, whichever is less', () => {
  expect(decideCharge(1_000, 1_000_000)).toBe('go');
  expect(decideCharge(1_001, 1_000_000)).toBe('ask');
  expect(decideCharge(100, 1_000)).toBe('go');
  expect(decideCharge(101, 1_000)).toBe('ask');
  expect(decideCharge(101, 1_019)).toBe('go');
  expect(decideCharge(1, 10)).toBe('go');
  expect(decideCharge(1, 9)).toBe('ask');
});

test('more than the balance does not begin; all of it is asked about; nothing is free to begin', () => {
  expect(decideCharge(101, 100)).toBe('short');
  expect(decideCharge(100, 100)).toBe('ask');
  expect(decideCharge(1, 0)).toBe('short');
  expect(decideCharge(0, 0)).toBe('go');
});

test('while the balance is not known, only 1,000 counts', () => {
  expect(decideCharge(1_000, null)).toBe('go');
  expect(decideCharge(1_001, null)).toBe('ask');
});

const credits = fc.integer({ min: 0, max: 10_000_000 });
const STRICTNESS = ['go', 'ask', 'short'] as const;
const strictness = (price: number, balance: number) => STRICTNESS.indexOf(decideCharge(price, balance));

test('what begins without a question is within every limit, and what is short is never begun', () => {
  fc.assert(
    fc.property(credits, credits, (price, balance) => {
      const decision = decideCharge(price, balance);
      expect(decision === 'go').toBe(price <= Math.min(1_000, balance / 10));
      expect(decision === 'short').toBe(price > balance);
    }),
  );
});

test('a higher price is never treated more lightly, nor is a lower balance', () => {
  fc.assert(
    fc.property(credits, credits, credits, credits, (price, more, balance, less) => {
      expect(strictness(price + more, balance)).toBeGreaterThanOrEqual(strictness(price, balance));
      expect(strictness(price, Math.max(0, balance - less))).toBeGreaterThanOrEqual(
        strictness(price, balance),
      );
    }),
  );
});
