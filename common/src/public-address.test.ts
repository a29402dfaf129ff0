// Addresses that DNS must not send us to.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '192.0.1.1',
  '198.20.0.1',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2a00:1450:4001:81b::200e',
  '2606:4700::1111',
  '64:ff9b::8.8.8.8',
  '64:ff9b::808:808',
])('%s is public', (ip) => {
  expect(isPublicAddress(ip)).toBe(true);
});

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '192.0.0.170',
  '192.0.2.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '192.88.99.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '::',
  '::1',
  '::7f00:1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '0:0:0:0:0:ffff:10.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b::169.254.169.254',
  '64:ff9b::',
  '64:ff9b:1::8.8.8.8',
  '2002:7f00:1::',
  '2002:808:808::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  '2001:10::1',
  '2001:20::1',
  '3fff::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '100::1',
  '5f00::1',
  'fd00:ec2::254',
])('%s is not', (ip) => {
  expect(isPublicAddress(ip)).toBe(false);
});

test.each([
  '',
  ' ',
  'localhost',
  'example.com',
  '8.8.8',
  '8.8.8.8.8',
  '08.8.8.8',
  '8.8.8.8 ',
  '0x7f.0.0.1',
  '2130706433',
  '[::1]',
  '2001:4860::8888%1',
  '8.8.8.8:25',
  '::ffff:8.8.8',
])('odd text %j is not', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

test('NAT64 is public exactly when the IPv4 address inside is, however it is written', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number);
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      expect(isPublicAddress(`64:ff9b::${ip}`)).toBe(isPublicAddress(ip));
      expect(isPublicAddress(`64:ff9b::${hex}`)).toBe(isPublicAddress(ip));
      expect(isPublicAddress(`64:ff9b:0:0:0:0:${hex}`)).toBe(isPublicAddress(ip));
      expect(isPublicAddress(`::ffff:${ip}`)).toBe(false);
    }),
  );
});
