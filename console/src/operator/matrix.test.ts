import type { SourceCounts, SourceHealth } from '@mxproof/client/admin';
import { expect, test } from 'vitest';
import { cellOf, matrixOf, nothingAsked } from './matrix.ts';

const NOTHING = nothingAsked('', '').today;
const counts = (asked: number, more: Partial<SourceCounts> = {}): SourceCounts => ({
  ...NOTHING,
  asked,
  ...more,
});
const refused = (block: number) => ({ refused: { ...NOTHING.refused, block } });
const pair = (more: Partial<SourceHealth>): SourceHealth => ({
  ...nothingAsked('192.0.2.1', 'google'),
  ...more,
});
const NOW = 1_000;
const rest = { since: 1, until: null, by: 'operator' } as const;
const warm_up = { day: 2, per_day: 50, used: 10, held_back: null };

test.each<[string, Partial<SourceHealth>, string, string]>([
  ['nothing asked', {}, 'idle', 'today'],
  ['asked and answered', { today: counts(100, { accepted: 80 }) }, 'fine', 'today'],
  ['one refusal in a hundred', { today: counts(100, refused(1)) }, 'fine', 'today'],
  ['two refusals in a hundred', { today: counts(100, refused(2)) }, 'refused', 'today'],
  ['refused before any recipient', { today: counts(0, refused(1)) }, 'refused', 'today'],
  ['a fifth deferred', { today: counts(100, { deferred: 20 }) }, 'deferring', 'today'],
  ['less deferred', { today: counts(100, { deferred: 19 }) }, 'fine', 'today'],
  [
    'refused counts before deferred',
    { today: counts(10, { deferred: 9, ...refused(1) }) },
    'refused',
    'today',
  ],
  ['a rest counts before all', { rest, today: counts(10, refused(5)) }, 'resting', 'today'],
  ['a rest by hand that is over', { rest: { ...rest, until: NOW } }, 'idle', 'today'],
  [
    'a rest after refusals, before its try',
    { rest: { since: 1, until: NOW, by: 'refusals' } },
    'resting',
    'today',
  ],
  ['warming up', { warm_up, today: counts(10) }, 'warming', 'today'],
  ['warming up, nothing asked yet', { warm_up }, 'warming', 'today'],
  ['refused while warming up', { warm_up, today: counts(10, refused(1)) }, 'refused', 'today'],
  ['nothing yet today', { last_week: counts(10, refused(5)) }, 'refused', 'last_week'],
  ['a good day after a bad week', { today: counts(9), last_week: counts(10, refused(5)) }, 'fine', 'today'],
])('%s', (_, given, state, over) => {
  expect(cellOf(pair(given), NOW)).toMatchObject({ state, over });
});

test('every source meets every provider, in an order that no figure changes', () => {
  const at = (source: string, provider: string) => ({ ...nothingAsked(source, provider), today: counts(1) });
  const pairs = [
    at('192.0.2.10', 'other'),
    at('192.0.2.9', 'yahoo'),
    at('', 'apple'),
    at('192.0.2.9', 'google'),
  ];
  for (const given of [pairs, pairs.toReversed()]) {
    const { sources, providers, cells, count } = matrixOf(given, NOW);
    expect(sources).toEqual(['', '192.0.2.9', '192.0.2.10']);
    expect(providers).toEqual(['google', 'apple', 'yahoo', 'other']);
    expect(cells.map((row) => row.map(({ state }) => state === 'fine'))).toEqual([
      [false, true, false, false],
      [true, false, true, false],
      [false, false, false, true],
    ]);
    expect(count).toMatchObject({ fine: 4, idle: 8, refused: 0 });
  }
});
