import { ACTION_WORDS } from '@mxproof/common/vocabulary/labels';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FLAGS } from '../check/flags.ts';
import { messages } from '../messages/messages.ts';
import { NO_FILTER, UNCHECKED } from './row-filter.ts';
import { SORT_COLUMNS } from './sort-rows.ts';
import { PIECE_MAX, readView, type View, writeView } from './view.ts';

const orNull = <Word>(words: readonly Word[]) => fc.constantFrom(null, ...words);

const anyView: fc.Arbitrary<View> = fc.record({
  filter: fc.record({
    action: orNull([...ACTION_WORDS, UNCHECKED]),
    reason: orNull(Object.keys(messages.details) as (keyof typeof messages.details)[]),
    provider: orNull(['google', 'o2pl', 'other']),
    flag: orNull(FLAGS),
    piece: fc.string({ unit: 'binary', maxLength: PIECE_MAX }).filter((piece) => piece.isWellFormed()),
  }),
  order: fc.option(fc.record({ id: fc.constantFrom(...SORT_COLUMNS), desc: fc.boolean() })),
});

test('what is written after the # is read as it was', () => {
  fc.assert(
    fc.property(anyView, (view) => {
      expect(readView(writeView(view))).toEqual(view);
    }),
  );
  expect(writeView({ filter: NO_FILTER, order: null })).toBe('');
});

test('whatever stands there is read, and what is read is written and read the same', () => {
  const anyWords = fc
    .array(
      fc.tuple(
        fc.constantFrom('action', 'reason', 'provider', 'flag', 'search', 'sort', 'main'),
        fc.string(),
      ),
    )
    .map((words) => words.map(([name, word]) => `${name}=${word}`).join('&'));
  fc.assert(
    fc.property(fc.oneof(anyWords, fc.string({ unit: 'binary' })), (fragment) => {
      const view = readView(fragment);
      expect(readView(writeView(view))).toEqual(view);
    }),
  );
});

test.each([
  ['action=send&sort=-score', { action: 'send' }, { id: 'score', desc: true }],
  ['reason=low_deliverability&provider=google', { reason: 'low_deliverability', provider: 'google' }, null],
  ['search=a%26b+c', { piece: 'a&b c' }, null],
  ['action=resend&reason=toString&provider=Not%20one&flag=x&sort=--score', {}, null],
  ['reason=&sort=', {}, null],
  ['main', {}, null],
])('%s', (fragment, filter, order) => {
  expect(readView(fragment)).toEqual({ filter: { ...NO_FILTER, ...filter }, order });
});
