// How many of which reason and provider, over all parts of a list.
import type { ListSummary } from '@mxproof/client';
import { useQueries } from '@tanstack/react-query';
import { keys, mx } from '../shell/api.ts';
import { breakdownOf, type WholeBreakdown } from './whole-list.ts';

/** A count of the whole list each time: not more often than it pays to look. */
const REFRESH_MS = 3_000;

export function useBreakdown(parts: readonly ListSummary[], isLive = false): WholeBreakdown | undefined {
  return useQueries({
    queries: parts.map(({ id }) => ({
      queryKey: keys.breakdown(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => mx.lists.breakdown(id, { signal }),
      refetchInterval: isLive ? REFRESH_MS : (false as const),
    })),
    combine: (answers) => {
      const known = answers.flatMap(({ data }) => data ?? []);
      return known.length === parts.length ? breakdownOf(known) : undefined;
    },
  });
}
