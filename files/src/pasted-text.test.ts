import { expect, test } from 'vitest';
import { clean } from '../test/in-memory.ts';
import { pastedFile } from './pasted-text.ts';

/** As the page reads it. */
async function addressesOf(pasted: string): Promise<readonly string[]> {
  const file = pastedFile(pasted);
  const { addresses } = await clean(new TextEncoder().encode(file?.text ?? pasted), file?.layout ?? {});
  return addresses;
}

test.each([
  ['a@x.org, b@x.org\nc@x.org, d@x.org', 'a@x.org\nb@x.org\nc@x.org\nd@x.org\n'],
  ['a@x.org\tb@x.org\nc@x.org\td@x.org', 'a@x.org\nb@x.org\nc@x.org\nd@x.org\n'],
  ['To: a@x.org, b@x.org\nCc: c@x.org, d@x.org', 'a@x.org\nb@x.org\nc@x.org\nd@x.org\n'],
  ['foo\nd@x.org', 'foo\nd@x.org\n'],
  ['"a,b"@x.org c@x.org', '"""a,b""@x.org"\nc@x.org\n'],
  ['', ''],
])('a heap becomes a row for each address: %j', (pasted, text) => {
  expect(pastedFile(pasted)).toEqual({
    text,
    layout: { columns: [0], hasHeader: false, separator: ',', encoding: 'utf-8' },
  });
});

test.each([
  [
    'Ann Lee <a@x.org>, b@y.org; c@z.org\nfoo\nd@x.org e@x.org',
    'Email,Name\na@x.org,Ann Lee\nb@y.org,\nc@z.org,\nfoo,\nd@x.org,\ne@x.org,\n',
  ],
  ['Lee, Ann <a@x.org>;\nRay, Bob <b@x.org>;', 'Email,Name\na@x.org,"Lee, Ann"\nb@x.org,"Ray, Bob"\n'],
  ['"Lee, Ann" <a@x.org>', 'Email,Name\na@x.org,"Lee, Ann"\n'],
  ['"a@x.org" <a@x.org>, =1+1 <b@x.org>', "Email,Name\na@x.org,\nb@x.org,'=1+1\n"],
  ['Mail\nJörg <a@x.org>', '\ufeffMail,Name\na@x.org,Jörg\n'],
])('names stay beside their addresses: %j', async (pasted, text) => {
  const file = pastedFile(pasted);
  expect(file).toEqual({
    text,
    layout: { columns: [0], hasHeader: true, separator: ',', encoding: 'utf-8' },
  });
  expect((await addressesOf(pasted)).every((address) => address.includes('@'))).toBe(true);
});

test('a heading above the addresses stays one', () => {
  expect(pastedFile('\nE-Mail\na@x.org\nb@x.org')).toMatchObject({
    text: 'E-Mail\na@x.org\nb@x.org\n',
    layout: { hasHeader: true },
  });
});

test.each([
  'Name\tEmail\tCity\nAnn\ta@x.org\tRome\nBob\t\tOslo\nCy\tc@x.org\t',
  'Name,Email\nAnn,a@x.org\n"Ray, Bob",c@x.org',
  'Ann;a@x.org\nBob;c@x.org',
  'Email;Second email\na@x.org;b@x.org\nc@x.org;d@x.org',
  'Ann\ta@x.org',
  '| Ann | a@x.org |\n| Cy | c@x.org |',
])('a table stays as it is: %j', async (pasted) => {
  expect(pastedFile(pasted)).toBeNull();
  expect(['a@x.org', 'a@x.org,c@x.org']).toContain((await addressesOf(pasted)).join());
});

test('what is read of a heap is read again of its file', async () => {
  expect(await addressesOf('"a,b"@x.org, Ann <c@x.org> foo@bar =1+1@x.org')).toEqual([
    '"a,b"@x.org',
    'c@x.org',
    'foo@bar',
    '=1+1@x.org',
  ]);
});
