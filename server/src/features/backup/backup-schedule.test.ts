import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backupFault, isNightDue, OLD_BACKUP_DAYS, retryAfterMs } from './backup-schedule.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const moment = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2030, 0) });

test('one is due exactly if three o’clock has struck since the newest was made', () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: 0, max: 5 * DAY_MS }), (nowMs, ageMs) => {
      const madeMs = nowMs - ageMs;
      const strikes =
        Math.floor((nowMs - 3 * HOUR_MS) / DAY_MS) - Math.floor((madeMs - 3 * HOUR_MS) / DAY_MS);
      expect(isNightDue([madeMs], nowMs)).toBe(strikes > 0);
    }),
  );
  expect(isNightDue([], Date.UTC(2026, 0))).toBe(true);
});

test('one of the future is no reason to wait, a clock that is a little behind is none to hurry', () => {
  const nowMs = Date.UTC(2026, 10, 18, 12);
  expect(isNightDue([nowMs + 30 * DAY_MS], nowMs)).toBe(true);
  expect(isNightDue([nowMs + 30 * DAY_MS, nowMs - 1], nowMs)).toBe(false);
  expect(isNightDue([nowMs + 60_000], nowMs)).toBe(false);
});

test('what fails is tried again later and later, at least once an hour', () => {
  expect([1, 2, 3].map((failures) => retryAfterMs(failures) / 60_000)).toEqual([2, 4, 8]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), (failures) => {
      expect(retryAfterMs(failures + 1)).toBeGreaterThanOrEqual(retryAfterMs(failures));
      expect(retryAfterMs(failures)).toBeLessThanOrEqual(HOUR_MS);
    }),
  );
});

test('the operator is told of a failure at once, and of silence after two days, where backups are wanted', () => {
  const nowMs = Date.UTC(2026, 10, 18, 12);
  const ago = (hours: number) => nowMs - hours * HOUR_MS;
  const limit = OLD_BACKUP_DAYS * 24;
  const state = { nightlySinceMs: ago(500), newestMs: ago(9), failure: null };
  expect(backupFault(state, nowMs)).toBeNull();
  expect(backupFault({ ...state, newestMs: ago(limit) }, nowMs)).toBeNull();
  expect(backupFault({ ...state, newestMs: ago(limit) - 1 }, nowMs)).toEqual({ kind: 'old', days: 2 });
  expect(backupFault({ ...state, newestMs: null }, nowMs)).toEqual({ kind: 'none', days: 20 });
  expect(backupFault({ ...state, failure: 'Cannot.' }, nowMs)).toEqual({
    kind: 'failed',
    failure: 'Cannot.',
  });
  // Just set up, or started again after a long pause.
  expect(backupFault({ ...state, nightlySinceMs: ago(limit), newestMs: null }, nowMs)).toBeNull();
  expect(backupFault({ ...state, nightlySinceMs: ago(1), newestMs: ago(900) }, nowMs)).toBeNull();
  // Not wanted.
  const unwanted = { nightlySinceMs: null, newestMs: ago(900), failure: 'Cannot.' };
  expect(backupFault(unwanted, nowMs)).toBeNull();
});
