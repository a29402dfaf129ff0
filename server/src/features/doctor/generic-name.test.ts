import { expect, test } from 'vitest';
import { readIp } from '../../rules/cidr.ts';
import { isGenericName } from './generic-name.ts';

test.each([
  ['ec2-203-0-113-7.compute-1.amazonaws.com', '203.0.113.7'],
  ['static-203-0-113-7.isp.example', '203.0.113.7'],
  ['static.7.113.0.203.clients.your-server.example', '203.0.113.7'],
  ['203.0.113.7.bc.hosting.example', '203.0.113.7'],
  ['host-007-113-000-203.isp.example', '203.0.113.7'],
  ['ip-cb007107.isp.example', '203.0.113.7'],
  ['dynamic.isp.example', '203.0.113.7'],
  ['vps-3f2a91c0.vps.hosting.example', '203.0.113.7'],
  ['cust12.isp.example', '203.0.113.7'],
  ['2001-db8--abcd-1234.isp.example', '2001:db8::abcd:1234'],
])('%s is a name by rule', (name, ip) => {
  expect(isGenericName(name, readIp(ip)!)).toBe(true);
});

test.each([
  ['mx1.shop.example', '203.0.113.7'],
  ['mail-7.shop.example', '203.0.113.7'],
  ['static.example', '203.0.113.7'],
  ['vps1.shop.example', '203.0.113.7'],
  ['mx203.shop.example', '203.0.113.7'],
  ['mx1.shop.example', '2001:db8::1'],
  ['mx1.shop.example', '::1'],
])('%s is a name of its own', (name, ip) => {
  expect(isGenericName(name, readIp(ip)!)).toBe(false);
});
