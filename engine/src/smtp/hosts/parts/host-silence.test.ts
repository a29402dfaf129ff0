import { expect, test } from 'vitest';
import { HostSilence, SILENCE_MS } from './host-silence.ts';

const SECOND_TRY_MS = 120_000;

/** Silences of one host, told in the order in which they ended. */
function silences() {
  const kept = new HostSilence();
  return {
    kept,
    fell: (
      startedAtMs: number,
      nowMs: number,
      { about = null, source = null, answersOthers = false }: Options = {},
    ) => kept.fell(source, { startedAtMs, nowMs, about, answersOthers }).times,
  };
}

interface Options {
  readonly about?: string | null;
  readonly source?: string | null;
  readonly answersOthers?: boolean;
}

test('silences in a row are counted up to belief, those side by side are one', () => {
  const host = silences();
  expect(host.fell(0, 60_000)).toBe(1);
  expect(host.fell(10_000, 70_000)).toBe(1);
  expect(host.fell(90_000, 210_000)).toBe(2);
  expect(host.fell(100_000, 220_000)).toBe(2);
  expect(host.fell(220_000, 225_000)).toBe(3);
  expect(host.fell(225_000, 230_000)).toBe(3);
});

test('a second try has its own time in all, the one after it only shows that our network works', () => {
  const host = silences();
  const tryMs = (nowMs: number) => host.kept.nextTryMs(null, nowMs, SECOND_TRY_MS);
  expect(tryMs(0)).toBeNull();
  host.fell(0, 60_000);
  expect(tryMs(60_000)).toBe(SECOND_TRY_MS);
  host.fell(60_000, 180_000);
  expect(tryMs(180_000)).toBeLessThan(10_000);
  expect(tryMs(180_000 + SILENCE_MS)).toBeNull();
});

test('a host that has answered late has the time of a second try at once, for an hour', () => {
  const { kept } = silences();
  kept.answeredLate(0);
  expect(kept.nextTryMs(null, SILENCE_MS - 1, SECOND_TRY_MS)).toBe(SECOND_TRY_MS);
  expect(kept.nextTryMs(null, SILENCE_MS, SECOND_TRY_MS)).toBeNull();
});

test('what ends a silence ends it for good', () => {
  const host = silences();
  host.fell(0, 1);
  expect(host.kept.ended(null)).toBe(true);
  expect(host.kept.ended(null)).toBe(false);
  expect(host.fell(2, 3)).toBe(1);
});

test('sessions that overlap one another do not postpone the conclusion for ever', () => {
  const host = silences();
  host.fell(0, 60_000);
  host.fell(60_000, 180_000);
  // Two that take turns, each beginning before the other's silence ends.
  host.fell(60_500, 180_500);
  expect(host.fell(180_000, 185_000)).toBe(3);
});

test('after an hour it begins anew', () => {
  const host = silences();
  host.fell(0, 60_000);
  expect(host.kept.isSilent(null, 60_000 + SILENCE_MS - 1)).toBe(true);
  expect(host.kept.isSilent(null, 60_000 + SILENCE_MS)).toBe(false);
  expect(host.fell(60_000 + SILENCE_MS, 120_000 + SILENCE_MS)).toBe(1);
});

test('the same recipient again is not news about the host, another one is, unless it answers others', () => {
  const host = silences();
  expect(host.fell(0, 1, { about: 'anna@a.example' })).toBe(1);
  expect(host.fell(2, 3, { about: 'anna@a.example' })).toBe(1);
  expect(host.fell(4, 5, { about: 'ben@a.example', answersOthers: true })).toBe(1);
  expect(host.fell(6, 7, { about: 'carl@a.example' })).toBe(2);
  expect(host.fell(8, 9)).toBe(3);
});

test('each source address hears for itself', () => {
  const host = silences();
  host.fell(0, 1, { source: '127.0.0.1' });
  expect(host.kept.isSilent('127.0.0.2', 2)).toBe(false);
  expect(host.fell(2, 3, { source: '127.0.0.2' })).toBe(1);
  expect(host.kept.isSilent('127.0.0.1', 3)).toBe(true);
});
