import type { ResultRow } from '@mxproof/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { misspellingsIn, misspeltIn, toCorrect } from './corrections.ts';
import { figuresIn } from './figures.ts';
import { answered, corrected } from './later-answers.ts';
import { occurrencesIn } from './row-filter.ts';
import type { PlacedRow } from './use-rows.ts';

const MEANT: Readonly<Record<string, string>> = {
  'gmial.com': 'gmail.com',
  'gmai.com': 'gmail.com',
  'hotmial.com': 'hotmail.com',
};
const OUTCOMES = [
  ['deliverable', 'accepted_email', 'google', 'accepted'],
  ['risky', 'low_deliverability', 'other', 'catch_all'],
  ['risky', 'low_quality', 'google', 'role'],
  ['undeliverable', 'invalid_domain', '', 'no_such_domain'],
  ['undeliverable', 'rejected_email', 'yahoo', null],
  ['unknown', 'no_connect', '', 'timeout'],
  ['pending', '', '', null],
] as const;

type Outcome = (typeof OUTCOMES)[number];

function rowOf(listId: number, position: number, email: string, outcome: Outcome): PlacedRow {
  const [state, reason, provider, detail] = outcome;
  // The service tells what was meant of rows that were checked.
  const suggestion = state === 'pending' ? null : (MEANT[email.split('@').at(-1)!] ?? null);
  return { listId, position, row: { email, state, reason, provider, detail, suggestion } as ResultRow };
}

const outcome = fc.constantFrom(...OUTCOMES);
const address = fc
  .tuple(
    fc.constantFrom('ann', 'ben', '"a@b"'),
    fc.constantFrom(...Object.keys(MEANT), 'gmail.com', 'x.test'),
  )
  .map(([local, domain]) => `${local}@${domain}`);
/** Of two lists that are shown as one. */
const ownRows = fc
  .array(fc.uniqueArray(fc.tuple(address, outcome), { selector: ([email]) => email }), {
    minLength: 1,
    maxLength: 2,
  })
  .map((lists) =>
    lists.flatMap((list, at) =>
      list.map(([email, found], position) => rowOf(at + 1, position, email, found)),
    ),
  );
const outcomes = fc.array(outcome, { minLength: 12, maxLength: 12 });

/** What the service makes of one list, in the words of its own documentation. */
function serviceCorrects(rows: readonly PlacedRow[], listId: number, domains: ReadonlySet<string>): string[] {
  const own = rows.filter((placed) => placed.listId === listId).map(({ row }) => row);
  const checked = new Set(own.filter(({ state }) => state !== 'pending').map(({ email }) => email));
  const meant = own
    .filter(({ state, suggestion }) => suggestion != null && state !== 'deliverable')
    .filter(({ email }) => domains.has(email.replace(/^.*@/, '')))
    .map(({ email, suggestion }) => email.replace(/[^@]*$/, suggestion!));
  return [...new Set(meant)].filter((email) => !checked.has(email));
}

const countBy = (rows: readonly PlacedRow[], nameOf: (row: ResultRow) => string | null) => {
  const counts: Record<string, number> = {};
  for (const { row } of rows) {
    const name = nameOf(row);
    if (name) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};
const withoutZeros = (counts: object) =>
  Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0));
const stateOf = ({ state }: ResultRow) => state;
const reasonOf = ({ reason }: ResultRow) => reason;
const providerOf = ({ provider }: ResultRow) => provider;
const detailOf = ({ detail }: ResultRow) => detail ?? null;

test('what the button says is what the service makes, whichever domains are ticked', () => {
  fc.assert(
    fc.property(ownRows, fc.subarray(Object.keys(MEANT)), (rows, ticked) => {
      const domains = new Set(ticked);
      const { lists, addresses } = toCorrect(misspeltIn(rows), domains);
      const made = [1, 2].map((id) => serviceCorrects(rows, id, new Set(lists.get(id) ?? [])));
      expect(addresses).toBe(made.flat().length);
      expect(made).toEqual([1, 2].map((id) => serviceCorrects(rows, id, domains)));
      // A list of which nothing would be corrected is not asked about: it would be refused.
      for (const id of [1, 2]) expect(lists.has(id)).toBe(made[id - 1]!.length > 0);
    }),
  );
});

test('answers come to the rows they are of, the numbers are those of the rows, and their sum stays', () => {
  fc.assert(
    fc.property(ownRows, outcomes, outcomes, (own, found, foundAgain) => {
      const all = new Set(Object.keys(MEANT));
      const made = [1, 2].flatMap((id) => serviceCorrects(own, id, all));
      const meant = made.map((email, at) => rowOf(3, at, email, found[at % found.length]!));
      const again = made.map((email, at) => rowOf(4, at, email, foundAgain[at % foundAgain.length]!));
      const checked = answered(meant, again).rows;
      const { rows } = corrected(own, checked);

      expect(rows.map(({ row }) => row.email)).toEqual(own.map(({ row }) => row.email));
      // Of several answers, as of two lists that are shown as one, the last.
      const answers = new Map(
        checked.flatMap((placed) => (placed.row.state === 'pending' ? [] : [[placed.row.email, placed]])),
      );
      for (const [at, { row, ...place }] of rows.entries()) {
        const before = own[at]!;
        if (row.checked_as == null) expect({ ...place, row }).toEqual(before);
        else {
          expect(row.checked_as).toBe(before.row.email.replace(/[^@]*$/, before.row.suggestion!));
          const { row: answer, ...answered } = answers.get(row.checked_as)!;
          expect([place, row.state, row.reason]).toEqual([answered, answer.state, answer.reason]);
          expect(before.row.state).not.toBe('deliverable');
          expect(row.state).not.toBe('pending');
        }
      }

      const { counts, checked: sum, breakdown } = figuresIn([occurrencesIn(rows)]);
      const { pending = 0, ...shown } = countBy(rows, stateOf);
      expect(withoutZeros(counts)).toEqual(shown);
      expect(sum + pending).toBe(own.length);
      expect(withoutZeros(breakdown.reasons)).toEqual(countBy(rows, reasonOf));
      expect(withoutZeros(breakdown.providers)).toEqual(countBy(rows, providerOf));
      expect(withoutZeros(breakdown.details)).toEqual(countBy(rows, detailOf));
    }),
  );
});

test('the commonest misspellings come first, without those that are corrected or in the list as they were meant', () => {
  const gone = OUTCOMES[3];
  const emails = [
    ...['ann@gmai.com', 'ann@gmial.com', 'ben@gmial.com', 'cy@hotmial.com', 'eve@gmial.com', 'eve@gmail.com'],
    'dora@gmial.com',
  ];
  const misspelt = misspeltIn(emails.map((email, at) => rowOf(1, at, email, gone)));
  expect(misspelt.filter(({ isInList }) => isInList).map(({ meant }) => meant)).toEqual(['eve@gmail.com']);
  expect(misspellingsIn(misspelt, new Set())).toEqual([
    { domain: 'gmial.com', suggestion: 'gmail.com', addresses: 3 },
    { domain: 'gmai.com', suggestion: 'gmail.com', addresses: 1 },
    { domain: 'hotmial.com', suggestion: 'hotmail.com', addresses: 1 },
  ]);
  // Ann was misspelt twice, and is one.
  expect(toCorrect(misspelt, new Set(['gmai.com', 'gmial.com']))).toEqual({
    lists: new Map([[1, ['gmai.com', 'gmial.com']]]),
    addresses: 3,
  });
  expect(misspellingsIn(misspelt, new Set(['ann@gmail.com', 'ben@gmail.com', 'dora@gmail.com']))).toEqual([
    { domain: 'hotmial.com', suggestion: 'hotmail.com', addresses: 1 },
  ]);
});
