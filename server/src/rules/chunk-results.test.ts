import { REASON_WORDS, REASONS } from '@mxproof/common/vocabulary/verdicts';
import { DETAILS, type Verdict } from '@mxproof/engine';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accepted } from '../../test/verdicts.ts';
import { mergeResults, readResults, singleResults } from './chunk-results.ts';

const verdict: fc.Arbitrary<Verdict> = fc
  .record({
    reason: fc.constantFrom(...REASON_WORDS),
    detail: fc.constantFrom(...DETAILS),
    score: fc.integer({ min: 0, max: 100 }),
    acceptAll: fc.boolean(),
    role: fc.boolean(),
    free: fc.boolean(),
    disposable: fc.boolean(),
    mx: fc.option(fc.constantFrom('mx1.example.com', 'mx2.example.com', '')),
    provider: fc.constantFrom('', 'other', 'google'),
  })
  .map((rest) => ({ ...rest, state: REASONS[rest.reason].state }));

const SIZE = 20;
const AT = 1_700_000_000;
const LATER = AT + 60;
const row = (found: Verdict | undefined, checkedAtSeconds: number) =>
  found ? { ...found, checkedAtSeconds } : null;
const found = fc
  .array(fc.tuple(fc.integer({ min: -2, max: SIZE + 2 }), verdict), { maxLength: 30 })
  .map((entries) => new Map(entries));

test('what was merged is read back, and the rest is pending', () => {
  fc.assert(
    fc.property(found, (verdicts) => {
      const { text, addedTotal } = mergeResults(null, SIZE, verdicts, AT);
      const read = readResults(text, SIZE);
      expect(read).toHaveLength(SIZE);
      for (const [position, each] of read.entries()) expect(each).toEqual(row(verdicts.get(position), AT));
      expect(addedTotal).toBe(read.filter((each) => each !== null).length);
    }),
  );
});

test('merging twice is merging once', () => {
  fc.assert(
    fc.property(found, (verdicts) => {
      const once = mergeResults(null, SIZE, verdicts, AT);
      const twice = mergeResults(once.text, SIZE, verdicts, LATER);
      expect(twice.addedTotal).toBe(0);
      expect(readResults(twice.text, SIZE)).toEqual(readResults(once.text, SIZE));
    }),
  );
});

test('a position becomes final once, and the counts are what changed', () => {
  fc.assert(
    fc.property(found, found, (first, second) => {
      const one = mergeResults(null, SIZE, first, AT);
      const two = mergeResults(one.text, SIZE, second, LATER);
      const read = readResults(two.text, SIZE);
      const sums = { deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 };
      for (const [position, each] of read.entries()) {
        expect(each).toEqual(row(first.get(position), AT) ?? row(second.get(position), LATER));
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

test('rows from before 0.2 have neither detail nor time, and those that follow have both', () => {
  const before = '{"mx":["mx.example.com"],"provider":["other"],"rows":[[0,95,0,0,0],null]}';
  const old = { ...accepted, detail: null, checkedAtSeconds: null };
  expect(readResults(before, 2)).toEqual([old, null]);
  const { text } = mergeResults(before, 2, new Map([[1, accepted]]), AT);
  expect(readResults(text, 2)).toEqual([old, { ...accepted, checkedAtSeconds: AT }]);
});

test('a detail of a later version is read as not known', () => {
  const text = `{"at":[${AT}],"mx":[],"provider":[""],"rows":[[0,95,0,-1,0,9999]]}`;
  expect(readResults(text, 1)[0]).toMatchObject({ detail: null, checkedAtSeconds: AT });
});

test('a chunk that is written at once has its time in one place, and one that is not names each time once', () => {
  const rows = (from: number, to: number) =>
    new Map(Array.from({ length: to - from }, (_, n) => [from + n, accepted]));
  const one = mergeResults(null, 30, rows(0, 10), AT).text;
  expect(JSON.parse(one)).toMatchObject({ at: [AT] });
  expect(JSON.parse(one).rows[0]).toHaveLength(6);
  const same = mergeResults(one, 30, rows(10, 20), AT).text;
  expect(JSON.parse(same)).toMatchObject({ at: [AT] });
  const later = mergeResults(same, 30, rows(20, 30), LATER).text;
  expect(JSON.parse(later)).toMatchObject({ at: [AT, LATER] });
});

test('a single result is whole once its time is put in', () => {
  fc.assert(
    fc.property(verdict, (found) => {
      const [before, after] = singleResults(found);
      expect(readResults(before + AT + after, 1)).toEqual([row(found, AT)]);
    }),
  );
});
