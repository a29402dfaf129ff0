import { expect, test } from 'vitest';
import { countActions, countSuppressed } from './count-actions.ts';
import type { PlacedRow } from './row-pages.ts';

test('the numbers of the actions are those of the rows', () => {
  const counts = { deliverable: 50, risky: 9, undeliverable: 7, unknown: 3 };
  const reasons = { low_deliverability: 4, low_quality: 3, disposable: 2 } as never;
  expect(countActions({ counts }, reasons)).toEqual({ send: 50, separate: 4, skip: 5, remove: 7, retry: 3 });
});

test('which of the risky ones are which is not guessed', () => {
  const counts = { deliverable: 50, risky: 9, undeliverable: 7, unknown: 3 };
  expect(countActions({ counts }, undefined)).toMatchObject({ send: 50, separate: null, skip: null });
});

test('what is suppressed is counted where its verdict is', () => {
  const rows = [
    { reason: 'accepted_email', suppressed: true },
    { reason: 'accepted_email', suppressed: false },
    { reason: 'low_deliverability', suppressed: true },
    { reason: '', suppressed: true },
  ].map((row) => ({ row }) as PlacedRow);
  expect(countSuppressed(rows)).toEqual({ send: 1, separate: 1, skip: 0, remove: 0, retry: 0 });
});
