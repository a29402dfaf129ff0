// How many of which reason and provider, over all parts of a list.
import type { Breakdown, ListSummary } from '@mxproof/client';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { keys, mx } from '../shell/api.ts';
import { isFinished } from './use-list.ts';
import { breakdownOf, type WholeBreakdown } from './whole-list.ts';

/** Each request counts the whole list, so it is not repeated more often. */
const REFRESH_MS = 3_000;

export function useBreakdown(parts: readonly ListSummary[]): WholeBreakdown | undefined {
  const queries = useQueryClient();
  return useQueries({
    queries: parts.map((part) => ({
      // What was counted on the way is not what there is at the end, but it is shown until that is counted.
      queryKey: [...keys.breakdown(part.id), isFinished(part)],
      queryFn: ({ signal }: { signal: AbortSignal }) => mx.lists.breakdown(part.id, { signal }),
      placeholderData: () => queries.getQueryData<Breakdown>([...keys.breakdown(part.id), false]),
      refetchInterval: isFinished(part) ? (false as const) : REFRESH_MS,
    })),
    combine: (answers) => {
      const known = answers.flatMap(({ data }) => data ?? []);
      return known.length === parts.length ? breakdownOf(known) : undefined;
    },
  });
}
