import type { UsageDay } from '@mxproof/client';
import { expect, test } from 'vitest';
import { lowBalance } from './low-balance.ts';

const days = (charged: number, refunded = 0): UsageDay[] =>
  Array.from({ length: 30 }, (_, at) => ({
    date: `2026-11-${String(at + 1).padStart(2, '0')}`,
    charged,
    refunded,
    deliverable: 0,
    risky: 0,
    undeliverable: 0,
    unknown: 0,
  }));

test('an empty balance is empty whatever was used', () => {
  expect(lowBalance(0, null)).toEqual({ kind: 'empty' });
  expect(lowBalance(0, days(10))).toEqual({ kind: 'empty' });
});

test('few credits are low, also before the usage is known', () => {
  expect(lowBalance(99, null)).toEqual({ kind: 'few' });
  expect(lowBalance(100, null)).toBeNull();
});

test('a balance that lasts less than a week at the pace of the last days is low', () => {
  expect(lowBalance(6_999, days(1_000))).toEqual({ kind: 'soon', days: 6 });
  expect(lowBalance(7_000, days(1_000))).toBeNull();
});

test('what was refunded was not used', () => {
  expect(lowBalance(3_500, days(1_000, 500))).toBeNull();
  expect(lowBalance(3_500, days(1_000, 1_000))).toBeNull();
});
