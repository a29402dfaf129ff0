import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AlertEvent, type AlertState, advanceAlert } from './alert-state.ts';

const MINUTE = 60_000;

/** Looks every so many minutes; `holds` by minute. What was told, and when. */
function told(holds: (minute: number) => boolean, minutes: number, every = 1): [number, AlertEvent][] {
  const events: [number, AlertEvent][] = [];
  let state: AlertState | null = null;
  for (let minute = 0; minute <= minutes; minute += every) {
    const step = advanceAlert(state, holds(minute), minute * MINUTE);
    state = step.state;
    if (step.event !== null) events.push([minute, step.event]);
  }
  return events;
}

test('a condition is told at once, every hour while it holds, and when it is over', () => {
  expect(told((minute) => minute >= 10 && minute < 150, 400)).toEqual([
    [10, 'began'],
    [70, 'continues'],
    [130, 'continues'],
    [155, 'resolved'],
  ]);
});

test('a pause of less than five minutes is no end', () => {
  expect(told((minute) => minute % 10 !== 3 && minute % 10 !== 4, 50)).toEqual([[0, 'began']]);
});

test('one that comes back within the hour is told when the hour is over, if it holds then', () => {
  expect(told((minute) => minute < 5 || minute >= 20, 100)).toEqual([
    [0, 'began'],
    [10, 'resolved'],
    [60, 'began'],
  ]);
  expect(told((minute) => minute < 5 || (minute >= 20 && minute < 30), 100)).toEqual([
    [0, 'began'],
    [10, 'resolved'],
  ]);
});

test('however it comes and goes, it is told at most once an hour and taken back at most once for each', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 300, maxLength: 300 }), (flips) => {
      const events = told((minute) => flips[minute] === true, flips.length - 1);
      let last = Number.NEGATIVE_INFINITY;
      let isTold = false;
      for (const [minute, event] of events) {
        expect(event === 'began').toBe(event !== 'resolved' && !isTold);
        if (event === 'resolved') expect(isTold).toBe(true);
        else expect(minute - last).toBeGreaterThanOrEqual(60);
        if (event !== 'resolved') last = minute;
        isTold = event !== 'resolved';
      }
    }),
  );
});

test('a clock that is stepped back silences nothing for longer than an hour', () => {
  const day = 24 * 60 * MINUTE;
  const { state } = advanceAlert(null, true, day);
  expect(advanceAlert(state, true, 0).event).toBe('continues');
  const paused = advanceAlert(state, false, day).state;
  expect(advanceAlert(advanceAlert(paused, false, 0).state, false, 5 * MINUTE).event).toBe('resolved');
});
