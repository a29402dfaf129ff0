import { ACTION_WORDS, type Action } from '@mxproof/common/vocabulary/labels';
import { expect, test } from 'vitest';
import { FIRST_CHOICE, orderOf, parseChoice } from './download-choice.ts';
import type { PlacedRow } from './use-rows.ts';

const placed = (state: string, reason = '') =>
  ({ row: { email: `${state}${reason}`, state, reason } }) as PlacedRow;
const SEND = placed('deliverable', 'accepted_email');
const SEPARATE = placed('risky', 'low_deliverability');
const REMOVE = placed('undeliverable', 'rejected_email');
const PENDING = placed('pending');
const ROWS = [SEND, SEPARATE, REMOVE, PENDING];

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['null', 'null'],
  ['a list', '[]'],
  [
    'other words',
    '{"actions":["x"],"rest":1,"isLimited":1,"limit":500,"format":"pdf","withResults":"yes","words":"klingon"}',
  ],
])('%s that was stored is the first choice', (_, stored) => {
  expect(parseChoice(stored)).toEqual(FIRST_CHOICE);
});

test('a choice that was stored comes back', () => {
  const choice = {
    actions: ['send', 'retry'],
    rest: true,
    isLimited: true,
    limit: 2.5,
    format: 'xlsx',
    withResults: true,
    words: 'machine',
  };
  expect(parseChoice(JSON.stringify(choice))).toEqual(choice);
});

const order = (actions: readonly Action[], rest: boolean, counts?: Record<Action, number | null>) =>
  orderOf(ROWS, { ...FIRST_CHOICE, actions, rest }, { unchecked: 0, counts });

test('the good rows are those to send to; what is not checked is not among them', () => {
  expect(order(['send'], false).rows).toEqual([SEND]);
  expect(order(['send', 'remove'], true).rows).toEqual([SEND, REMOVE, PENDING]);
});

test('every row is the whole file, also where an action without rows was left out', () => {
  expect(order(ACTION_WORDS, true)).toMatchObject({ rows: null, part: 'checked' });
  const counts: Record<Action, number | null> = { send: 1, separate: 1, skip: 0, remove: 1, retry: 0 };
  expect(order(['send', 'separate', 'remove'], true, counts).rows).toBe(null);
  expect(order(['send', 'separate'], true, counts).rows).toEqual([SEND, SEPARATE, PENDING]);
});

test.each([
  [['send'], false, 'good'],
  [['separate'], false, 'send-carefully'],
  [['remove'], false, 'remove'],
  [['send', 'separate'], false, 'chosen'],
  [['send'], true, 'chosen'],
  [[], true, 'chosen'],
] as const)('%j with the rest %s is named %s', (actions, rest, part) => {
  expect(order(actions, rest).part).toBe(part);
});

test.each([
  [['send'], false, 'good-so-far'],
  [ACTION_WORDS, true, 'checked-so-far'],
  [['send', 'remove'], false, 'chosen-so-far'],
] as const)('of a list that runs, %j with the rest %s is named %s', (actions, rest, part) => {
  const order = orderOf(ROWS, { ...FIRST_CHOICE, actions, rest }, { unchecked: 3 });
  expect(order).toMatchObject({ part, unchecked: 3 });
});

const risky = (bounce_probability: number | null, more: object = {}) =>
  ({
    row: {
      email: `${bounce_probability}`,
      state: 'risky',
      reason: 'low_deliverability',
      bounce_probability,
      ...more,
    },
  }) as PlacedRow;
const [LOW, HIGH, NOBODY_KNOWS] = [risky(0.04), risky(0.05), risky(null)];

test('a limit leaves out what bounces as often or more, and what nothing is known of; the rest stays', () => {
  const rows = [SEND, LOW, HIGH, NOBODY_KNOWS, REMOVE, PENDING];
  const choice = { ...FIRST_CHOICE, isLimited: true };
  const limited = (actions: readonly Action[], rest = false) =>
    orderOf(rows, { ...choice, actions, rest }, { unchecked: 0 });
  expect(limited(['separate'])).toMatchObject({ rows: [LOW], part: 'send-carefully-below-5-percent' });
  expect(limited(['send', 'separate']).rows).toEqual([SEND, LOW]);
  // They are all rows no longer.
  expect(limited(ACTION_WORDS, true).rows).toEqual([SEND, LOW, REMOVE, PENDING]);
  const unlimited = { ...choice, isLimited: false, actions: ['separate'] as const };
  expect(orderOf(rows, unlimited, { unchecked: 0 }).rows).toEqual([LOW, HIGH, NOBODY_KNOWS]);
});

test('what is suppressed is among all rows alone', () => {
  const gone = risky(0.01, { suppressed: true });
  const rows = [SEND, gone];
  const of = (actions: readonly Action[], rest: boolean) =>
    orderOf(rows, { ...FIRST_CHOICE, actions, rest }, { unchecked: 0 }).rows;
  expect(of(['send', 'separate'], false)).toEqual([SEND]);
  expect(of(['send', 'separate'], true)).toEqual([SEND]);
  expect(of(ACTION_WORDS, true)).toBe(null);
});
