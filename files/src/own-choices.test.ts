// What the owner of a file chose before it was checked, in the file that comes back: spellings, and rows that repeat others.

import { expect, test } from 'vitest';
import { clean, latin1, textOf, verdictOf } from '../test/in-memory.ts';
import { MACHINE } from './machine-words.ts';

const FIXES = new Map([
  ['gmial.com', 'gmail.com'],
  ['gmail,com', 'gmail.com'],
]);

test('an address is checked as it was meant, and stands so in the file', async () => {
  const text =
    'name;email\nAnn;Ann@Gmial.com\nBob;"Bob <bob@gmial.com>, b@x.com"\nCy;cy@gmail,com\nDi;di@web.de.\nEd;ed@gmail.com\n';
  const { addresses, bytes, changes } = await clean(latin1(text), {}, { fixes: FIXES, words: null });
  expect(addresses).toHaveLength(6);
  expect(textOf(bytes)).toBe(
    'name;email\nAnn;Ann@gmail.com\nBob;"Bob <bob@gmail.com>, b@x.com"\nCy;cy@gmail.com\nDi;di@web.de\nEd;ed@gmail.com\n',
  );
  expect(changes).toEqual({ corrected: 4, emptied: 0, leftAlone: 0 });
});

test('the corrected address has the result, which says what was checked', async () => {
  const verdict = (email: string) => (email === 'ann@gmail.com' ? verdictOf(email) : null);
  const { bytes } = await clean(
    latin1('email\nann@gmial.com\n'),
    {},
    { fixes: FIXES, verdict, words: MACHINE },
  );
  expect(textOf(bytes)).toMatch(/\nann@gmail\.com,deliverable,.*,ann@gmail\.com\n$/);
});

test('a row whose addresses all stand in rows above does not come back, where its owner wants so', async () => {
  const text =
    'email,work\nann@x.com,\nANN@x.com ,\nann@x.com,bob@x.com\nbob@x.com,ann@x.com\n,\n,\nn/a,\nn/a,\nann@gmail.com,\nann@gmial.com,\n"ann@x.com, cy@x.com",\ncy@x.com,\n';
  const named = { columns: [0, 1] };
  const options = { words: null, fixes: FIXES };
  const whole = await clean(latin1(text), named, options);
  expect(whole.kept).toBe(12);
  const { bytes, kept } = await clean(latin1(text), named, { ...options, dropsRepeated: true });
  expect(textOf(bytes)).toBe(
    'email,work\nann@x.com,\nann@x.com,bob@x.com\n,\n,\nn/a,\nn/a,\nann@gmail.com,\n"ann@x.com, cy@x.com",\n',
  );
  expect(kept).toBe(8);
});

test('a row that was left out is not repeated by one that stays', async () => {
  const text = 'email,work\nbad@x.com,\nann@x.com,bad@x.com\nbad@x.com,ann@x.com\n';
  const { bytes } = await clean(
    latin1(text),
    { columns: [0, 1] },
    { words: null, dropsRepeated: true, keep: 'deliverable' },
  );
  expect(textOf(bytes)).toBe('email,work\nann@x.com,\n');
});
