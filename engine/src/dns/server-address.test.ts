import { expect, test } from 'vitest';
import { parseServerAddress } from './server-address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1', 53, 4],
  ['192.0.2.1:5353', '192.0.2.1', 5353, 4],
  ['2001:db8::1', '2001:db8::1', 53, 6],
  ['[2001:db8::1]', '2001:db8::1', 53, 6],
  ['[2001:db8::1]:5353', '2001:db8::1', 5353, 6],
  ['fe80::1%eth0', 'fe80::1%eth0', 53, 6],
  ['[fe80::1%eth0]:5353', 'fe80::1%eth0', 5353, 6],
])('%s', (text, ip, port, family) => {
  expect(parseServerAddress(text)).toEqual({ ip, port, family });
});

test.each([
  '',
  'dns.example',
  'dns.example:53',
  '192.0.2.1:0',
  '192.0.2.1:65536',
  '192.0.2.1:',
  '192.0.2.1:53x',
  '[192.0.2.1]:53',
  '[2001:db8::1',
  '2001:db8::1]:53',
  '192.0.2.1, 192.0.2.2',
])('"%s" is refused with a sentence', (text) => {
  expect(() => parseServerAddress(text)).toThrow(`: ${text} (`);
});
