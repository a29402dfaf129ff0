// Every row of a list, read page by page in the background and kept while the page is open, so that filters and searches
// answer at once. Promise: rows are in the list's order; a page that fails is read again when asked for. While the list
// runs, pages that can have changed are read again in turn: one at a time, seldom, by a visible tab.
import type { Include, ListSummary } from '@mxproof/client';
import type { Extra } from '@mxproof/files/result-columns';
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { mx } from '../shell/api.ts';
import {
  isSettled,
  nextToRead,
  PAGE_ROWS,
  type PagePlace,
  type PlacedRow,
  pageOf,
  placesOf,
  type RowPage,
} from './row-pages.ts';
import { useIsVisible } from './use-is-visible.ts';

export type { PlacedRow, ShownRow } from './row-pages.ts';

/** At least so long between two pages that are read again… */
const AGAIN_MS = 1_500;
/** …and so many times as long as the last one took: a slow line or service is left to others. */
const AGAIN_SHARE = 5;
/** The rows say why in the words of their detail, and what was likely meant. */
const INCLUDE = ['detail', 'suggestion'] as const satisfies readonly Include[];

async function readPage(
  place: PagePlace,
  extras: readonly Extra[],
  signal: AbortSignal,
  before?: RowPage,
): Promise<RowPage> {
  const { list, offset } = place;
  const query = { offset, limit: PAGE_ROWS, include: [...INCLUDE, ...extras], signal };
  return pageOf(place, (await mx.lists.page(list.id, query)).results, before);
}

/** `extras`: what else is asked of each row; undefined: it is not known yet. */
export function useRows(parts: readonly ListSummary[], extras: readonly Extra[] | undefined) {
  // Of lists in which nothing is checked yet, there is nothing to read.
  const places = parts.some((list) => list.checked > 0 || list.finished_at !== null) ? placesOf(parts) : [];
  const ids = parts.map(({ id }) => id);
  const queryKey = ['rows', ...ids] as const;
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(places[pageParam]!, extras ?? [], signal),
    enabled: places.length > 0 && extras !== undefined,
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
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const pages = places.length === 0 ? undefined : query.data?.pages;
  const isRead =
    places.length === 0 || (query.isSuccess && !query.isPlaceholderData && !hasNextPage && !isError);
  const isUnsettled = places.length > 0 && isRead && (pages ?? []).some((page) => !isSettled(page));
  const again = useReadingAgain(ids, places, extras ?? [], isUnsettled);
  const rows = useMemo((): readonly PlacedRow[] => (pages ?? []).flatMap((page) => page.rows), [pages]);
  const occurrences = useMemo(() => (pages ?? []).map((page) => page.occurrences), [pages]);
  const hasEnded = parts.every(({ finished_at }) => finished_at !== null);
  return {
    rows,
    /** Of each page. */
    occurrences,
    /** Of every page; of a list that runs, as it was a moment ago. */
    isRead,
    /** As the list ended. */
    isComplete: isRead && hasEnded && !isUnsettled,
    error: query.error ?? (hasEnded ? again.error : null),
    readAgain() {
      if (again.error) again.retry();
      else if (query.data) void fetchNextPage();
      else void query.refetch();
    },
  };
}

/** Reads pages again while some are unsettled. An error ends it, unless the list still runs: then the next turn is enough. */
function useReadingAgain(
  ids: readonly number[],
  places: readonly PagePlace[],
  extras: readonly Extra[],
  isUnsettled: boolean,
) {
  const queries = useQueryClient();
  const isVisible = useIsVisible();
  const [error, setError] = useState<Error | null>(null);
  const latest = useRef({ places, extras });
  useLayoutEffect(() => {
    latest.current = { places, extras };
  });
  const key = ids.join();
  const hasEnded = places.every(({ list }) => list.finished_at !== null);
  const lastAt = useRef(-1);
  useEffect(() => {
    if (!isUnsettled || !isVisible || error) return;
    const left = new AbortController();
    const queryKey = ['rows', ...key.split(',').map(Number)];
    const work = async () => {
      let waitMs = hasEnded ? 0 : AGAIN_MS;
      while (!left.signal.aborted) {
        await new Promise((done) => setTimeout(done, waitMs));
        if (left.signal.aborted) return;
        waitMs = AGAIN_MS;
        const pages = queries.getQueryData<InfiniteData<RowPage>>(queryKey)?.pages ?? [];
        const { places, extras } = latest.current;
        const at = nextToRead(pages, places, lastAt.current);
        if (at === null) continue;
        lastAt.current = at;
        const began = performance.now();
        try {
          const page = await readPage(places[at]!, extras, left.signal, pages[at]);
          queries.setQueryData<InfiniteData<RowPage>>(
            queryKey,
            (data) => data && { ...data, pages: data.pages.with(at, page) },
          );
        } catch (fault) {
          if (left.signal.aborted) return;
          if (hasEnded) return setError(fault as Error);
        }
        waitMs = hasEnded ? 0 : Math.max(AGAIN_MS, AGAIN_SHARE * (performance.now() - began));
      }
    };
    void work();
    return () => left.abort();
  }, [queries, key, isUnsettled, isVisible, hasEnded, error]);
  const retry = useCallback(() => setError(null), []);
  return { error, retry };
}
