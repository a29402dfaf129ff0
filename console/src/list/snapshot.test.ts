import type { ListSummary, ResultRow } from '@mxproof/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countWhys } from '../check/why.ts';
import { countActions } from './count-actions.ts';
import { figuresIn } from './figures.ts';
import { matching, NO_FILTER, occurrencesIn } from './row-filter.ts';
import type { PlacedRow } from './row-pages.ts';
import { listAsRead } from './snapshot.ts';

const RESULTS = [
  ['deliverable', 'accepted_email'],
  ['risky', 'low_quality'],
  ['risky', 'low_deliverability'],
  ['risky', 'disposable'],
  ['undeliverable', 'rejected_email'],
  ['unknown', 'no_connect'],
] as const;

const rowOf = (
  position: number,
  [state, reason]: readonly [string, string] = ['pending', ''],
): PlacedRow => ({
  listId: 1,
  position,
  row: { email: `p${position}@x`, state, reason, provider: reason && 'other' } as ResultRow,
});

const summaryOf = (rows: readonly PlacedRow[], isOver: boolean): ListSummary => ({
  id: 1,
  name: 'people.csv',
  status: isOver ? 'done' : 'checking',
  total: rows.length,
  duplicates_removed: 0,
  created_at: 1,
  finished_at: isOver ? 2 : null,
  ...figuresIn([occurrencesIn(rows)]),
});

/** In which order the addresses of a list are checked, and when the page reads which half of its rows again. */
const runs = fc.record({
  results: fc.array(fc.constantFrom(...RESULTS), { minLength: 2, maxLength: 12 }),
  order: fc.infiniteStream(fc.nat()),
  reads: fc.array(
    fc.record({ checkedBefore: fc.nat({ max: 3 }), half: fc.nat({ max: 1 }), isAsked: fc.boolean() }),
  ),
});

test('at every moment the cards, the charts, the progress and the table have the same numbers, and none goes back', () => {
  fc.assert(
    fc.property(runs, ({ results, order, reads }) => {
      const atService = results.map((_, at) => rowOf(at));
      const middle = Math.floor(results.length / 2);
      const halves = () => [atService.slice(0, middle), atService.slice(middle)] as const;
      const check = () => {
        const open = atService.filter(({ row }) => row.state === 'pending');
        const next = open[order.next().value % open.length]?.position;
        if (next !== undefined) atService[next] = rowOf(next, results[next]);
      };
      const pages: (readonly PlacedRow[])[] = [];
      let shown: ListSummary | null = null;
      const show = () => {
        const isOver = atService.every(({ row }) => row.state !== 'pending');
        const figures = figuresIn(pages.map(occurrencesIn));
        const hasEnded =
          isOver && pages.length === 2 && pages.flat().every(({ row }) => row.state !== 'pending');
        const isRead = pages.length === 2;
        const before = shown;
        const list = listAsRead(summaryOf(atService, isOver), before, {
          isRead,
          hasEnded,
          hasFailed: false,
          ownFigures: figures,
        });
        shown = list;
        // It is over with its last row, not before.
        if (before?.finished_at === null) expect(list.finished_at !== null).toBe(hasEnded);
        expect(list.checked).toBeGreaterThanOrEqual(before?.checked ?? 0);
        const { deliverable, risky, undeliverable, unknown } = list.counts;
        expect(deliverable + risky + undeliverable + unknown).toBe(list.checked);
        if (!isRead) return;
        const cards = countActions(list, figures.breakdown.reasons);
        expect(cards.separate! + cards.skip!).toBe(risky);
        const rows = pages.flat();
        for (const [action, count] of Object.entries(cards))
          expect(matching(rows, { ...NO_FILTER, action: action as never })).toHaveLength(count!);
        expect(rows.filter(({ row }) => row.state !== 'pending')).toHaveLength(list.checked);
        for (const bars of [countWhys(figures.breakdown), Object.entries(figures.breakdown.providers)])
          expect(bars.reduce((sum, [, count]) => sum + count, 0)).toBe(list.checked);
      };
      show();
      for (const { checkedBefore, half, isAsked } of reads) {
        for (let nth = 0; nth < checkedBefore; nth += 1) check();
        // Of a list of which nothing is read, both halves are read one after the other.
        if (isAsked)
          pages[pages.length < 2 ? pages.length : half] = halves()[pages.length < 2 ? pages.length : half]!;
        show();
      }
    }),
  );
});

test('where its last rows cannot be read, a list that has ended says so with the numbers of the service', () => {
  const [running, over] = [
    [rowOf(0, RESULTS[0]), rowOf(1)],
    [rowOf(0, RESULTS[0]), rowOf(1, RESULTS[5])],
  ];
  const rows = { isRead: true, hasEnded: false, ownFigures: figuresIn([occurrencesIn(running)]) };
  const shown = summaryOf(running, false);
  expect(listAsRead(summaryOf(over, true), shown, { ...rows, hasFailed: false })).toMatchObject({
    status: 'checking',
    finished_at: null,
    checked: 1,
  });
  expect(listAsRead(summaryOf(over, true), shown, { ...rows, hasFailed: true })).toEqual(
    summaryOf(over, true),
  );
});
