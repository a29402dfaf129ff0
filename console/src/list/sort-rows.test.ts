import type { ResultRow } from '@mxproof/client';
import { expect, test } from 'vitest';
import { type RowOrder, type SortColumn, sorting } from './sort-rows.ts';
import type { PlacedRow } from './use-rows.ts';

const PLAIN: ResultRow = {
  email: '',
  state: 'deliverable',
  reason: 'accepted_email',
  score: 100,
  accept_all: false,
  role: false,
  free: false,
  disposable: false,
  mx: 'mx.example.com',
  provider: 'google',
};

function placed(rows: readonly Partial<ResultRow>[]): readonly PlacedRow[] {
  return rows.map((row, position) => ({ listId: 1, position, row: { ...PLAIN, ...row } }));
}

function sorted(rows: readonly PlacedRow[], order: RowOrder) {
  const steps = sorting(rows, order);
  for (let count = 1; ; count += 1) {
    const step = steps.next();
    if (step.done) return { rows: step.value, steps: count };
  }
}

const ROWS = placed([
  { email: 'b@x.example', state: 'unknown', reason: 'no_connect', score: 0, provider: '' },
  { email: 'B@x.example', state: 'deliverable', reason: 'accepted_email', score: 100, provider: 'other' },
  { email: 'a@x.example', state: 'pending', reason: '', score: 0, provider: '' },
  { email: 'ä@x.example', state: 'risky', reason: 'low_quality', score: 60, provider: 'google' },
  { email: 'a@b.example', state: 'undeliverable', reason: 'rejected_email', score: 9, provider: 'google' },
]);

test.each<[SortColumn, number[], number[]]>([
  // By code unit: capitals before small letters, other alphabets after them.
  ['address', [1, 4, 2, 0, 3], [3, 0, 2, 4, 1]],
  ['action', [1, 3, 4, 0, 2], [2, 0, 4, 3, 1]],
  ['reason', [1, 3, 4, 0, 2], [2, 0, 4, 3, 1]],
  // Equal ones stay as the list has them, also from the other end.
  ['provider', [3, 4, 1, 0, 2], [0, 2, 1, 3, 4]],
  // As numbers, and what was not checked has none.
  ['score', [2, 0, 4, 3, 1], [1, 3, 4, 0, 2]],
])('by %s, ascending and descending', (id, ascending, descending) => {
  expect(sorted(ROWS, { id, desc: false }).rows.map(({ position }) => position)).toEqual(ascending);
  expect(sorted(ROWS, { id, desc: true }).rows.map(({ position }) => position)).toEqual(descending);
});

test('details of one reason stand together, and providers by the names that are shown', () => {
  const rows = placed([
    { state: 'risky', reason: 'low_deliverability', detail: 'mailbox_full', provider: 'apple' },
    { state: 'risky', reason: 'low_quality', detail: 'role', provider: 'google' },
    { state: 'risky', reason: 'low_deliverability', detail: 'catch_all', provider: 'apple' },
    { state: 'risky', reason: 'low_deliverability', detail: 'mailbox_full', provider: 'abv' },
  ]);
  const by = (id: SortColumn) => sorted(rows, { id, desc: false }).rows.map(({ position }) => position);
  expect(by('reason')).toEqual([2, 0, 3, 1]);
  expect(by('provider')).toEqual([3, 1, 0, 2]);
});

test('no rows are no rows', () => {
  expect(sorted([], { id: 'address', desc: false }).rows).toEqual([]);
});

/** More than a piece, and not a whole number of pieces. */
const MANY = 20_011;

test.each<[SortColumn, boolean]>([
  ['address', false],
  ['address', true],
  ['score', false],
  ['score', true],
])('many rows by %s (descending: %s) come out as a plain sort has them, in many steps', (id, desc) => {
  const rows = placed(
    Array.from({ length: MANY }, (_, at) => ({
      email: `p${(at * 7_919) % MANY}@x.example`,
      score: (at * 31) % 101,
    })),
  );
  const plain = [...rows].sort(({ row: a }, { row: b }) => {
    const [first, second] = desc ? [b, a] : [a, b];
    return id === 'score' ? first.score - second.score : first.email < second.email ? -1 : 1;
  });
  const ours = sorted(rows, { id, desc });
  expect(ours.rows.map(({ position }) => position)).toEqual(plain.map(({ position }) => position));
  expect(ours.steps).toBeGreaterThan(20);
});

test('by the risk of bouncing, what nothing is known of comes after what is known', () => {
  const rows = placed([
    { bounce_probability: null },
    { bounce_probability: 0.2 },
    {},
    { bounce_probability: 0 },
  ]);
  const places = (desc: boolean) => sorted(rows, { id: 'risk', desc }).rows.map(({ position }) => position);
  expect(places(false)).toEqual([3, 1, 0, 2]);
  expect(places(true)).toEqual([0, 2, 1, 3]);
});
