import type { ListSummary, ResultRow } from '@mxproof/client';
import { expect, test } from 'vitest';
import { answered, changedBreakdown, changedList } from './later-answers.ts';
import type { PlacedRow } from './use-rows.ts';

const row = (
  listId: number,
  position: number,
  email: string,
  state: ResultRow['state'],
  reason: ResultRow['reason'],
  provider: string,
  detail?: ResultRow['detail'],
): PlacedRow => ({ listId, position, row: { email, state, reason, provider, detail } as ResultRow });

const OWN = [
  row(1, 0, 'ann@x', 'deliverable', 'accepted_email', 'other'),
  row(1, 1, 'ben@x', 'unknown', 'no_connect', ''),
  row(1, 2, 'eve@x', 'unknown', 'unavailable_smtp', 'other'),
  row(1, 3, 'kim@x', 'unknown', 'no_connect', ''),
  row(1, 4, 'zoe@x', 'pending', '', ''),
  row(1, 5, 'yan@y', 'unknown', 'no_connect', 'yahoo', 'timeout'),
];
const LATER = [
  row(2, 0, 'ben@x', 'unknown', 'no_connect', ''),
  row(2, 1, 'eve@x', 'risky', 'low_quality', 'google', 'role'),
  row(2, 2, 'kim@x', 'pending', '', ''),
  row(2, 3, 'yan@y', 'risky', 'low_deliverability', 'yahoo', 'decides_after_data'),
  row(3, 0, 'ben@x', 'undeliverable', 'rejected_email', 'other'),
  // Of another's making: what is known stays.
  row(4, 0, 'ann@x', 'undeliverable', 'rejected_email', 'other'),
];

test('what was unknown has its later answer, in its place, with the evidence of where it came from', () => {
  const { rows, changes } = answered(OWN, LATER);
  expect(rows.map(({ listId, position, row: { email, state } }) => [listId, position, email, state])).toEqual(
    [
      [1, 0, 'ann@x', 'deliverable'],
      [3, 0, 'ben@x', 'undeliverable'],
      [2, 1, 'eve@x', 'risky'],
      [1, 3, 'kim@x', 'unknown'],
      [1, 4, 'zoe@x', 'pending'],
      [2, 3, 'yan@y', 'risky'],
    ],
  );
  expect(changes).toHaveLength(3);
  expect(answered(OWN, []).rows).toBe(OWN);
});

test('the numbers are those of the rows that are shown', () => {
  const { changes } = answered(OWN, LATER);
  const list = { counts: { deliverable: 1, risky: 0, undeliverable: 0, unknown: 4 } } as ListSummary;
  expect(changedList(list, changes).counts).toEqual({
    deliverable: 1,
    risky: 2,
    undeliverable: 1,
    unknown: 1,
  });
  const reasons = { accepted_email: 1, no_connect: 3, unavailable_smtp: 1 } as never;
  const details = { catch_all: 1, timeout: 2 };
  expect(changedBreakdown({ reasons, providers: { other: 2, yahoo: 1 }, details }, changes)).toEqual({
    reasons: {
      accepted_email: 1,
      no_connect: 1,
      unavailable_smtp: 0,
      low_quality: 1,
      low_deliverability: 1,
      rejected_email: 1,
    },
    providers: { other: 2, google: 1, yahoo: 1 },
    details: { catch_all: 1, timeout: 1, role: 1, decides_after_data: 1 },
  });
});
