// Every row of a finished list, read page by page in the background and kept while the page is open, so that filters and
// searches answer at once. Promise: rows are in the list's order; a page that fails is read again when asked for.
import type { ResultRow } from '@mxproof/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { keys, mx } from '../shell/api.ts';

/** As many as the service gives at once. */
const PAGE_ROWS = 10_000;

export interface PlacedRow {
  readonly position: number;
  readonly row: ResultRow;
}

export function useRows(id: number, total: number) {
  const pages = useInfiniteQuery({
    queryKey: [...keys.list(id), 'rows'],
    queryFn: ({ pageParam, signal }) =>
      mx.lists.page(id, { offset: pageParam, limit: PAGE_ROWS, signal }).then(({ results }) => results),
    initialPageParam: 0,
    getNextPageParam: (_, read) => (read.length * PAGE_ROWS < total ? read.length * PAGE_ROWS : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const rows = useMemo(
    () => (pages.data?.pages ?? []).flat().map((row, position): PlacedRow => ({ position, row })),
    [pages.data],
  );
  return { rows, isComplete: pages.isSuccess && !hasNextPage, error: pages.error, readAgain: fetchNextPage };
}
