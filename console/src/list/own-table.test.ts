import type { ResultRow } from '@mxproof/client';
import { expect, test } from 'vitest';
import { csvLine, ownTable } from './own-table.ts';

const ROW: ResultRow = {
  email: 'ann@example.com',
  state: 'deliverable',
  reason: 'accepted_email',
  score: 95,
  accept_all: false,
  role: true,
  free: false,
  disposable: false,
  mx: 'mx.example.com',
  provider: 'google',
  detail: 'accepted',
};

function lineOf(change: Partial<ResultRow>, words: 'people' | 'machine' = 'machine'): string {
  return csvLine(ownTable(words).cells({ listId: 1, position: 0, row: { ...ROW, ...change } }));
}

test('in machine words, the header and the rows begin with those of the API’s CSV', () => {
  expect(csvLine(ownTable('machine').headings)).toBe(
    'email,state,reason,score,accept_all,role,free,disposable,mx,provider,detail,suggestion,checked_as\r\n',
  );
  expect(lineOf({})).toBe(
    'ann@example.com,deliverable,accepted_email,95,False,True,False,False,mx.example.com,google,accepted,,\r\n',
  );
});

test('in people’s words, they are those of the console', () => {
  expect(ownTable('people').headings.slice(0, 3)).toEqual(['Email', 'Email: what to do', 'Email: status']);
  expect(lineOf({ mx: null }, 'people')).toBe(
    'ann@example.com,Send,Deliverable,Accepted,95,no,yes,no,no,,Google,Accepted,,\r\n',
  );
});

test('a corrected address stands in its cell', () => {
  const row = { ...ROW, email: 'ann@gmial.com', suggestion: 'gmail.com', checked_as: 'ann@gmail.com' };
  const cells = ownTable('machine').cells({ listId: 1, position: 0, row });
  expect([cells[0], ...cells.slice(-2)]).toEqual(['ann@gmail.com', 'gmail.com', 'ann@gmail.com']);
});

test.each(['people', 'machine'] as const)('what is not checked has empty cells, in words for %s', (words) => {
  expect(lineOf({ state: 'pending', reason: '', score: 0 }, words)).toBe(
    `ann@example.com${','.repeat(words === 'people' ? 13 : 12)}\r\n`,
  );
});

test.each([
  ['"a,b"@x.com', '"""a,b""@x.com",'],
  ['a\nb@x.com', '"a\nb@x.com",'],
  ['=cmd()@x.com', "'=cmd()@x.com,"],
  ['+a@x.com', "'+a@x.com,"],
  ['@x', "'@x,"],
])('the address %j is written %j', (email, written) => {
  expect(lineOf({ email }).startsWith(written)).toBe(true);
});
