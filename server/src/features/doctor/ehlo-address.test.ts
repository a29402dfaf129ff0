// What servers in the field answer to EHLO, and what others might.
import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seenAddress } from './ehlo-address.ts';

const HELO = 'mx1.shop.example';
const octets = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString('latin1'));

test.each([
  ['mx.google.com at your service, [203.0.113.7]', '203.0.113.7'],
  ['DB5EUR03FT033.mail.protection.outlook.com Hello [203.0.113.7]', '203.0.113.7'],
  [`gmx.net Hello ${HELO} [203.0.113.7]`, '203.0.113.7'],
  ['mx.google.com at your service, [2001:db8::1]', '2001:db8::1'],
  ['host Hello [IPv6:2001:DB8:0:0:0:0:0:1], pleased to meet you', '2001:db8::1'],
  ['host Hello [::ffff:203.0.113.7]', '203.0.113.7'],
  ['host Hello', null],
  ['host Hello 203.0.113.7', null],
  ['host Hello [203.0.113.700]', null],
  ['host Hello [client]', null],
  ['', null],
])('%s', (line, address) => {
  expect(seenAddress(line, HELO)).toBe(address);
});

test('a HELO name that is an address, sent back, is not what the server sees', () => {
  expect(seenAddress('host Hello [192.0.2.1]', '[192.0.2.1]')).toBeNull();
  expect(seenAddress('host Hello [192.0.2.1] [203.0.113.7]', '[192.0.2.1]')).toBe('203.0.113.7');
});

test('whatever address is shown in whatever text is read; whatever comes, nothing but an address is', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  const text = octets(20).map((words) => words.replace(/[[\]]/g, ''));
  fc.assert(
    fc.property(address, text, text, fc.boolean(), (ip, before, after, isMarked) => {
      const shown = `${before}[${isMarked && ip.includes(':') ? 'IPv6:' : ''}${ip}]${after}`;
      const seen = seenAddress(shown, HELO);
      // Of two spellings of an address, a URL knows one; an IPv4 address in IPv6 is the IPv4 one.
      expect(isIP(seen ?? '')).not.toBe(0);
      if (!ip.includes(':')) expect(seen).toBe(ip);
      else if (seen!.includes(':')) expect(seen).toBe(new URL(`http://[${ip}]`).hostname.slice(1, -1));
      expect(seenAddress(`[${seen}]`, HELO)).toBe(seen);
    }),
  );
  fc.assert(
    fc.property(octets(80), fc.string({ maxLength: 20 }), (line, helo) => {
      const seen = seenAddress(line, helo);
      expect(seen === null || isIP(seen) !== 0).toBe(true);
    }),
  );
});
