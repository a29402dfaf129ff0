// The numbers of a list with the answers that came later in the place of its own, by the rule of its own page.
// Promise: only what can be answered later is read, once for each change, and never more than OPEN_ROWS_MAX rows.
import type { ListSummary } from '@mxproof/client';
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { answered, corrected } from '../list/later-answers.ts';
import type { PlacedRow } from '../list/row-pages.ts';
import { mx } from '../shell/api.ts';
import type { Family } from './fold-made.ts';

/** Of a file of millions, its own page tells. */
const OPEN_ROWS_MAX = 200_000;
/** How long rows stay in memory for the next change. */
const KEPT_MS = 60_000;
const OPEN_STATES = ['risky', 'undeliverable', 'unknown', 'pending'] as const;

export interface AnsweredList {
  readonly list: ListSummary;
  /** Nor can they be: the numbers are its own. */
  readonly isWithoutLater: boolean;
}

/** Null: not known yet. */
export function useAnswered({ list, ids, later }: Family): AnsweredList | null {
  const queries = useQueryClient();
  const open = list.total - list.counts.deliverable;
  const found = useQuery({
    queryKey: ['answered', ...ids, list.checked, ...later.map((one) => `${one.list.id} ${one.list.checked}`)],
    queryFn: async () => {
      const own = await Promise.all(ids.map((id) => readRows(queries, id, list.checked, OPEN_STATES)));
      const made = await Promise.all(later.map((one) => readRows(queries, one.list.id, one.list.checked)));
      const of = (by: string) => made.filter((_, at) => later[at]!.by === by).flat();
      return countChanged(own.flat(), of('retries'), of('corrections'));
    },
    enabled: later.length > 0 && open <= OPEN_ROWS_MAX,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (later.length === 0) return { list, isWithoutLater: false };
  if (open > OPEN_ROWS_MAX || found.isError) return { list, isWithoutLater: true };
  if (!found.data) return null;
  const counts = { ...list.counts };
  for (const state of Object.keys(counts) as (keyof typeof counts)[]) counts[state] += found.data[state] ?? 0;
  const checked = list.checked - (found.data.pending ?? 0);
  return { list: { ...list, counts, checked }, isWithoutLater: false };
}

async function readRows(
  queries: QueryClient,
  listId: number,
  checked: number,
  state?: typeof OPEN_STATES,
): Promise<readonly PlacedRow[]> {
  return queries.fetchQuery({
    queryKey: ['open-rows', listId, checked],
    queryFn: async () => {
      const rows: PlacedRow[] = [];
      const options = { include: ['suggestion'], ...(state && { state }) } as const;
      for await (const row of mx.lists.results(listId, options))
        rows.push({ listId, position: rows.length, row });
      return rows;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    structuralSharing: false,
  });
}

type Counts = Readonly<Record<string, number>>;

/** How many more there are of each state, and fewer of others. */
function countChanged(
  own: readonly PlacedRow[],
  retries: readonly PlacedRow[],
  corrections: readonly PlacedRow[],
): Counts {
  const meant = answered(corrections, retries).rows;
  const now = corrected(answered(own, retries).rows, meant).rows;
  const changes: Record<string, number> = {};
  own.forEach(({ row }, at) => {
    changes[row.state] = (changes[row.state] ?? 0) - 1;
    const { state } = now[at]!.row;
    changes[state] = (changes[state] ?? 0) + 1;
  });
  return changes;
}
