import type { Verdict } from '@mxproof/engine';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeResults, REASONS, readResults, STATE_OF } from './chunk-results.ts';

const verdict: fc.Arbitrary<Verdict> = fc
  .record({
    reason: fc.constantFrom(...REASONS),
    detail: fc.constant('unclear' as const),
    score: fc.integer({ min: 0, max: 100 }),
    acceptAll: fc.boolean(),
    role: fc.boolean(),
    free: fc.boolean(),
    disposable: fc.boolean(),
    mx: fc.option(fc.constantFrom('mx1.example.com', 'mx2.example.com', '')),
    provider: fc.constantFrom('', 'other', 'google'),
  })
  .map((rest) => ({ ...rest, state: STATE_OF[rest.reason] }));

const SIZE = 20;
const found = fc
  .array(fc.tuple(fc.integer({ min: -2, max: SIZE + 2 }), verdict), { maxLength: 30 })
  .map((entries) => new Map(entries));

test('what was merged is read back, and the rest is pending', () => {
  fc.assert(
    fc.property(found, (verdicts) => {
      const { text, addedTotal } = mergeResults(null, SIZE, verdicts);
      const read = readResults(text, SIZE);
      expect(read).toHaveLength(SIZE);
      for (const [position, each] of read.entries()) expect(each).toEqual(verdicts.get(position) ?? null);
      expect(addedTotal).toBe(read.filter((each) => each !== null).length);
    }),
  );
});

test('merging twice is merging once', () => {
  fc.assert(
    fc.property(found, (verdicts) => {
      const once = mergeResults(null, SIZE, verdicts);
      const twice = mergeResults(once.text, SIZE, verdicts);
      expect(twice.addedTotal).toBe(0);
      expect(readResults(twice.text, SIZE)).toEqual(readResults(once.text, SIZE));
    }),
  );
});

test('a position becomes final once, and the counts are what changed', () => {
  fc.assert(
    fc.property(found, found, (first, second) => {
      const one = mergeResults(null, SIZE, first);
      const two = mergeResults(one.text, SIZE, second);
      const read = readResults(two.text, SIZE);
      const sums = { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 };
      for (const [position, each] of read.entries()) {
        expect(each).toEqual(first.get(position) ?? second.get(position) ?? null);
        if (each) sums[each.state]++;
      }
      for (const state of ['deliverable', 'risky', 'undeliverable', 'unknown'] as const)
        expect(one.added[state] + two.added[state]).toBe(sums[state]);
    }),
  );
});

test('nothing known yet is all pending', () => {
  expect(readResults(null, 3)).toEqual([null, null, null]);
});
