// What hosts that count by the minute count.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countIn, createMinuteCounter, lastMinute, roomAtMs } from './minute-counter.ts';

const START_MS = 1_893_456_000_000;

test('never fewer than there were in the last minute, never one that is older than seventy seconds', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40_000 }), { maxLength: 60 }), (gaps) => {
      const minute = createMinuteCounter();
      const times: number[] = [];
      let nowMs = START_MS;
      for (const gapMs of gaps) {
        nowMs += gapMs;
        countIn(minute, 1, nowMs);
        times.push(nowMs);
        const within = (ms: number) => times.filter((atMs) => atMs > nowMs - ms).length;
        expect(lastMinute(minute, nowMs)).toBeGreaterThanOrEqual(within(60_000));
        expect(lastMinute(minute, nowMs)).toBeLessThanOrEqual(within(70_000));
      }
    }),
  );
});

test('the moment it names has room, and the one before has not', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 12 }),
      (gaps, limit) => {
        const minute = createMinuteCounter();
        let nowMs = START_MS;
        for (const gapMs of gaps) {
          nowMs += gapMs;
          countIn(minute, 1, nowMs);
        }
        const atMs = roomAtMs(minute, limit, nowMs);
        if (atMs > nowMs) expect(lastMinute(minute, atMs - 1)).toBeGreaterThanOrEqual(limit);
        expect(lastMinute(minute, atMs)).toBeLessThan(limit);
        expect(atMs - nowMs).toBeLessThanOrEqual(70_000);
      },
    ),
  );
});
