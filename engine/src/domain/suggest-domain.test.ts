import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFree } from './free-providers.ts';
import { suggestDomain } from './suggest-domain.ts';

describe('typo suggestions', () => {
  it.each([
    ['gmial.com', 'gmail.com'],
    ['gamil.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gnail.con', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gmail.comm', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hotnail.com', 'hotmail.com'],
    ['hotmai.fr', 'hotmail.fr'],
    ['outlok.com', 'outlook.com'],
    ['otulook.com', 'outlook.com'],
    ['yahooo.com', 'yahoo.com'],
    ['yhaoo.com', 'yahoo.com'],
    ['yaho.com', 'yahoo.com'], // on the free list, and yet a slip
    ['icluod.com', 'icloud.com'],
    ['live.con', 'live.com'],
    ['lvie.com', 'live.com'],
    ['aol.cmo', 'aol.com'],
    ['protonmial.com', 'protonmail.com'],
    ['t-onlin.de', 't-online.de'],
  ])('%s: %s', (domain, meant) => expect(suggestDomain(domain)).toBe(meant));

  it.each([
    'gmail.com',
    'ymail.com', // a free provider of its own
    'mail.com',
    'example.com',
    'line.com', // short names are dense
    'love.com',
    'cloud.com', // begins otherwise than icloud.com
    'orange.com', // the company, not its customers
    'gmail.org',
    'comcast.com',
    'com',
    '',
    `${'a'.repeat(250)}.com`,
  ])('%s: none', (domain) => expect(suggestDomain(domain)).toBe(null));

  it('never for a free provider, and only ever a free provider', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('gmail.com', 'yahoo.com', 'web.de', 'hotmail.co.uk'),
        fc.nat(),
        fc.nat(),
        (domain, at, sign) => {
          const cut = at % domain.length;
          const typo = `${domain.slice(0, cut)}${'abcdefghijklmnopqrstuvwxyz.-'[sign % 28]}${domain.slice(cut + 1)}`;
          const suggestion = suggestDomain(typo);
          if (isFree(typo)) expect(suggestion).toBe(null);
          if (suggestion !== null) {
            expect(isFree(suggestion)).toBe(true);
            expect(suggestion).not.toBe(typo);
          }
        },
      ),
    );
  });
});
