import type { WarmUp } from '@mxproof/engine';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type DayCounts,
  type DayEvidence,
  isWarm,
  PAUSE_DAYS,
  type WarmUpState,
  warmUpToday,
} from './warm-up.ts';

const SETTINGS: WarmUp = { perDay: 50, growth: 1.3, until: 1_000, unknownPercent: 50 };
const DAY = 20_000;

type Bad = { unknown?: number; refused?: number };
/** With one payer. */
function counts(asked: number, { unknown = 0, refused = 0 }: Bad = {}): DayEvidence {
  return { asked, unknownRecipients: unknown, refused, payers: [] };
}
/** Of several. */
function shared(...payers: readonly DayCounts[]): DayEvidence {
  const sum = (name: keyof DayCounts) => payers.reduce((all, payer) => all + payer[name], 0);
  return {
    asked: sum('asked'),
    unknownRecipients: sum('unknownRecipients'),
    refused: sum('refused'),
    payers,
  };
}

const at = (perDay: number, day = DAY): WarmUpState => ({ begunDay: DAY - 9, day, perDay, heldBack: null });
const next = (perDay: number, of: DayEvidence | null, gap = 1) => {
  const { perDay: limit, heldBack } = warmUpToday(at(perDay), of, SETTINGS, DAY + gap);
  return [limit, heldBack];
};

test('it begins with the first day, and grows by its factor after each day that was used', () => {
  let state = warmUpToday(null, null, SETTINGS, DAY);
  const limits = [state.perDay];
  for (let day = DAY + 1; day < DAY + 14; day += 1) {
    state = warmUpToday(state, counts(state.perDay), SETTINGS, day);
    limits.push(state.perDay);
  }
  expect(limits).toEqual([50, 65, 84, 109, 141, 183, 237, 308, 400, 520, 676, 878, 1_000, 1_000]);
  expect([state.begunDay, isWarm(state, SETTINGS), isWarm({ perDay: 878 }, SETTINGS)]).toEqual([
    DAY,
    true,
    false,
  ]);
});

test.each([
  ['half of it was used', counts(100), [260, null]],
  ['less was used', counts(99), [200, 'unused']],
  ['nothing is known of it', null, [200, 'unused']],
  ['half of the recipients were unknown', counts(200, { unknown: 100 }), [260, null]],
  ['more were', counts(200, { unknown: 101 }), [200, 'unknown_recipients']],
  ['one in fifty was refused for what we are', counts(200, { refused: 4 }), [260, null]],
  ['more were refused', counts(200, { refused: 5 }), [200, 'refused']],
  ['one in ten was', counts(200, { refused: 20 }), [200, 'refused']],
  ['more than that', counts(200, { refused: 21 }), [100, 'refused_often']],
  ['every session was refused before a recipient', counts(0, { refused: 3 }), [100, 'refused_often']],
])('after a day of 200 on which %s', (_, of, expected) => {
  expect(next(200, of)).toEqual(expected);
});

test.each([
  ['one was refused, and no other has asked', [counts(200, { refused: 200 })], [200, 'refused']],
  ['one asked about unknown recipients alone', [counts(200, { unknown: 200 })], [200, 'unknown_recipients']],
  ['one was refused, another has used its share', [counts(80, { refused: 80 }), counts(66)], [260, null]],
  ['… has used half of it', [counts(80, { refused: 80 }), counts(34)], [260, null]],
  ['… has used less', [counts(80, { refused: 80 }), counts(33)], [200, 'refused']],
  ['one was refused before a recipient', [counts(0, { refused: 900 }), counts(100)], [260, null]],
  ['one asked about unknown ones', [counts(100, { unknown: 100 }), counts(40)], [260, null]],
  ['two were refused', [counts(80, { refused: 80 }), counts(40, { refused: 5 })], [100, 'refused_often']],
  [
    'a third was not',
    [counts(80, { refused: 80 }), counts(40, { refused: 5 }), counts(80)],
    [200, 'refused'],
  ],
  ['all of several were', [9, 8, 7, 6].map((n) => counts(20 + n, { refused: n })), [100, 'refused_often']],
  ['all went well and little was asked', [counts(60), counts(39)], [200, 'unused']],
  ['one was refused, and little was asked', [counts(20, { refused: 20 }), counts(40)], [200, 'unused']],
  ['all went well', [counts(60), counts(40)], [260, null]],
])('of several payers, on a day of 200: %s', (_, of, expected) => {
  expect(next(200, shared(...of))).toEqual(expected);
});

test('it halves to no less than the first day, and a day is grown from as it was, however long ago', () => {
  expect(next(60, counts(0, { refused: 9 }))).toEqual([50, 'refused_often']);
  expect(next(200, counts(200), PAUSE_DAYS - 1)).toEqual([260, null]);
});

test(`after ${PAUSE_DAYS} days without use it begins anew, also where it had ended`, () => {
  for (const perDay of [200, 1_000])
    expect(warmUpToday(at(perDay), counts(perDay), SETTINGS, DAY + PAUSE_DAYS)).toEqual({
      begunDay: DAY + PAUSE_DAYS,
      day: DAY + PAUSE_DAYS,
      perDay: 50,
      heldBack: null,
    });
});

test('what has ended stays so, whatever a day brings; a higher end lets it go on from there', () => {
  const ended = warmUpToday(at(1_000), counts(0, { refused: 99 }), SETTINGS, DAY + 1);
  expect(isWarm(ended, SETTINGS)).toBe(true);
  const further = { ...SETTINGS, until: 5_000 };
  expect(warmUpToday(ended, counts(900), further, DAY + 2).perDay).toBe(1_300);
});

test('a clock that was stepped back judges no day twice; one that was far ahead is forgotten', () => {
  expect(warmUpToday(at(200, DAY + 1), counts(200), SETTINGS, DAY)).toEqual(at(200, DAY + 1));
  expect(warmUpToday(at(200, DAY + 400), counts(200), SETTINGS, DAY)).toEqual(at(200, DAY));
});

const anyCount = fc.nat(3_000);
const anyDay = fc.record({
  gap: fc.integer({ min: -2, max: PAUSE_DAYS + 3 }),
  nodes: fc.integer({ min: 1, max: 4 }),
  asked: anyCount,
  unknown: anyCount,
  block: fc.oneof(fc.constant(0), anyCount),
  isCounted: fc.boolean(),
});
const anySettings = fc
  .record({
    perDay: fc.integer({ min: 2, max: 500 }),
    growth: fc.double({ min: 1.01, max: 3, noNaN: true }),
    more: fc.nat(5_000),
    unknownPercent: fc.integer({ min: 1, max: 100 }),
  })
  .map(({ more, ...rest }) => ({ ...rest, until: rest.perDay + more }));

test('no month goes beyond its schedule, below its first day, or grows twice in a day', () => {
  fc.assert(
    fc.property(anySettings, fc.array(anyDay, { maxLength: 40 }), (settings, days) => {
      let today = DAY;
      let state = warmUpToday(null, null, settings, today);
      let steps = 0;
      for (const { gap, nodes, asked, unknown, block, isCounted } of days) {
        today += gap;
        const of = isCounted ? counts(asked, { unknown: Math.min(unknown, asked), refused: block }) : null;
        const before = state;
        state = warmUpToday(before, of, settings, today);
        // The other nodes ask on the same day, or a moment before the clock was set.
        for (let node = 1; node < nodes; node += 1)
          expect(warmUpToday(state, of, settings, today)).toEqual(state);
        steps = state.begunDay > before.begunDay ? 0 : steps + 1;
        const scheduled = settings.perDay * settings.growth ** steps + steps;
        expect(Number.isInteger(state.perDay)).toBe(true);
        expect(state.perDay).toBeGreaterThanOrEqual(Math.min(settings.perDay, settings.until));
        expect(state.perDay).toBeLessThanOrEqual(Math.min(settings.until, scheduled));
        if (state.perDay > before.perDay) {
          expect([state.heldBack, today > before.day, isCounted]).toEqual([null, true, true]);
          expect(asked * 2).toBeGreaterThanOrEqual(before.perDay);
          expect(state.perDay).toBeLessThanOrEqual(
            Math.max(before.perDay + 1, before.perDay * settings.growth),
          );
        }
      }
    }),
  );
});

test('a worse day never leaves more than a better one', () => {
  const worse = fc.record({ unknown: anyCount, block: anyCount });
  fc.assert(
    fc.property(anySettings, fc.nat(5_000), anyCount, worse, worse, (settings, extra, asked, a, b) => {
      const state = at(Math.min(settings.until, settings.perDay + extra));
      const limit = (unknown: number, block: number) =>
        warmUpToday(
          state,
          counts(asked, { unknown: Math.min(asked, unknown), refused: block }),
          settings,
          DAY + 1,
        ).perDay;
      expect(limit(a.unknown + b.unknown, a.block + b.block)).toBeLessThanOrEqual(limit(a.unknown, a.block));
    }),
  );
});

test('of several payers, none alone can take a day from the others that they have used well', () => {
  const anyPayer = fc.record({ asked: anyCount, unknownRecipients: anyCount, refused: anyCount });
  const good = fc.integer({ min: 1, max: 200 }).map((asked) => counts(asked));
  fc.assert(
    fc.property(fc.array(good, { minLength: 1, maxLength: 6 }), anyPayer, (others, attacker) => {
      const limit = 200;
      const alone = shared(...others);
      const isUsed = alone.asked * 2 >= limit;
      const { perDay } = warmUpToday(at(limit), shared(...others, attacker), SETTINGS, DAY + 1);
      expect(perDay).toBeGreaterThanOrEqual(isUsed ? 260 : limit);
    }),
  );
});

test('of several payers, two that were refused halve the day as one does that is alone', () => {
  const refused = fc.integer({ min: 20, max: 200 }).map((asked) => counts(asked, { refused: asked }));
  fc.assert(
    fc.property(fc.array(refused, { minLength: 2, maxLength: 6 }), (payers) => {
      expect(next(200, shared(...payers))).toEqual([100, 'refused_often']);
    }),
  );
});
