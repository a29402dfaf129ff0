import type { ResultRow } from '@mxproof/client';
import { expect, test } from 'vitest';
import { choicesIn, isFiltering, matching, NO_FILTER, occurrencesIn, type RowFilter } from './row-filter.ts';
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

const ROWS: readonly PlacedRow[] = [
  { ...PLAIN, email: 'ann@example.com' },
  {
    ...PLAIN,
    email: 'info@example.org',
    state: 'risky' as const,
    reason: 'low_quality' as const,
    role: true,
  },
  {
    ...PLAIN,
    email: 'bob@example.net',
    state: 'risky' as const,
    reason: 'low_deliverability' as const,
    detail: 'mailbox_full' as const,
  },
  {
    ...PLAIN,
    email: 'x@example.info',
    state: 'risky' as const,
    reason: 'low_deliverability' as const,
    detail: 'catch_all' as const,
  },
  { ...PLAIN, email: 'gone@example.com', state: 'undeliverable' as const, reason: 'rejected_email' as const },
  { ...PLAIN, email: 'hm@gmx.de', state: 'unknown' as const, reason: 'no_connect' as const, provider: 'gmx' },
  { ...PLAIN, email: 'late@gmx.de', state: 'pending' as const, reason: '' as const, provider: '' },
].map((row, position) => ({ listId: 1, position, row }));

function found(filter: Partial<RowFilter>): string[] {
  return matching(ROWS, { ...NO_FILTER, ...filter }).map(({ row }) => row.email);
}

test('without a filter there is every row', () => {
  expect(matching(ROWS, NO_FILTER)).toBe(ROWS);
  expect(isFiltering({ ...NO_FILTER, piece: '  ' })).toBe(false);
});

test.each<[Partial<RowFilter>, string[]]>([
  [{ action: 'skip' }, ['info@example.org']],
  [{ action: 'separate' }, ['bob@example.net', 'x@example.info']],
  [{ action: 'unchecked' }, ['late@gmx.de']],
  // A full mailbox is one thing, a server that accepts everyone another.
  [{ reason: 'mailbox_full' }, ['bob@example.net']],
  [{ reason: 'catch_all' }, ['x@example.info']],
  // From before there were details.
  [{ reason: 'rejected_email' }, ['gone@example.com']],
  [{ reason: 'low_deliverability' }, []],
  [{ provider: 'gmx' }, ['hm@gmx.de']],
  [{ flag: 'role' }, ['info@example.org']],
  [{ piece: ' EXAMPLE.com ' }, ['ann@example.com', 'gone@example.com']],
  [{ piece: 'example.com', action: 'remove' }, ['gone@example.com']],
  [{ piece: 'nobody' }, []],
])('%j finds %j', (filter, emails) => {
  expect(found(filter)).toEqual(emails);
});

test('only what occurs on any page can be chosen, the commonest of all first', () => {
  const pages = [ROWS.slice(0, 2), ROWS.slice(2)].map(occurrencesIn);
  const { hasUnchecked, reasons, providers, flags } = choicesIn(pages);
  expect(hasUnchecked).toBe(true);
  expect(choicesIn(pages.slice(0, 1)).hasUnchecked).toBe(false);
  expect(new Set(reasons)).toEqual(
    new Set(['accepted_email', 'low_quality', 'mailbox_full', 'catch_all', 'rejected_email', 'no_connect']),
  );
  expect(providers).toEqual(['google', 'gmx']);
  expect(flags).toEqual(['role']);
});
