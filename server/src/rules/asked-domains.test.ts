import { parseAddress } from '@mxproof/engine';
import { expect, test } from 'vitest';
import { askedDomain, countAsked } from './asked-domains.ts';

test.each([
  'a@example.com',
  '"a@b"@example.com',
  'a@bücher.example',
  'ü@xn--bcher-kva.example',
  'a@mail-1.example',
])('the domain of %s is the one the engine knows', (email) => {
  const parsed = parseAddress(email);
  expect(askedDomain(email)).toBe(parsed.ok && parsed.address.domain);
});

test.each([
  'a@b\0c.example',
  `a@${'a'.repeat(300)}.example`,
  'a@ex ample.com',
  'a@\ud800.example',
])('what no domain can be is none: %j', (email) => expect(askedDomain(email)).toBeNull());

test('recipients are counted by domain, in one order', () => {
  const recipients = ['b', 'a', 'b'].map((domain, n) => ({ domain, isUnknown: n > 0 }));
  expect(countAsked(recipients)).toEqual([
    { domain: 'a', asked: 1, unknown: 1 },
    { domain: 'b', asked: 2, unknown: 1 },
  ]);
});
