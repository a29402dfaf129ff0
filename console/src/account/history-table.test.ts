import type { Entry } from '@mxproof/client';
import { expect, test } from 'vitest';
import { csvText } from '../design/save-csv.ts';
import { historyTable, noteOf } from './history-table.ts';

const ENTRY: Entry = {
  id: 1,
  at: 1_794_960_000,
  kind: 'charge',
  credits: -11_077,
  balance: 88_923,
  list_id: 7,
  list_name: 'people.csv',
  single: false,
  note: '11077 addresses of list 7',
};

test('numbers of addresses are written as people read them', () => {
  expect(noteOf(ENTRY)).toBe('11,077 addresses');
  expect(noteOf({ ...ENTRY, kind: 'refund', credits: 3_460 })).toBe('3,460 addresses without a result');
  expect(noteOf({ ...ENTRY, kind: 'grant', credits: 5, note: 'Invoice 12' })).toBe('Invoice 12');
});

test('as a table, numbers are those of a spreadsheet, and nothing in it runs', () => {
  const rows = csvText(
    historyTable([
      ENTRY,
      { ...ENTRY, kind: 'refund', credits: 1, list_name: '=1+1' },
      { ...ENTRY, list_name: null },
      { ...ENTRY, kind: 'grant', credits: -400, list_id: null, single: null, note: 'part of invoice 12' },
    ]),
  ).split('\r\n');
  expect(rows).toEqual([
    'When (UTC),What,List,Note,Credits,Balance',
    '2026-11-18 00:00:00,Charged,people.csv,"11,077 addresses",-11077,88923',
    "2026-11-18 00:00:00,Refunded,'=1+1,1 address without a result,1,88923",
    '2026-11-18 00:00:00,Charged,"List 7, deleted","11,077 addresses",-11077,88923',
    '2026-11-18 00:00:00,Taken back,,part of invoice 12,-400,88923',
    '',
  ]);
});
