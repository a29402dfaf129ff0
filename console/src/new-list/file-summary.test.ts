import { inspectAddress } from '@mxproof/engine/inspect-address';
import { UniqueAddresses } from '@mxproof/files/addresses';
import { expect, test } from 'vitest';
import { FileSummaryBuilder, MAX_FAULTS } from './file-summary.ts';

function newBuilder() {
  return new FileSummaryBuilder(new UniqueAddresses(), inspectAddress);
}

test('every cell is counted once: as unique, duplicate, blank or without an address', () => {
  const builder = newBuilder();
  const cells = ['ann@example.com', ' ANN@example.com', '', '  ', 'n/a', 'bob@', 'bob@example.org'];
  for (const [at, cell] of cells.entries())
    if (cell.includes('@')) builder.address(cell, at + 2);
    else builder.other(cell, at + 2);
  const found = builder.finish(cells.length);
  expect(found).toMatchObject({ rows: 7, unique: 3, duplicates: 1, blank: 2, invalid: 2, notSent: 1 });
  expect(found.unique + found.duplicates + found.blank + found.notSent).toBe(found.rows);
});

test('what is invalid is named with its line each time it occurs, up to a bound', () => {
  const builder = newBuilder();
  builder.address('a..b@example.com', 4);
  builder.address('A..b@example.com ', 9);
  builder.address('a@localhost', 11);
  builder.other(`  ${'x'.repeat(500)}`, 12);
  expect(builder.finish(4).faults).toEqual([
    { line: 4, text: 'a..b@example.com' },
    { line: 9, text: 'A..b@example.com' },
    { line: 11, text: 'a@localhost' },
    { line: 12, text: 'x'.repeat(80) },
  ]);
  for (let line = 0; line < MAX_FAULTS; line += 1) builder.other('none', line);
  const { faults, invalid } = builder.finish(0);
  expect([faults.length, invalid]).toEqual([MAX_FAULTS, MAX_FAULTS + 4]);
});

test('disposable and role addresses are those of the engine, once each', () => {
  const builder = newBuilder();
  for (const address of ['x@mailinator.com', 'X@mailinator.com', 'info@example.com', 'ann@example.com'])
    builder.address(address, 1);
  expect(builder.finish(4)).toMatchObject({ disposable: 1, role: 1 });
});

test('the largest domains come first, by unique addresses; the rest is one number', () => {
  const builder = newBuilder();
  for (let size = 1; size <= 8; size += 1)
    for (let at = 0; at < size; at += 1) builder.address(`u${at}@d${size}.example`, 1);
  const { domains, otherDomains } = builder.finish(36);
  expect(domains.map(({ count }) => count)).toEqual([8, 7, 6, 5, 4, 3]);
  expect(domains[0]?.domain).toBe('d8.example');
  expect(otherDomains).toBe(3);
});
