import { expect, test } from 'vitest';
import { readArguments } from './arguments.ts';
import { UsageError } from './usage.ts';

const read = (...args: string[]) =>
  readArguments(args, ['<account>', '<credits>'], { note: 'text', json: 'switch' });

test('words may stand in their order or under their names', () => {
  expect(read('7', '50', '--json')).toEqual({ words: ['7', '50'], flags: { note: undefined, json: true } });
  expect(read('--credits', '50', '7').words).toEqual(['7', '50']);
});

test.each([
  [['7'], '<credits> is missing.'],
  [['7', '50', '9'], '"9" is one argument too many.'],
  [['7', '-5'], '-5 is below zero: no number here may be.'],
  [['7', '--credits', '-1'], '-1 is below zero: no number here may be.'],
  [['7', '50', '--nope'], "Unknown option '--nope'."],
])('%j is refused in one sentence', (args, sentence) => {
  expect(() => read(...args)).toThrow(new UsageError(sentence));
});
