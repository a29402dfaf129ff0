import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compress, decompress } from './compress.ts';

test('whatever is compressed comes back, on both sides of the size from which it pays', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 500 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (words, times) => {
      const json = JSON.stringify({ words: words.repeat(times) });
      expect(decompress(compress(json))).toBe(json);
    }),
  );
});

test('a long text is stored in less than a tenth of its bytes, a short one as it is', () => {
  const long = 'RCPT TO:<anna@example.com> '.repeat(1_000);
  expect(compress(long).length).toBeLessThan(long.length / 10);
  expect(compress('{"rows":[]}').toString()).toBe('{"rows":[]}');
});

test('a short text that an earlier version compressed is read as well', () => {
  expect(decompress(zstdCompressSync('{"rows":[]}'))).toBe('{"rows":[]}');
});
