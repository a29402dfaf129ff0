import { expect, test } from 'vitest';
import { NO_SHARED_LINES } from '../../../state/transcript.ts';
import { HostAvailability, type ShutPeriod } from './host-availability.ts';

const shut = (changed: Partial<ShutPeriod> = {}): ShutPeriod => ({
  kind: 'refusing',
  atMs: 100,
  untilMs: 200,
  meaning: null,
  detail: 'connection_refused',
  temporary: true,
  rule: 'connection: refused',
  connected: true,
  unresponsive: 'no',
  retryAfterMs: null,
  host: 'mx.a.example',
  tls: false,
  session: NO_SHARED_LINES,
  ...changed,
});

/** Whether the host is still shut after what happened. */
function isShut(
  why: Partial<ShutPeriod>,
  nowMs: number,
  sinceMs?: number,
  happened?: (availability: HostAvailability) => void,
) {
  const availability = new HostAvailability();
  availability.shut('127.0.0.1', shut(why));
  happened?.(availability);
  return availability.shutFor('127.0.0.1', nowMs, sinceMs) !== null;
}

test.each([
  ['before its time', {}, 199, undefined, true],
  ['after its time', {}, 200, undefined, false],
  ['after its time, for recipients that have waited since before it was shut', {}, 200, 100, true],
  ['after its time, for recipients that came later', {}, 200, 101, false],
  ['busy and after its time, for recipients that have waited', { kind: 'busy' }, 200, 100, false],
] as const)('shut %s', (_when, why, nowMs, sinceMs, expected) => {
  expect(isShut(why, nowMs, sinceMs)).toBe(expected);
});

test('a host shut to one source address is open to the others', () => {
  const availability = new HostAvailability();
  availability.shut('127.0.0.1', shut());
  expect(availability.shutFor('127.0.0.2', 150)).toBeNull();
  expect(availability.shutFor(null, 150)).toBeNull();
});

test('an answered connect opens what was shut for want of one, an answer about a recipient what was unresponsive', () => {
  const reached = (availability: HostAvailability) => availability.reached(null);
  const spoke = (availability: HostAvailability) => availability.noLongerUnresponsive('127.0.0.1');
  expect(isShut({ kind: 'unreachable' }, 150, undefined, reached)).toBe(false);
  expect(isShut({ kind: 'refusing' }, 150, undefined, reached)).toBe(true);
  expect(isShut({ unresponsive: 'believed' }, 150, undefined, spoke)).toBe(false);
  expect(isShut({ unresponsive: 'no' }, 150, undefined, spoke)).toBe(true);
});

test('the third session in a row that ends in the middle is one too many, unless one of them had an answer', () => {
  const availability = new HostAvailability();
  expect([availability.brokeOff(), availability.brokeOff()]).toEqual([false, false]);
  availability.answered();
  expect([availability.brokeOff(), availability.brokeOff(), availability.brokeOff()]).toEqual([
    false,
    false,
    true,
  ]);
});

test('only a pause asked of new connections leaves open sessions alone', () => {
  const availability = new HostAvailability();
  availability.pausedNewcomers(5_000);
  expect(availability.pausesOnlyNewcomers(5_000)).toBe(true);
  expect(availability.pausesOnlyNewcomers(9_000)).toBe(false);
});
