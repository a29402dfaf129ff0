// Every row of a finished list, read page by page in the background and kept while the page is open, so that filters and
// searches answer at once. Promise: rows are in the list's order; a page that fails is read again when asked for.
import type { ListSummary, ResultRow } from '@mxproof/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { mx } from '../shell/api.ts';
import { choicesIn, type Occurrences, occurrencesIn } from './row-filter.ts';

/** As many as the service gives at once. */
const PAGE_ROWS = 10_000;

/** More of each row than is specified: what changed the numbers of the list, and what was meant. */
const INCLUDE = ['detail', 'suggestion'] as const;

export interface ShownRow extends ResultRow {
  /** The address whose answer it is, where another one was meant. */
  readonly checked_as?: string | null;
}

export interface PlacedRow {
  /** Where its evidence is. */
  readonly listId: number;
  readonly position: number;
  readonly row: ShownRow;
}

interface RowPage {
  readonly rows: readonly PlacedRow[];
  readonly occurrences: Occurrences;
}

export function useRows(parts: readonly ListSummary[]) {
  const places = parts.flatMap(({ id, total }) =>
    Array.from({ length: Math.ceil(total / PAGE_ROWS) }, (_, page) => ({ id, offset: page * PAGE_ROWS })),
  );
  const pages = useInfiniteQuery({
    queryKey: ['rows', ...parts.map(({ id }) => id)],
    queryFn: async ({ pageParam, signal }): Promise<RowPage> => {
      const { id, offset } = places[pageParam]!;
      const { results } = await mx.lists.page(id, { offset, limit: PAGE_ROWS, include: INCLUDE, signal });
      const rows = results.map((row, at) => ({ listId: id, position: offset + at, row }));
      return { rows, occurrences: occurrencesIn(rows) };
    },
    enabled: places.length > 0,
    // With one list more, what was read stays until all of it is.
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    getNextPageParam: (_, read) => (read.length < places.length ? read.length : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // Comparing 100,000 rows with what was there before would take longer than reading them.
    structuralSharing: false,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const read = pages.data?.pages;
  const rows = useMemo(() => (read ?? []).flatMap((page) => page.rows), [read]);
  const choices = useMemo(() => choicesIn((read ?? []).map((page) => page.occurrences)), [read]);
  return {
    rows,
    /** What they can be filtered by. */
    choices,
    isComplete:
      places.length === 0 || (pages.isSuccess && !pages.isPlaceholderData && !hasNextPage && !isError),
    error: pages.error,
    readAgain: () => void (pages.data ? fetchNextPage() : pages.refetch()),
  };
}
