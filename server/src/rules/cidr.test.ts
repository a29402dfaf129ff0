import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCidr, isWithin } from './cidr.ts';

test.each([
  ['203.0.113.7', ['203.0.113.7'], true],
  ['203.0.113.8', ['203.0.113.7'], false],
  ['203.0.113.8', ['203.0.113.0/24'], true],
  ['203.0.114.8', ['203.0.113.0/24'], false],
  ['8.8.8.8', ['0.0.0.0/0'], true],
  ['2001:db8::1', ['0.0.0.0/0'], false],
  ['2001:db8::1', ['10.0.0.0/8', '2001:db8::/32'], true],
  ['2001:DB8:0:0::1', ['2001:db8::1'], true],
  ['2001:db9::1', ['2001:db8::/32'], false],
  // A socket that serves both families shows IPv4 clients like this.
  ['::ffff:203.0.113.7', ['203.0.113.0/24'], true],
  ['::ffff:cb00:7107', ['203.0.113.0/24'], true],
  ['203.0.113.7', ['::ffff:203.0.113.0/120'], true],
  ['::ffff:203.0.113.7', ['::/0'], false],
  ['::1', ['::/0'], true],
  ['fe80::1%eth0', ['fe80::/10'], true],
  // As some proxies write it.
  ['203.0.113.7:61234', ['203.0.113.7'], true],
  ['[2001:db8::1]:61234', ['2001:db8::1'], true],
  ['[fe80::1%eth0]', ['fe80::/10'], true],
  ['[203.0.113.7', ['203.0.113.7'], false],
  ['203.0.113.7:123456', ['203.0.113.7'], false],
  [undefined, ['0.0.0.0/0', '::/0'], false],
  ['unknown', ['0.0.0.0/0', '::/0'], false],
  ['', ['0.0.0.0/0', '::/0'], false],
])('%s within %j: %s', (ip, ranges, within) => {
  expect(isWithin(ip, ranges)).toBe(within);
});

test.each([
  ...[
    '',
    '/',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.1/8',
    '10.0.0/8',
    '010.0.0.0',
    '10.0.0.256',
  ],
  ...[
    '::/129',
    '2001:db8::1/32',
    '2001:db8',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    '::12345',
    'fe80::1%eth0',
  ],
  ...[' 10.0.0.1', '10.0.0.0/8 ', '10.0.0.0/8/8', '10.0.0.0/-1', 'example.com', '*', '1:2:3:4:5:6:7::8:9'],
])('%j is no range', (text) => {
  expect(isCidr(text)).toBe(false);
});

const numbers = (count: number, max: number) =>
  fc.array(fc.integer({ min: 0, max }), { minLength: count, maxLength: count });
const v4 = numbers(4, 255).map((parts) => parts.join('.'));
const v6 = fc.ipV6();

test('what is an address is what the system says', () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6, fc.string()), (text) => {
      const bare = text.replace(/[/%]/g, '');
      expect(isCidr(bare)).toBe(isIP(bare) !== 0);
    }),
  );
});

test('what is within a range is what the system says', () => {
  // Two addresses that have a few of their first numbers in common, and a range around the first.
  const near = (count: number, max: number) =>
    fc.tuple(
      numbers(count, max),
      numbers(count, max),
      fc.integer({ min: 0, max: count }),
      fc.integer({ min: 0, max: count }),
    );
  const zeros = (all: readonly number[], kept: number) => all.map((one, index) => (index < kept ? one : 0));
  const mixed = (a: readonly number[], b: readonly number[], shared: number) =>
    a.map((one, index) => (index < shared ? one : b[index]!));
  fc.assert(
    fc.property(fc.oneof(near(4, 255), near(8, 0xffff)), ([a, b, shared, kept]) => {
      const write = (all: readonly number[]) =>
        all.length === 4 ? all.join('.') : all.map((one) => one.toString(16)).join(':');
      const bits = kept * (a.length === 4 ? 8 : 16);
      const family = a.length === 4 ? 'ipv4' : 'ipv6';
      const list = new BlockList();
      list.addSubnet(write(zeros(a, kept)), bits, family);
      const ip = write(mixed(a, b, shared));
      expect(isWithin(ip, [`${write(zeros(a, kept))}/${bits}`])).toBe(list.check(ip, family));
    }),
  );
});
