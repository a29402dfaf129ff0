import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAddresses } from './read-addresses.ts';

/** What is no address stands in braces. */
const read = (text: string) =>
  readAddresses(text).map((item) => (item.isAddress ? item.text : `{${item.text}}`));

test.each<readonly [string, readonly string[]]>([
  [
    'Ann Lee <a@x.org>, b@y.org; c@z.org\nfoo\nd@x.org e@x.org',
    ['a@x.org', 'b@y.org', 'c@z.org', '{foo}', 'd@x.org', 'e@x.org'],
  ],
  ['"Lee, Ann" <a@x.org>; Lee, Bob <b@x.org>', ['a@x.org', 'b@x.org']],
  ['"a@old.org" <a@x.org>, "b@x.org", "c@x.org"', ['a@x.org', 'b@x.org', 'c@x.org']],
  ['Team A: a@x.org, b@y.org;, To: c@x.org; undisclosed-recipients:;', ['a@x.org', 'b@y.org', 'c@x.org']],
  ['Ann\r\n <a@x.org>,\r\n Bob\r\n\t<b@x.org>', ['a@x.org', 'b@x.org']],
  [
    'a@x.org，b@x.org；c@x.org、d@x.org\u3000e@x.org\u00a0f@x.org',
    'abcdef'.split('').map((a) => `${a}@x.org`),
  ],
  ['＜a@x.org＞ 【b@x.org】「c@x.org」', ['a@x.org', 'b@x.org', 'c@x.org']],
  ['an\u200bn@x\u00ad.org\u200b, \ufeffb@x.org\u202c', ['ann@x.org', 'b@x.org']],
  ['mailto:a@x.org?subject=Hi b@x.org? <mailto:c@x.org?cc=d@x.org>', ['a@x.org', 'b@x.org', 'c@x.org']],
  [
    'a@x.org<mailto:a@x.org> b@x.org <B@x.org>; c@x.org <d@x.org>',
    ['a@x.org', 'b@x.org', 'c@x.org', 'd@x.org'],
  ],
  ['Write to a@x.org or (b@x.org), please.', ['{Write to}', 'a@x.org', '{or}', 'b@x.org', '{please.}']],
  ['1. a@x.org\n2) b@x.org\n• c@x.org\n- d@x.org', ['a@x.org', 'b@x.org', 'c@x.org', 'd@x.org']],
  ["'a@x.org', ‘b@x.org’ **c@x.org** _d@x.org_ `e@x.org`…", 'abcde'.split('').map((a) => `${a}@x.org`)],
  ["o'neil@x.org _a@x.org b_@x.org", ["o'neil@x.org", '_a@x.org', 'b_@x.org']],
  ['a@x.org|b@x.org/c@x.org', ['a@x.org', 'b@x.org', 'c@x.org']],
  ['Ann (Sales) <a@x.org> (old)', ['a@x.org']],
  ['"a b"@x.org, "a@b"@x.org, a@[192.0.2.1]', ['"a b"@x.org', '"a@b"@x.org', 'a@[192.0.2.1]']],
  ['https://x.org/@ann ftp://ann@x.org', ['{https://x.org/@ann ftp://ann@x.org}']],
  ['a@例え。jp。b@x.org', ['a@例え。jp。b@x.org']],
  ['foo@bar, ann@, @ann, a@b@c.org', ['foo@bar', 'ann@', '@ann', 'a@b@c.org']],
  [
    'bob@gmail,com; ann@yahoo,co.uk\nBob <cy@web,de>, di@x,eve@x.org',
    ['bob@gmail,com', 'ann@yahoo,co.uk', '{Bob}', 'cy@web,de', 'di@x', 'eve@x.org'],
  ],
  ['foo, bar\nbaz', ['{foo}', '{bar}', '{baz}']],
  ['"Ann a@x.org\n"b', ['{Ann}', 'a@x.org', '{b}']],
  [' ,;\n<>()[]"" - • ', []],
])('%j', (text, expected) => expect(read(text)).toEqual(expected));

const address = fc
  .tuple(fc.stringMatching(/^[a-z][a-z0-9+'-]{0,8}[a-z0-9]$/), fc.stringMatching(/^[a-z]{1,9}\.[a-z]{2,4}$/))
  .map((parts) => parts.join('@'));
const dressed = fc.constantFrom<(address: string) => string>(
  (one) => one,
  (one) => `<${one}>`,
  (one) => `Ann Lee <${one}>`,
  (one) => `"Lee, Ann" <${one}>`,
  (one) => `mailto:${one}`,
  (one) => `${one} (home)`,
  (one) => `"${one}",`,
);
const separator = fc.constantFrom(', ', ';', '\n', '\r\n', '\t', ' ; ', '，', ',,', '.\n');

test('no address is lost, whatever stands around it, and none is made up', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(address, dressed, separator), { maxLength: 8 }), (pieces) => {
      const text = pieces.map(([one, dress, end]) => dress(one) + end).join('');
      expect(read(text)).toEqual(pieces.map(([one]) => one));
    }),
  );
});

test('of any text, every @ is in what is read, in a name or in a link, and reading again changes nothing', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'a@.,; <>()"\\:/\n\r[]\u200b，'), maxLength: 60 }),
      (text) => {
        for (const item of readAddresses(text)) {
          expect(item.text).not.toBe('');
          expect(item.isAddress).toBe(item.text.includes('@') && !item.text.includes('://'));
        }
        if (!text.includes('@')) expect(readAddresses(text).some(({ isAddress }) => isAddress)).toBe(false);
      },
    ),
    { numRuns: 2_000 },
  );
});
