import * as judges from '@mxproof/engine/inspect-address';
import { expect, test } from 'vitest';
import { FileSummaryBuilder, MAX_FAULTS } from './file-summary.ts';

function newBuilder(choices = {}) {
  return new FileSummaryBuilder(judges, choices);
}

const survey = (rows: number) => ({ rows, withMore: 0 });

const CELLS = [
  'ann@example.com',
  ' ANN@example.com',
  '',
  '  ',
  'n/a',
  'bob@',
  'Bob@',
  'foo@bar',
  'bob@example.org',
];

function read(builder: FileSummaryBuilder): void {
  for (const [at, cell] of CELLS.entries())
    if (cell.includes('@')) builder.address(cell, at + 2);
    else builder.other(cell, at + 2);
}

test('every cell is counted once: as unique, duplicate, blank or one that cannot receive mail', () => {
  const builder = newBuilder();
  read(builder);
  const found = builder.finish({ rows: CELLS.length, withMore: 3 });
  expect(found).toMatchObject({ rows: 9, unique: 2, duplicates: 1, blank: 2, invalid: 4, sendable: 2 });
  expect(found.unique + found.duplicates + found.blank + found.invalid).toBe(found.rows);
  expect(found.several).toBe(3);
  expect([...builder.sent()]).toEqual(['ann@example.com', 'bob@example.org']);
});

test('where they are sent all the same, what is sent is what is counted and charged', () => {
  const builder = newBuilder({ sendsInvalid: true });
  read(builder);
  const found = builder.finish(survey(CELLS.length));
  expect(found).toMatchObject({ unique: 4, duplicates: 2, invalid: 4, leftOut: 1, sendable: 2 });
  expect([...builder.sent()]).toEqual(['ann@example.com', 'bob@', 'foo@bar', 'bob@example.org']);
});

test('what is invalid is named with its row and its verdict’s reason each time it occurs, up to a bound', () => {
  const builder = newBuilder();
  builder.address('a..b@example.com', 4);
  builder.address('A..b@example.com ', 9);
  builder.address('a@localhost', 11);
  builder.other(`  ${'x'.repeat(500)}`, 12);
  expect(builder.finish(survey(4)).faults).toEqual([
    { row: 4, text: 'a..b@example.com', reason: 'invalid_email' },
    { row: 9, text: 'A..b@example.com', reason: 'invalid_email' },
    { row: 11, text: 'a@localhost', reason: 'invalid_domain' },
    { row: 12, text: 'x'.repeat(80), reason: 'invalid_email' },
  ]);
  for (let line = 0; line < MAX_FAULTS; line += 1) builder.other('none', line);
  const { faults, invalid } = builder.finish(survey(0));
  expect([faults.length, invalid]).toEqual([MAX_FAULTS, MAX_FAULTS + 4]);
});

test('disposable and role addresses are those of the engine, once each', () => {
  const builder = newBuilder();
  for (const address of ['x@mailinator.com', 'X@mailinator.com', 'info@example.com', 'ann@example.com'])
    builder.address(address, 1);
  expect(builder.finish(survey(4))).toMatchObject({ disposable: 1, role: 1 });
});

test('the largest domains come first, by unique addresses; the rest is one number', () => {
  const builder = newBuilder();
  for (let size = 1; size <= 8; size += 1)
    for (let at = 0; at < size; at += 1) builder.address(`u${at}@d${size}.example`, 1);
  const { domains, otherDomains } = builder.finish(survey(36));
  expect(domains.map(({ count }) => count)).toEqual([8, 7, 6, 5, 4, 3]);
  expect(domains[0]?.domain).toBe('d8.example');
  expect(otherDomains).toBe(3);
});

const MISSPELT = [
  'ann@gmial.com',
  'Ann@gmial.com',
  'bob@gmial.com',
  'cy@gmail,com',
  'bob@gmail.com',
  'di@web.de.',
];

test('misspelt domains are told before anything is paid, each with its different addresses', () => {
  const builder = newBuilder();
  for (const address of MISSPELT) builder.address(address, 1);
  const found = builder.finish(survey(6));
  expect(found.misspelt).toEqual([
    { domain: 'gmial.com', suggestion: 'gmail.com', addresses: 2 },
    { domain: 'gmail,com', suggestion: 'gmail.com', addresses: 1 },
  ]);
  // None is counted as disposable for being on a list of typos, and a full stop behind an address is no fault of it.
  expect(found).toMatchObject({ unique: 4, invalid: 1, disposable: 0 });
  expect([...builder.sent()]).toContain('di@web.de');
});

test('what is fixed is sent, counted and charged as it is meant, and can still be undone', () => {
  const fixes = new Map([
    ['gmial.com', 'gmail.com'],
    ['gmail,com', 'gmail.com'],
  ]);
  const builder = newBuilder({ fixes });
  for (const address of MISSPELT) builder.address(address, 1);
  const found = builder.finish(survey(6));
  expect([...builder.sent()]).toEqual(['ann@gmail.com', 'bob@gmail.com', 'cy@gmail.com', 'di@web.de']);
  expect(found).toMatchObject({ addresses: 6, unique: 4, duplicates: 2, invalid: 0, corrected: 4 });
  expect(found.misspelt.map(({ addresses }) => addresses)).toEqual([2, 1]);
});
