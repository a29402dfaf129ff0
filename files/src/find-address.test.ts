import { expect, test } from 'vitest';
import { addressIn, findPlace, looksLikeAddress } from './find-address.ts';
import type { LayoutOptions } from './table.ts';

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
  ['Ann Lee <ann@example.com>', 'ann@example.com'],
  ['"Lee, Ann" < ann@example.com >', 'ann@example.com'],
  ['mailto:ann@example.com', 'ann@example.com'],
  ['ann@', 'ann@'],
  ['n/a', null],
  ['', null],
  [`${'a'.repeat(1_000)}@example.com`, null],
  [`${'Ann '.repeat(300)}<ann@example.com>`, null],
  ['<a@b.c> <ann@example.com>', 'ann@example.com'],
  ['a@b.c>', 'a@b.c>'],
  ['<a>b@c>', '<a>b@c>'],
  ['<a b@c.d>', '<a b@c.d>'],
  ['<@b>', '<@b>'],
  ['<@b@c>', '@b@c'],
])('%j holds %j', (cell, address) => {
  expect(addressIn(cell)).toBe(address);
});

test('cells of two dialects do not look like an address', () => {
  for (const cell of ['a@b.c,x', 'x;a@b.c', 'a@b.c|x', 'a@b', 'a@b.', 'a@.b', '@', 'a b@c.d', 'a@b@c.d'])
    expect(looksLikeAddress(cell)).toBe(false);
});

test.each(['a@.b.c', 'a@b..', 'a@b.c.'])('%s looks like one', (cell) => {
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
  expect(placeIn([['x', heading]], {})).toEqual({ columns: [1], hasHeader: true });
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
  expect(placeIn(rows, { column: '2' })).toEqual({ columns: [2], hasHeader: true });
  expect(placeIn(rows, { column: '2', hasHeader: false })).toEqual({ columns: [1], hasHeader: false });
});
