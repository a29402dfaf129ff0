// The groups that some lists are of, each asked for by itself: its other lists may be on a page that is not read yet.
import { type Group, type ListSummary, NotFound } from '@mxproof/client';
import { useQueries } from '@tanstack/react-query';
import { keys, mx } from '../shell/api.ts';
import type { Groups } from './fold-groups.ts';

/** While something of it is being checked. */
const REFRESH_MS = 3_000;

export function useGroups(lists: readonly ListSummary[]): Groups {
  const words = [...new Set(lists.flatMap(({ group }) => group ?? []))];
  const found = useQueries({
    queries: words.map((word) => ({ queryKey: keys.group(word), ...groupQuery(word) })),
  });
  return new Map(
    found.flatMap(({ data, isPending }, at) => (isPending ? [] : [[words[at]!, data ?? null] as const])),
  );
}

/** Null: none of its lists is there any more. */
export function groupQuery(word: string) {
  return {
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      mx.lists.group(word, { signal }).catch((error: unknown) => {
        if (error instanceof NotFound) return null;
        throw error;
      }),
    refetchInterval: ({ state }: { state: { data?: Group | null | undefined } }) =>
      state.data?.finished_at === null ? REFRESH_MS : (false as const),
  };
}
