import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTooManyValues, MAX_ADDRESSES_SENT } from './json-shape.ts';

const MANY = Array.from({ length: 1_000_001 }, () => '[]').join(',');

test('what is inside strings is not counted, however long and escaped they are', () => {
  const piece = fc.constantFrom(
    '[[,{',
    '\\',
    '"',
    '\\"',
    'x'.repeat(31),
    'x'.repeat(32),
    'é',
    ',[]'.repeat(20),
  );
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
      const strings = JSON.stringify(texts);
      expect(isTooManyValues(Buffer.from(strings))).toBe(false);
      // Had a string ended early or late, these would be inside it, or the others outside.
      const hidden = JSON.stringify([...texts, MANY.slice(0, 3_000)]);
      expect(isTooManyValues(Buffer.from(hidden))).toBe(false);
    }),
  );
  expect(isTooManyValues(Buffer.from(`["${'x'.repeat(40)}\\\\",${MANY}]`))).toBe(true);
  expect(isTooManyValues(Buffer.from(`["${'x'.repeat(40)}\\",${MANY}]`))).toBe(false);
  expect(isTooManyValues(Buffer.from(`["${'x'.repeat(31)}\\\\",${MANY}]`))).toBe(true);
  expect(isTooManyValues(Buffer.from(`["${'x'.repeat(31)}\\"",${MANY}]`))).toBe(true);
});

test('a string that never ends is no way around', () => {
  expect(isTooManyValues(Buffer.from('"'))).toBe(false);
  expect(isTooManyValues(Buffer.from(`"${'\\'.repeat(101)}`))).toBe(false);
  expect(isTooManyValues(Buffer.from(`${MANY},"${'x'.repeat(100)}`))).toBe(true);
});

test('names of objects are counted, all together', () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `{"k":${n}}`).join(',');
  expect(isTooManyValues(Buffer.from(`[${names(100_000)}]`))).toBe(false);
  expect(isTooManyValues(Buffer.from(`[${names(100_001)}]`))).toBe(true);
  expect(isTooManyValues(Buffer.from('":::::"'.repeat(30_000)))).toBe(false);
});

test('values side by side are counted, more of them where they are addresses', () => {
  const values = Buffer.from(`[${'0,'.repeat(1_000_000)}0,0]`);
  expect(isTooManyValues(values)).toBe(true);
  expect(isTooManyValues(values.subarray(0, -3))).toBe(false);
  expect(isTooManyValues(values, MAX_ADDRESSES_SENT)).toBe(false);
});
