// Evidence names no mailbox but the one asked about, and its cost is linear in its length.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clip, jsonBytes, withoutMailboxes } from './transcript.ts';

const OWN = 'anna@a.example';
const OURS = 'probe@b.example';

test.each([
  ['550 5.1.1 <ben@a.example>: unknown', '550 5.1.1 <(address)>: unknown'],
  ['550 <Anna@a.example> is not ben@a.example', '550 <Anna@a.example> is not (address)'],
  ['550 orcpt=ben@a.example from probe@b.example', '550 (address) from probe@b.example'],
  ['250 see ben@a.example,carl@a.example', '250 see (address),(address)'],
  ['550 not.anna@a.example', '550 (address)'],
  ['550 anna@a.example.evil.example is full', '550 (address) is full'],
  ['550 <anna@a.exampleton>', '550 <(address)>'],
  ['550 anna@a.example... User unknown', '550 anna@a.example... User unknown'],
  ['550 @ a@ @b', '550 @ a@ @b'],
  ['550 ben@a.example... User unknown', '550 (address)... User unknown'],
  ["550 'anna@a.example' and 'ben@a.example'", "550 'anna@a.example' and '(address)'"],
  ['550 "ben a@b \\" c"@a.example, "anna@a.example"', '550 (address), "anna@a.example"'],
  ['550 ben@a.example@ or ben smith"@a.example', '550 (address) or ben (address)'],
  ["550 o'ben@a.example=x", '550 (address)'],
  ['550 bounce+ben=a.example@c.example', '550 (address)'],
  ['550 postmaster@[192.0.2.1] told ben', '550 (address) told ben'],
  ['550 <anna@a.example> see http://a.example/?u=ben%40a.example', '550 <anna@a.example> see http:(address)'],
])('%s', (text, without) => expect(withoutMailboxes(text, OWN, OURS)).toBe(without));

/** Local parts as a mail server may be asked about: dot-atoms with all that is allowed in them, and quoted ones. */
const SECRET = 'secret';
const atom = fc.string({ unit: fc.constantFrom(..."abz09!#$%&'*+-/=?^_`{|}~ä日"), maxLength: 4 });
const quoted = fc
  .string({ unit: fc.constantFrom(..."ab @<>()[]:;,'=."), maxLength: 6 })
  .chain((text) => fc.constantFrom(text, `${text}\\"`, `${text}\\\\`));
const local = fc.oneof(
  fc.tuple(atom, atom).map(([a, b]) => `${a}${SECRET}${b}`),
  fc.tuple(quoted, quoted).map(([a, b]) => `"${a}${SECRET}${b}"`),
);
const domain = fc.constantFrom(
  'a.example',
  'b.example',
  'xn--bcher-kva.example',
  'a-b.c.example',
  '[192.0.2.7]',
);
const wrapped = fc.constantFrom(
  '<$>',
  '"$"',
  "'$'",
  '$',
  '$...',
  '($)',
  '<$>:',
  'to=$',
  'rfc822;$',
  '[$]',
  '$,',
);
const other = fc
  .tuple(local, domain, wrapped)
  .map(([name, at, around]) => around.replace('$', () => `${name}@${at}`));
const link = fc
  .tuple(atom, domain)
  .map(([a, at]) => `https://a.example/?u=${encodeURIComponent(`${a}${SECRET}@${at}`)}&x`);
const filler = fc.constantFrom(
  '550',
  '5.1.1',
  'User unknown',
  'see',
  '/',
  `<${OWN}>`,
  OWN,
  OURS,
  '@',
  "it's",
);

test('no other mailbox is left in a reply, however it is quoted, and the recipient’s own stays', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(filler, other, link), { minLength: 1, maxLength: 8 }), (pieces) => {
      const text = pieces.join(' ');
      const without = withoutMailboxes(text, OWN, OURS);
      expect(without).not.toContain(SECRET);
      if (!text.includes(SECRET)) expect(without).toBe(text);
    }),
    { numRuns: 5_000 },
  );
});

test('a hostile text costs no more than it is long', () => {
  for (const piece of ['a@', '@', '"@x ', '\\"@x ', '%40', '"', 'a"@a%40', '<@a'])
    for (const first of ['', '"', 'aaa', '%40'])
      expect(withoutMailboxes(`${first}${piece.repeat(30_000)}x@y`, OWN)).not.toContain('x@y');
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
