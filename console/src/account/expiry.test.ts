import { expect, test } from 'vitest';
import { expiresAt, localDay } from './expiry.ts';

const NOON_MS = new Date(2026, 10, 16, 12).getTime();

test('a key expires after so many days, or never', () => {
  expect(expiresAt('never', '', NOON_MS)).toBeNull();
  expect(expiresAt('days30', '', NOON_MS)).toBe(NOON_MS / 1000 + 30 * 86_400);
});

test('the last day counts to its end', () => {
  expect(expiresAt('date', '2026-11-16', NOON_MS)).toBe(new Date(2026, 10, 17).getTime() / 1000);
  expect(expiresAt('date', '2026-12-31', NOON_MS)).toBe(new Date(2027, 0, 1).getTime() / 1000);
});

test('a day that is over, or no day at all, is refused', () => {
  expect(expiresAt('date', '2026-11-15', NOON_MS)).toBe('past');
  expect(expiresAt('date', '', NOON_MS)).toBe('past');
  expect(expiresAt('date', 'soon', NOON_MS)).toBe('past');
});

test('today is the reader’s own', () => {
  expect(localDay(NOON_MS)).toBe('2026-11-16');
});
