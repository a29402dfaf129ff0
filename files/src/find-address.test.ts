import { expect, test } from 'vitest';
import { cellAddresses } from './cell-addresses.ts';
import { findPlace, looksLikeAddress, readWholeCell } from './find-address.ts';
import type { LayoutOptions } from './table.ts';

const readCell = (cell: string) => readWholeCell(cell).reading;

function placeIn(rows: readonly (readonly string[])[], named: LayoutOptions) {
  return findPlace(
    rows[0] ?? [],
    rows.map((row) => row.entries()),
    named,
  );
}

test.each([
  ['ann@example.com', 'ann@example.com'],
  [' Ann@Example.com ', 'Ann@Example.com'],
  ['\u200bann@example.com\u00a0\ufeff', 'ann@example.com'],
  ['Ann Lee <ann@example.com>', 'ann@example.com'],
  ['"Lee, Ann" < ann@example.com >', 'ann@example.com'],
  ['Lee, Ann <ann@example.com>', 'ann@example.com'],
  ['mailto:ann@example.com', 'ann@example.com'],
  ['ann@example.com (home)', 'ann@example.com'],
  ['a@b.c>', 'a@b.c'],
])('%j holds %j', (cell, address) => {
  expect(readCell(cell)).toEqual({ text: address, isAddress: true });
});

test.each([
  'ann@',
  'ann lee@example.com',
  '<a b@c.d>',
  '@ann or ann@example.com',
  '@',
  'ann@example.com.',
  '.ann@example.com',
  'a@b@c',
  "'ann@example.com'",
  'a@b.c|x',
])('one word, or words that may belong to the address, are judged as they are: %s', (word) =>
  expect(readCell(word)).toEqual({ text: word, isAddress: true }));

test.each([
  ['ann@example.com, bob@example.com', 'ann@example.com', 1],
  ['ann@example.com; bob@example.com / cy@example.com', 'ann@example.com', 2],
  ['<a@b.c> <ann@example.com>', 'a@b.c', 1],
  ['ann@example.com <ANN@example.com>', 'ann@example.com', 0],
  ['ann@example.com, @ann', 'ann@example.com', 0],
])('of %j the first address names the cell, and the others are read too', (cell, text, more) => {
  expect(readCell(cell)).toEqual({ text, isAddress: true });
  expect(cellAddresses(cell).others).toHaveLength(more);
});

test('what is no address is told apart from nothing; a long text is not looked at', () => {
  expect(readCell(' n/a ')).toEqual({ text: 'n/a', isAddress: false });
  for (const blank of ['', '  ', '\u00a0\u200b'])
    expect(readCell(blank)).toEqual({ text: null, isAddress: false });
  for (const long of [`${'a'.repeat(1_000)}@example.com`, `${'Ann '.repeat(300)}<ann@example.com>`])
    expect(readCell(long)).toEqual({ text: '(a long text)', isAddress: false });
});

test('cells of two dialects do not look like an address', () => {
  for (const cell of ['a@b.c,x', 'x;a@b.c', 'a@b.c|x', 'a@b', 'a@b.', 'a@.b', '@', 'a b@c.d', 'a@b@c.d'])
    expect(looksLikeAddress(cell)).toBe(false);
});

test.each([
  ...['a@.b.c', 'a@b..', 'a@b.c.', 'Lee, Ann <a@b.c>', '"Lee, Ann" <a@b.c>', 'a@b.c, d@e.f; g@h.i'],
])('%s looks like addresses', (cell) => {
  expect(looksLikeAddress(cell)).toBe(true);
});

test.each([
  [
    'by content',
    [
      ['a', 'b'],
      ['1', 'x@y.z'],
    ],
    1,
  ],
  [
    'by its heading beside another',
    [
      ['Owner email', 'E-Mail *'],
      ['o@y.z', 'x@y.z'],
      ['o@y.z', ''],
    ],
    1,
  ],
  ['by its heading before there is content', [['id', 'Correo electrónico']], 1],
  [
    'by content against the heading',
    [
      ['email', 'contact'],
      ['yes', 'x@y.z'],
    ],
    1,
  ],
  [
    'by a piece of the heading',
    [
      ['cc', 'Work e-mail'],
      ['a@y.z', 'x@y.z'],
    ],
    1,
  ],
  ['the first of equals', [['a@y.z', 'b@y.z']], 0],
] as const)('the column is found %s', (_, rows, column) => {
  expect(placeIn(rows, {})?.columns[0]).toBe(column);
});

test.each([
  'メールアドレス',
  'Адрес электронной почты',
  'Courriel',
  'E-Mail-Adresse',
  'posta elettronica',
  '邮箱',
])('the heading %s is known', (heading) => {
  expect(placeIn([['x', heading]], {})).toMatchObject({ columns: [1], hasHeader: true });
});

test.each([
  [[['email'], ['a@b.c']], {}, true],
  [[['a@b.c'], ['d@e.f']], {}, false],
  [
    [
      ['Ann', ''],
      ['Bob', 'a@b.c'],
    ],
    {},
    false,
  ],
  [
    [
      ['Ann', 'none'],
      ['Bob', 'a@b.c'],
    ],
    { hasHeader: false },
    false,
  ],
  [[['a@b.c'], ['d@e.f']], { hasHeader: true }, true],
  [[['x', 'a@b.c']], { column: '2' }, false],
  [
    [
      ['x', 'y'],
      ['x', 'a@b.c'],
    ],
    { column: 'Y' },
    true,
  ],
])('%j with %j has a header: %s', (rows, named, hasHeader) => {
  expect(placeIn(rows, named)?.hasHeader).toBe(hasHeader);
});

test('a number is a heading where there may be one, and a place where there is none', () => {
  const rows = [
    ['', '', '2'],
    ['', 'a@b.c', ''],
  ];
  expect(placeIn(rows, { column: '2' })).toMatchObject({ columns: [2], hasHeader: true });
  expect(placeIn(rows, { column: '2', hasHeader: false })).toMatchObject({ columns: [1], hasHeader: false });
});

test('other columns with addresses are named', () => {
  const rows = [
    ['Name', 'E-Mail', 'E-Mail business', 'Note'],
    ['Ann', 'a@x.org', '', 'call'],
    ['Bob', 'b@x.org', 'b@y.org', 'ann@'],
  ];
  expect(placeIn(rows, {})).toEqual({ columns: [1], otherColumns: [2], hasHeader: true });
  expect(placeIn(rows, { columns: [2, 1] })?.otherColumns).toEqual([]);
  expect(placeIn(rows, { columns: [] })?.otherColumns).toEqual([1, 2]);
});
