// The numbers of a list, counted from the rows that are shown: what the cards, the charts and the progress say is what the
// table has. Pure.
import type { Breakdown, ListSummary } from '@mxproof/client';
import { REASON_LABELS, STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { addedUp, type Occurrences } from './row-filter.ts';

export type RowBreakdown = Pick<Breakdown, 'reasons' | 'providers' | 'details'>;

export interface Figures extends Pick<ListSummary, 'checked' | 'counts'> {
  readonly breakdown: RowBreakdown;
}

export function figuresIn(pages: readonly Occurrences[]): Figures {
  const sum = <Name extends string>(
    of: (page: Occurrences) => ReadonlyMap<Name, number>,
    all: Iterable<Name> = [],
  ) => ({
    ...Object.fromEntries([...all].map((name) => [name, 0])),
    ...Object.fromEntries(addedUp(pages.map(of))),
  });
  const { pending = 0, ...counts } = sum(({ states }) => states, STATE_WORDS) as Record<string, number>;
  return {
    checked: Object.values(counts).reduce((all, count) => all + count, 0),
    counts: counts as ListSummary['counts'],
    breakdown: {
      reasons: sum(({ reasons }) => reasons, Object.keys(REASON_LABELS) as never[]) as Breakdown['reasons'],
      providers: sum(({ providers }) => providers),
      details: sum(({ details }) => details),
    },
  };
}
