import { expect, test } from 'vitest';
import { validateHelo, validateMailFrom } from './own-names.ts';

test.each([
  'mail.example.com',
  'MX1.Example.Com',
  '[192.0.2.1]',
  '[IPv6:2001:db8::1]',
])('%s is a name to greet with', (name) => {
  expect(validateHelo(name)).toBeNull();
});

test.each([
  '',
  'localhost',
  'localhost.localdomain',
  'host.localhost',
  'myhost',
  '192.0.2.1',
  '2001:db8::1',
  '[192.0.2]',
  '[IPv6:192.0.2.1]',
  '[2001:db8::1]',
  'a b.example',
  'mail.example.com\r\nRSET',
  'bücher.example',
  '-a.example',
  '1.2.3',
  'mail.example.com.',
])('%j is not a name to greet with', (name) => {
  expect(validateHelo(name)).toMatch(/^.+$/);
});

test.each(['', '<>', 'probe@example.com'])('%j may send', (sender) => {
  expect(validateMailFrom(sender)).toBeNull();
});

test.each([
  'probe',
  'a@localhost',
  'a@[192.0.2.1]',
  'a@b.example>\r\nDATA',
  'ü@example.com',
  '@example.com',
])('%j may not', (sender) => {
  expect(validateMailFrom(sender)).toMatch(/^.+$/);
});
