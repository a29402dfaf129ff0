import { expect, test } from 'vitest';
import { csvRow } from './wire-row.ts';

test.each([
  ['=1+1@x.com', '=1+1@x.com'],
  ['"a,b"@x.com', '"""a,b""@x.com"'],
  ['a\r\nb', '"a\r\nb"'],
])('the address %j is %j in CSV: exact, and quoted where it must be', (email, written) => {
  expect(csvRow({ email, verdict: null })).toBe(`${written},pending,,0,False,False,False,False,,\r\n`);
});
