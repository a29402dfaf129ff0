import type { ResultRow } from '@mxproof/client';
import { expect, test } from 'vitest';
import { toCsv } from './to-csv.ts';

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

test('the header and the rows are those of the API', () => {
  expect(toCsv([{ listId: 1, position: 0, row: ROW }])).toBe(
    'email,state,reason,score,accept_all,role,free,disposable,mx,provider\r\n' +
      'ann@example.com,deliverable,accepted_email,95,False,True,False,False,mx.example.com,google\r\n',
  );
});

test('without rows there is the header', () => {
  expect(toCsv([])).toBe('email,state,reason,score,accept_all,role,free,disposable,mx,provider\r\n');
});

test.each([
  ['"a,b"@x.com', '"""a,b""@x.com",'],
  ['a\nb@x.com', '"a\nb@x.com",'],
  ['=cmd()@x.com', "'=cmd()@x.com,"],
  ['+a@x.com', "'+a@x.com,"],
  ['@x', "'@x,"],
])('the address %j is written %j', (email, written) => {
  expect(toCsv([{ listId: 1, position: 0, row: { ...ROW, email } }])).toContain(`\r\n${written}`);
});

test('a mail exchanger that is none is empty', () => {
  expect(toCsv([{ listId: 1, position: 0, row: { ...ROW, mx: null } }])).toContain('False,,google\r\n');
});
