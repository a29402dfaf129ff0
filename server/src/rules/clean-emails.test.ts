import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHUNK_SIZE, createCleaner, longerThan, MAX_ADDRESSES, toChunks } from './clean-emails.ts';

const clean = (raw: readonly unknown[]) => {
  const cleaner = createCleaner();
  cleaner.add(raw);
  const cleaned = cleaner.end();
  return cleaned.kind === 'clean' ? [cleaned.emails, cleaned.duplicatesRemoved] : cleaned.why;
};

test.each<[readonly unknown[], unknown]>([
  [
    [' A@B.test ', 'a@b.test', 'c@d.test'],
    [['a@b.test', 'c@d.test'], 1],
  ],
  [
    ['', ' ', '\t\n', 'a@b.test'],
    [['a@b.test'], 0],
  ],
  [
    ['b@x', 'a@x', 'B@X', 'A@X', 'a@x'],
    [['b@x', 'a@x'], 3],
  ],
  [['\ufeffa@b.test\u00a0'], [['a@b.test'], 0]],
  [['not an address'], [['not an address'], 0]],
  [
    ['a\u0000@b', '\ud800@b'],
    [['a\u0000@b', '\ud800@b'], 0],
  ],
  // Two spellings of one IDN address are two rows.
  [
    ['a@bücher.test', 'a@xn--bcher-kva.test'],
    [['a@bücher.test', 'a@xn--bcher-kva.test'], 0],
  ],
  [[], 'emails_required'],
  [['', '  '], 'emails_required'],
  [['a@b.test', null], 'emails_not_strings'],
  [['x'.repeat(1000)], [['x'.repeat(1000)], 0]],
  [['x'.repeat(1001)], 'email_too_long'],
])('%j', (raw, expected) => {
  expect(clean(raw)).toEqual(expected);
});

test('repeated addresses do not count towards the limit, unique ones do', () => {
  const most = Array.from({ length: MAX_ADDRESSES }, (_, n) => `${n}@b.test`);
  expect(clean([...most, ...most])).toEqual([most, MAX_ADDRESSES]);
  expect(clean([...most, 'one@more.test'])).toBe('too_many_addresses');
});

test('length is counted in characters, not in halves of them', () => {
  expect(longerThan('😀'.repeat(10), 10)).toBe(false);
  expect(longerThan('😀'.repeat(11), 10)).toBe(true);
  expect(longerThan('x'.repeat(11), 10)).toBe(true);
});

test('chunks hold every address once, in order, whatever is in it, and PostgreSQL can store their text', () => {
  const anyText = fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  });
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 700 }), (emails) => {
      const { total, pieces } = toChunks(emails);
      expect(total).toBe(emails.length);
      const lines = pieces.flatMap(({ text }) => Buffer.from(text).toString().split('\n'));
      expect(lines.flatMap((line) => JSON.parse(line) as string[])).toEqual(emails);
      expect(lines.map((line) => (JSON.parse(line) as string[]).length <= CHUNK_SIZE)).not.toContain(false);
      for (const { text } of pieces) expect(text.includes(0)).toBe(false);
    }),
    { numRuns: 50 },
  );
});

test('large lists come in pieces of consecutive chunks', () => {
  const emails = Array.from({ length: 20_000 }, (_, n) => `${n}${'x'.repeat(900)}@b.test`);
  const { pieces } = toChunks(emails);
  expect(pieces.length).toBeGreaterThan(3);
  let next = 0;
  for (const { first, count, text } of pieces) {
    expect(first).toBe(next);
    expect(Buffer.from(text).toString().split('\n')).toHaveLength(count);
    next += count;
  }
  expect(next).toBe(80);
});
