import type { ResultRow } from '@mxproof/client';
import { expect, test } from 'vitest';
import { figuresIn } from './figures.ts';
import { answered } from './later-answers.ts';
import { occurrencesIn } from './row-filter.ts';
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
  const { rows, answers } = answered(OWN, LATER);
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
  expect(answers).toHaveLength(3);
  expect(answered(OWN, []).rows).toBe(OWN);
});

test('what was never checked has its first result, also one without an answer, and a better one that came before or after', () => {
  const own = ['ann@x', 'ben@x', 'eve@x', 'kim@x'].map((email, at) => row(1, at, email, 'pending', '', ''));
  const later = [
    row(2, 0, 'ann@x', 'unknown', 'no_connect', ''),
    row(2, 1, 'ben@x', 'deliverable', 'accepted_email', 'other'),
    row(2, 2, 'eve@x', 'unknown', 'no_connect', ''),
    row(2, 3, 'kim@x', 'pending', '', ''),
    row(3, 0, 'ben@x', 'unknown', 'no_connect', ''),
    row(3, 1, 'eve@x', 'risky', 'low_quality', 'google'),
  ];
  expect(answered(own, later).rows.map(({ listId, row: { state } }) => [listId, state])).toEqual([
    [2, 'unknown'],
    [2, 'deliverable'],
    [3, 'risky'],
    [1, 'pending'],
  ]);
});

test('the numbers are those of the rows that are shown', () => {
  const { rows } = answered(OWN, LATER);
  const { checked, counts, breakdown } = figuresIn([
    occurrencesIn(rows.slice(0, 2)),
    occurrencesIn(rows.slice(2)),
  ]);
  expect([checked, counts]).toEqual([5, { deliverable: 1, risky: 2, undeliverable: 1, unknown: 1 }]);
  expect(breakdown).toMatchObject({
    reasons: {
      accepted_email: 1,
      no_connect: 1,
      low_quality: 1,
      low_deliverability: 1,
      rejected_email: 1,
      disposable: 0,
    },
    providers: { other: 2, google: 1, yahoo: 1 },
    details: { role: 1, decides_after_data: 1 },
  });
});
