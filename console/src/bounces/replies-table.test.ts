import { expect, test } from 'vitest';
import { csvText } from '../design/save-csv.ts';
import { type NamedReply, repliesTable, titleOf } from './replies-table.ts';

const REPLY: NamedReply = {
  position: 0,
  address: '=cmd@shop.example',
  meaning: 'no_such_user',
  clarity: 'plain',
  rule: 'user unknown',
  state: 'undeliverable',
  reason: 'rejected_email',
  detail: 'no_such_mailbox',
  explanation: 'The mailbox does not exist.',
  advice: 'Remove this address, everywhere.',
} as NamedReply;

test('a table says what to do in people’s words first, then in those of the API; a spreadsheet runs nothing of it', () => {
  const [headings, row] = csvText(repliesTable([REPLY])).split('\r\n');
  expect(headings).toBe('Recipient,Address,What to do,Meaning,Advice,state,reason,detail,rule');
  expect(row).toBe(
    `1,'=cmd@shop.example,Remove,The mailbox does not exist.,"Remove this address, everywhere.",undeliverable,rejected_email,no_such_mailbox,user unknown`,
  );
});

test('a recipient that the text does not name is numbered', () => {
  expect(titleOf(REPLY)).toBe('=cmd@shop.example');
  expect(titleOf({ ...REPLY, position: 1_233, address: '' })).toBe('Recipient 1,234');
});
