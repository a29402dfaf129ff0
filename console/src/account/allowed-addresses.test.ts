import { expect, test } from 'vitest';
import { readAllowed } from './allowed-addresses.ts';

test('addresses and ranges are taken apart at commas, spaces and lines', () => {
  expect(readAllowed(' 203.0.113.7, 10.0.0.0/8\n2001:db8::/32 ::1,,::ffff:192.0.2.1 ')).toEqual({
    ranges: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32', '::1', '::ffff:192.0.2.1'],
  });
});

test('nothing means from anywhere', () => {
  expect(readAllowed('')).toEqual({ ranges: null });
  expect(readAllowed(' ,\n')).toEqual({ ranges: null });
});

test.each([
  'example.com',
  'localhost',
  '*',
  '10.0.0.0/x',
  'db8',
  '10.0.0.0/',
  '10.0.0.1-9',
  'fe80::1%eth0',
])('what is no address is named: %s', (wrong) => {
  expect(readAllowed(`203.0.113.7 ${wrong} another`)).toEqual({ wrong });
});
