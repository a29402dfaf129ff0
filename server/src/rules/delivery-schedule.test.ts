import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_SECONDS, delayOfDelivery, FAILING_DAYS, TRIED_DAYS, whySwitchOff } from './delivery-schedule.ts';

const HOUR = 3_600;

test('an endpoint that is down is asked at once, after 30 s, 5 min, 30 min, 2, 5 and 10 h, then every 12 h of three days', () => {
  const waits: number[] = [];
  let age = 0;
  for (let made = 1; ; made++) {
    const delay = delayOfDelivery(made, age);
    if (delay === null) break;
    waits.push(delay);
    age += delay;
  }
  expect(waits).toEqual([
    ...[30, 300, 1_800, 2 * HOUR, 5 * HOUR, 10 * HOUR],
    ...[12 * HOUR, 12 * HOUR, 12 * HOUR, 12 * HOUR],
  ]);
});

test('however long attempts take, no attempt is made after three days, and the schedule has less than 20 of them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 * DAY_SECONDS }), { maxLength: 40 }), (takes) => {
      let age = 0;
      let made = 0;
      for (;;) {
        expect(age).toBeLessThanOrEqual(TRIED_DAYS * DAY_SECONDS);
        made += 1;
        const delay = delayOfDelivery(made, age + (takes[made - 1] ?? 0));
        if (delay === null) break;
        expect(delay).toBeGreaterThanOrEqual(30);
        age += (takes[made - 1] ?? 0) + delay;
      }
      expect(made).toBeLessThan(20);
    }),
  );
});

test('it waits longer each time, at most half a day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 15 }), (made) => {
      const [one, next] = [delayOfDelivery(made, 0)!, delayOfDelivery(made + 1, 0)!];
      expect(next).toBeGreaterThanOrEqual(one);
      expect(next).toBeLessThanOrEqual(12 * HOUR);
    }),
  );
});

test('410 switches an endpoint off at once, anything else after five days', () => {
  const limit = FAILING_DAYS * DAY_SECONDS;
  expect(whySwitchOff(410, 0)).toBe('gone');
  fc.assert(
    fc.property(
      fc.option(fc.integer({ min: 300, max: 599 }).filter((status) => status !== 410)),
      fc.integer({ min: 0, max: 2 * limit }),
      (status, failing) => {
        expect(whySwitchOff(status, failing)).toBe(failing >= limit ? 'failing' : null);
      },
    ),
  );
});
