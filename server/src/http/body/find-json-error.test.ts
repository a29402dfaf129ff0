import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonError } from './find-json-error.ts';

const at = (text: string) => findJsonError(Buffer.from(text));

/** Undefined: it is JSON. Null: the engine does not say where. */
function engineAt(text: string): number | null | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const { message } = error as SyntaxError;
    if (message.startsWith('Unexpected end')) return text.length;
    return Number(/ at position (\d+)/.exec(message)?.[1] ?? Number.NaN) || null;
  }
}

test.each([
  ['', 0],
  [' \n', 2],
  ['{', 1],
  ['{a', 1],
  ['[1,]', 3],
  ['{"a":1,}', 7],
  ['{"a":tru}', 8],
  ['{"a" 1}', 5],
  ['{"emails":["a@b.test" "c@d.test"]}', 22],
  ["{'a':1}", 1],
  ['[01]', 2],
  ['[-]', 2],
  ['[1.]', 3],
  ['[1e+]', 4],
  ['["\\x"]', 3],
  ['["\\u12G4"]', 6],
  ['["\\u123"]', 7],
  ['["a\n"]', 3],
  ['"open', 5],
  ['1 2', 2],
  ['nul', 3],
  ['[}', 1],
  ['{]', 1],
  ['["ä",]', 6],
])('%j cannot go on at byte %i', (text, position) => {
  expect(at(text)).toBe(position);
});

const pieces = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"', '"a"', '"a":', '\\', '\\u00e4', '\\"', ' ', '\n', '\t', '\u0001'],
  ...['0', '1', '-', '.', 'e', 'E+', '12.5e-3', 'true', 'fals', 'null', 'x', '"emails":[', '"a@b.test",'],
);
const nearJson = fc.oneof(
  fc.json(),
  fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
  fc.tuple(fc.json(), fc.nat(), pieces, fc.boolean()).map(([json, n, piece, isCut]) => {
    const cut = n % (json.length + 1);
    return isCut ? json.slice(0, cut) : json.slice(0, cut) + piece + json.slice(cut);
  }),
);

test('it says where exactly if the engine says that it is no JSON, and the same place where the engine says one', () => {
  fc.assert(
    fc.property(nearJson, (text) => {
      const expected = engineAt(text);
      const found = at(text);
      expect(found === null).toBe(expected === undefined);
      if (expected != null && /^[\0-\x7f]*$/.test(text)) expect(found).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

test('what comes before the place can be continued, and with the byte there it cannot', () => {
  fc.assert(
    fc.property(nearJson, (text) => {
      const bytes = Buffer.from(text);
      const found = findJsonError(bytes);
      if (found === null) return;
      // A prefix that can be continued has its error at its very end, or none.
      const before = findJsonError(bytes.subarray(0, found));
      expect(before === null || before === found).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('whatever is nested without end is told without a place, and at once', () => {
  expect(at('['.repeat(1_000_000))).toBeNull();
  expect(at('['.repeat(9_999))).toBe(9_999);
});
