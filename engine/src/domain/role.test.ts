import { describe, expect, it } from 'vitest';
import { parseAddress } from '../address/parse-address.ts';
import { isRole } from './role.ts';

const role = (text: string): boolean => {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(parsed.why);
  return isRole(parsed.address);
};

describe('role addresses', () => {
  it.each([
    'info@example.com',
    'INFO@example.com',
    'info+shop@example.com',
    '"info"@example.com',
    '"in\\fo"@example.com',
    'no-reply@example.com',
    'sales@example.com',
    'kontakt@example.de',
    ...'marketing support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp'
      .split(' ')
      .map((name) => `${name}@example.com`),
  ])('%s is one', (text) => expect(role(text)).toBe(true));

  it.each([
    'jane.doe@example.com',
    'informatik@example.com',
    'infos.jane@example.com',
    'jane+info@example.com',
    '+info@example.com',
    'paris@example.com',
    'alexa@example.com',
    'constructor@example.com',
  ])('%s is none', (text) => expect(role(text)).toBe(false));
});
