// Addresses made of what breaks texts in which they are replaced, and texts that mention them.
import fc from 'fast-check';
import { cleanEmail } from '../src/rules/clean-emails.ts';

const AWKWARD = [
  ...'"\\{}[]()%&#?/:;,.+-*^$|<>= \t\n\0',
  ...['[erased]', '%40', '%5B', '%', '\\u0040', '\\"', '":"', '$&', '\ud800', '\udc00', '\u001f', '\u2028'],
  ...['a', 'b', 'x', '1', 'ä', '字', '😀'],
];

const part = fc
  .array(fc.constantFrom(...AWKWARD), { minLength: 1, maxLength: 4 })
  .map((each) => each.join(''));
const address = fc.tuple(part, part).map(([local, domain]) => cleanEmail(`${local}@${domain}`));

/** Every way in which texts have it. */
export function waysToWrite(email: string): string[] {
  return [
    email,
    email.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
    ...(email.isWellFormed() ? [encodeURIComponent(email)] : []),
    email.replaceAll('+', '%2B'),
  ];
}

/** `pieces` joined are a text. */
export function mentioning(): fc.Arbitrary<{ email: string; pieces: string[] }> {
  return address
    .filter((email) => /^[^@]+@[^@]+$/.test(email))
    .chain((email) => {
      const piece = fc.oneof(
        fc.constantFrom(...waysToWrite(email)),
        fc.constantFrom(...AWKWARD, '@', email.split('@')[1]!, 'ann', '__proto__'),
        fc.string({ unit: 'binary', maxLength: 3 }),
      );
      return fc.record({
        email: fc.constant(email),
        pieces: fc.array(piece, { minLength: 1, maxLength: 6 }),
      });
    });
}
