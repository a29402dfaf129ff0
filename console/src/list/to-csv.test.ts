import type { ResultRow } from '@mxproof/client';
import { expect, test } from 'vitest';
import { csvHeader, csvLine } from './to-csv.ts';

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
};

function lineOf(change: Partial<ResultRow>): string {
  return csvLine({ listId: 1, position: 0, row: { ...ROW, ...change } });
}

test('the header and the rows are those of the API', () => {
  expect(csvHeader()).toBe('email,state,reason,score,accept_all,role,free,disposable,mx,provider\r\n');
  expect(lineOf({})).toBe(
    'ann@example.com,deliverable,accepted_email,95,False,True,False,False,mx.example.com,google\r\n',
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

test('a MX host that is none is empty', () => {
  expect(lineOf({ mx: null })).toMatch(/False,,google\r\n$/);
});
