import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPermitWindows, giveBackPermits, takePermits } from './permit-windows.ts';

const DAY_MS = 86_400_000;
const START_MS = 20_000 * DAY_MS;

const anyStep = fc.record({
  payer: fc.integer({ min: 1, max: 12 }).map(String),
  wanted: fc.integer({ min: 1, max: 200 }),
  back: fc.boolean(),
  laterMs: fc.oneof(fc.constant(0), fc.nat(DAY_MS / 4)),
});

test('of a shared limit no day grants more than it has, and one that comes while much of it is reserved finds room', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.array(anyStep, { maxLength: 40 }), (perDay, steps) => {
      const windows = createPermitWindows();
      let nowMs = START_MS;
      let day = 0;
      let held = new Map<string, number>();
      for (const { payer, wanted, back, laterMs } of steps) {
        nowMs += laterMs;
        const grant = takePermits(windows, { payer, wanted, perHour: null, perDay }, nowMs);
        if (grant.day !== day) held = new Map();
        day = grant.day;
        const isNew = !held.has(payer);
        const part = (nowMs % DAY_MS) / DAY_MS;
        // What those before it may have had, and then those that found room when nothing was left for them but what is reserved.
        const mayHaveHad = Math.floor(perDay * Math.max(held.size / (held.size + 1), part)) + held.size;
        if (isNew && mayHaveHad < perDay) expect(grant.granted).toBeGreaterThanOrEqual(1);
        held.set(payer, (held.get(payer) ?? 0) + grant.granted);
        const all = [...held.values()].reduce((sum, count) => sum + count, 0);
        expect(all).toBeLessThanOrEqual(perDay);
        const most = Math.max(1 / (held.size + 1), part) * perDay;
        if (grant.granted > 0) expect(held.get(payer)).toBeLessThanOrEqual(Math.max(1, most));
        if (grant.granted < wanted) expect(grant.moreInMs).toBeGreaterThan(0);
        if (!back) continue;
        giveBackPermits(windows, { ...grant, source: null, key: '', payer, count: grant.granted });
        held.set(payer, held.get(payer)! - grant.granted);
      }
    }),
  );
});

test('one payer alone has everything: at once where there is no other, else by the end of the day', () => {
  const take = (payer: string, nowMs: number, windows = createPermitWindows()) =>
    takePermits(windows, { payer, wanted: 100, perHour: null, perDay: 100 }, nowMs).granted;
  expect(take('', START_MS)).toBe(100);
  const windows = createPermitWindows();
  const quarters = [0, 1, 2, 3].map((quarter) => take('1', START_MS + quarter * (DAY_MS / 4), windows));
  expect([...quarters, take('1', START_MS + DAY_MS - 1, windows)]).toEqual([50, 0, 0, 25, 24]);
});

test('there is more when the share has grown by one', () => {
  const windows = createPermitWindows();
  const request = { payer: '1', wanted: 60, perHour: null, perDay: 100 };
  const { granted, moreInMs } = takePermits(windows, request, START_MS);
  expect([granted, moreInMs / DAY_MS]).toEqual([50, expect.closeTo(0.51)]);
  expect(takePermits(windows, request, START_MS + moreInMs - 1).granted).toBe(0);
  expect(takePermits(windows, request, START_MS + moreInMs + 1).granted).toBe(1);
});

test.each([
  0, 0.5, 0.875, 0.99,
])('at %d of the day, one finds room beside another that has had all it may', (part) => {
  const windows = createPermitWindows();
  const take = (payer: string, wanted: number) =>
    takePermits(windows, { payer, wanted, perHour: null, perDay: 10_000 }, START_MS + part * DAY_MS).granted;
  expect(take('1', 10_000)).toBe(Math.max(5_000, part * 10_000));
  expect(take('2', 10_000)).toBeGreaterThanOrEqual(Math.floor(((1 - part) * 10_000) / 6));
  expect(take('3', 10_000)).toBeGreaterThan(0);
  expect(take('1', 1)).toBe(0);
});
