import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inspectAddress } from './inspect-address.ts';

const plain = { valid: true, suggestion: null, role: false, free: false, disposable: false };

test.each([
  ['ann@example.com', plain],
  ['ann@gmail.com', { ...plain, free: true }],
  ['ann@gmail.con', { ...plain, suggestion: 'gmail.com' }],
  ['info@example.com', { ...plain, role: true }],
  ['ann@mailinator.com', { ...plain, disposable: true }],
  ['ann@com', { ...plain, valid: false }],
  ['ann@exa mple.com', { ...plain, valid: false }],
  ['', { ...plain, valid: false }],
])('%s', (email, expected) => expect(inspectAddress(email)).toEqual(expected));

test('any text has an answer, and what is not an address has no other flag', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const { valid, ...rest } = inspectAddress(text);
      if (!text.includes('@')) {
        expect(valid).toBe(false);
        expect(rest).toEqual({ suggestion: null, role: false, free: false, disposable: false });
      }
    }),
  );
});
