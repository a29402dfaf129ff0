import { expect, test } from 'vitest';
import { isProviderName } from './provider-name.ts';

test.each([
  'gmail.com',
  'mail.gmail.com',
  'mx.google.com',
  'MAIL.Outlook.com',
  'smtp.yahoo.com',
  'x.mimecast.com',
  'mail.gmx.de',
])('%s is a provider’s', (name) => {
  expect(isProviderName(name)).toBe(true);
});

test.each([
  'mx1.example.com',
  'notgmail.com',
  'gmail.com.example.net',
  'home.dyndns.org',
  'localhost',
])('%s may be anybody’s', (name) => {
  expect(isProviderName(name)).toBe(false);
});
