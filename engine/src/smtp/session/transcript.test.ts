// Evidence names nobody but the one asked about, and costs no more than it is long.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clip, jsonBytes, withoutMailboxes } from './transcript.ts';

const OWN = 'anna@a.example';
const OURS = 'probe@b.example';

test.each([
  ['550 5.1.1 <ben@a.example>: unknown', '550 5.1.1 <(address)>: unknown'],
  ['550 <Anna@a.example> is not ben@a.example', '550 <Anna@a.example> is not (address)'],
  ['550 orcpt=ben@a.example from probe@b.example', '550 orcpt=(address) from probe@b.example'],
  ['250 see ben@a.example,carl@a.example', '250 see (address),(address)'],
  ['550 not.anna@a.example', '550 (address)'],
  ['550 anna@a.example.evil.example is full', '550 (address) is full'],
  ['550 <anna@a.exampleton>', '550 <(address)>'],
  ['550 anna@a.example... User unknown', '550 anna@a.example... User unknown'],
  ['550 @ a@ @b', '550 @ a@ @b'],
])('%s', (text, without) => expect(withoutMailboxes(text, OWN, OURS)).toBe(without));

test('token by token, the same is taken out as by a pattern that tries every start', () => {
  const pattern = /[^\s<>()[\]:;,"'=]+@[^\s<>()[\]:;,"']+/g;
  const pieces = fc.constantFrom('a', '@', '=', '<', '>', ' ', ':', 'b.c', OWN, OURS, "'", '日');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (all) => {
      // Two of them, so that the whole text is looked through.
      const text = `x@y ${all.join('')}`;
      const tried = text.replace(pattern, (found) => ([OWN, OURS].includes(found) ? found : '(address)'));
      expect(withoutMailboxes(text, OWN, OURS)).toBe(tried);
    }),
    { numRuns: 2_000 },
  );
});

test('a clipped text has its bytes, and no character is cut in two', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 8, max: 300 }),
      (text, max) => {
        const clipped = clip(text, max);
        expect(jsonBytes(clipped)).toBeLessThanOrEqual(max);
        expect(clipped.isWellFormed()).toBe(true);
        if (clipped !== text) expect(text.startsWith(clipped.slice(0, -1))).toBe(true);
      },
    ),
  );
});
