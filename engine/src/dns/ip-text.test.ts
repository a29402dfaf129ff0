import { isIPv4, SocketAddress } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ipBytes, ipv4Text, ipv6Text } from './ip-text.ts';

const bytesOf = (groups: readonly number[]) =>
  Buffer.from(groups.flatMap((group) => [group >> 8, group & 255]));

test.each<[readonly number[], string]>([
  [[0, 0, 0, 0, 0, 0, 0, 0], '::'],
  [[0, 0, 0, 0, 0, 0, 0, 1], '::1'],
  [[0x2606, 0x4700, 0, 0, 0, 0, 0, 0x1111], '2606:4700::1111'],
  [[0x2001, 0xdb8, 0, 1, 1, 1, 1, 1], '2001:db8:0:1:1:1:1:1'],
  [[0x2001, 0, 0, 1, 0, 0, 1, 1], '2001::1:0:0:1:1'],
  [[0x2001, 0, 0, 1, 0, 0, 0, 1], '2001:0:0:1::1'],
  [[0xfe80, 0, 0, 0, 0, 0, 0, 0], 'fe80::'],
  [[0, 0, 0, 0, 0, 0xffff, 0xc000, 0x0201], '::ffff:192.0.2.1'],
  [[0, 0, 0, 0, 0, 0, 0xc000, 0x0201], '::192.0.2.1'],
])('%j is %s', (groups, text) => {
  expect(ipv6Text(bytesOf(groups), 0)).toBe(text);
});

test('an IPv6 address is written as node:net writes it', () => {
  const group = fc.oneof(
    fc.constant(0),
    fc.constantFrom(1, 0xffff, 0x10, 0xabc),
    fc.integer({ max: 0xffff, min: 0 }),
  );
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), fc.nat(5), (groups, at) => {
      const address = groups.map((one) => one.toString(16)).join(':');
      const shown = new SocketAddress({ address, family: 'ipv6' }).address;
      expect(ipv6Text(Buffer.concat([Buffer.alloc(at, 7), bytesOf(groups)]), at)).toBe(shown);
    }),
    { numRuns: 2_000 },
  );
});

test('an IPv4 address is written in four numbers', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (bytes) => {
      const text = ipv4Text(bytes, 0);
      expect(isIPv4(text)).toBe(true);
      expect(text.split('.').map(Number)).toEqual([...bytes]);
    }),
  );
});

test('an address is made into its bytes, whichever way it is written', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      expect(ipBytes(ipv6Text(bytes, 0))).toEqual(bytes);
      expect(ipBytes(ipv4Text(bytes, 0))).toEqual(bytes.slice(0, 4));
    }),
  );
  expect(ipBytes('2001:DB8:0:0::1')).toEqual(ipBytes('2001:db8::1'));
  for (const text of ['mx.example', '192.0.2.256', 'fe80::1%eth0', '']) expect(() => ipBytes(text)).toThrow();
});
