// What the check finds, and what it must not find.
import { expect, test } from 'vitest';
import { regexpFaults, whyNotLinear } from './check-regexps.ts';

test.each([
  ['nested repetition', /^(a+)+$/],
  ['two ways to read a character', /^(\w|\d)+$/],
  ['a scan from every place', /a.*b/],
  ['a scan from every word', /x=(.*)y/],
  ['two repetitions beside each other', /^a*a*$/],
  ['blanks at the end', /\s+$/],
])('%s is not linear', (_, regexp) => {
  expect(whyNotLinear(String(regexp))).toMatch(/^takes more than linear time: /);
});

test.each([/^[^@]+@[^@]+$/, /<[^<>]*>/g, /\d{1,9}x/, /^(?:a|b)+$/s])('%s is linear', (regexp) => {
  expect(whyNotLinear(String(regexp))).toBeNull();
});

test('one in a source is a fault unless it is listed, and a listed one that no source has is a fault too', () => {
  const files = new Map([
    ['engine/src/a.ts', 'export const a = /a.*b/; export const b = "/c.*d/"; // /e.*f/'],
    ['engine/src/a.test.ts', 'const a = /g.*h/;'],
    ['engine/package.json', '{}'],
  ]);
  const faults = (...listed: string[]) => regexpFaults(files, new Set(listed), new Set());
  expect(faults()).toEqual([expect.stringMatching(/^engine\/src\/a\.ts: \/a\.\*b\/ takes more than linear/)]);
  expect(faults('/a.*b/')).toEqual([]);
  expect(faults('/a.*b/', '/g.*h/')).toEqual(['linear-regexps.ts lists /g.*h/, which no source has']);
});

test('what was shown once is known', () => {
  const files = new Map([['engine/src/a.ts', 'export const a = /ab/;']]);
  const known = new Set<string>();
  expect(regexpFaults(files, new Set(), known)).toEqual([]);
  expect([...known]).toEqual(['/ab/']);
});
