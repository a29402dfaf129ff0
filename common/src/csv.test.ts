// That readers get the texts back is held in files/src/text/round-trip.test.ts.
import { expect, test } from 'vitest';
import { csvCell } from './csv.ts';

test.each([
  ['ann@x.com', 'ann@x.com'],
  ['', ''],
  ['"a,b"@x.com', '"""a,b""@x.com"'],
  ['a;b', 'a;b'],
  ['a\nb', '"a\nb"'],
  ['a\rb', '"a\rb"'],
  ['=1+1', '=1+1'],
])('%j is written %j', (text, written) => {
  expect(csvCell(text, 'exact')).toBe(written);
});

test.each([
  ['=cmd()@x.com', "'=cmd()@x.com"],
  ['+a@x.com', "'+a@x.com"],
  ['-1+1', "'-1+1"],
  ['@x', "'@x"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['=a,b', `"'=a,b"`],
  ['a=b', 'a=b'],
])('%j is written %j, which no spreadsheet runs', (text, written) => {
  expect(csvCell(text, 'defused')).toBe(written);
});

test('in a file of its own dialect, a cell looks like the others', () => {
  const dialect = { separator: ';', isQuoted: true };
  expect(['a', '', 'a;b', '=1'].map((text) => csvCell(text, 'defused', dialect))).toEqual([
    '"a"',
    '',
    '"a;b"',
    `"'=1"`,
  ]);
});
