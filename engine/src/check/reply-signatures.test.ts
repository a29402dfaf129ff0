import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Address } from '../types.ts';
import { signaturesOf } from './reply-signatures.ts';

const addressOf = (local: string): Address => ({
  local,
  domain: 'a.example',
  mailbox: `${local}@a.example`,
  needsSmtpUtf8: false,
});

test('the same refusal is known again, even for a recipient whose name is a word of it', () => {
  const told = (local: string, text: string) =>
    signaturesOf(
      { code: Number(text.slice(0, 3)), enhanced: null, lines: [text.slice(4)] },
      addressOf(local),
    );
  const alike = (a: readonly string[], b: readonly string[]) => a.some((one) => b.includes(one));
  const words = '550 5.1.1 no such user here, check for typos 4711-aa';
  for (const local of ['typo', 'user', 'anna'])
    expect(alike(told(local, words), told('zadowi.voduro488156', words))).toBe(true);
  expect(alike(told('anna', '550 unknown: anna'), told('zadowi', '550 unknown: zadowi'))).toBe(true);
  expect(alike(told('anna', words), told('ben', '550 5.2.1 mailbox disabled'))).toBe(false);
});

test('token by token, the same numbers are left out as by a pattern that tries every start', () => {
  const pieces = fc.constantFrom('a', '1', '.', '-', '_', ' ', '<', '日', 'x9', 'mx.b.c');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 16 }), (all) => {
      const text = all.join('');
      const tried = `550 ${text.replace(/[a-z0-9._-]*\d[a-z0-9._-]*/g, '#')}`;
      expect(signaturesOf({ code: 550, enhanced: null, lines: [text] }, addressOf('zz'))).toEqual([tried]);
    }),
    { numRuns: 1_000 },
  );
});
