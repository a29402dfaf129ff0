// The corrections of these lists: likelier spellings of their misspelt addresses, checked by any user of the account, in any
// browser; and how to make more of them.
import { ListNotFound, type ListSummary } from '@mxproof/client';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { madeName } from '../lists/made-name.ts';
import { nameOf } from '../lists/rename-list.tsx';
import { keys, mx } from '../shell/api.ts';
import { refuseIfBegun, useNewLists } from './use-check-again.ts';
import { isFinished, useList } from './use-list.ts';

/** The newest of each list. */
const CORRECTIONS_MAX = 20;

export function useCorrections(parts: readonly ListSummary[]) {
  const queries = useQueryClient();
  const made = useQueries({
    queries: parts.filter(isFinished).map(({ id }) => ({
      queryKey: keys.corrections(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => mx.lists.corrections(id, { signal }),
    })),
  });
  const ids = made.flatMap(({ data }) => (data ?? []).slice(-CORRECTIONS_MAX));
  const { parts: lists, error } = useList(ids);
  // Deleted since: what it said is gone with it.
  const isRead = ids.length === 0 || lists !== null || error instanceof ListNotFound;
  return {
    /** Oldest first. */
    lists: lists ?? [],
    isKnown: made.every(({ isSuccess }) => isSuccess) && isRead,
    error: made.find((each) => each.error)?.error ?? (isRead ? null : error),
    askAgain() {
      for (const { id } of parts) void queries.refetchQueries({ queryKey: keys.corrections(id) });
      for (const id of ids) void queries.refetchQueries({ queryKey: keys.list(id), exact: true });
    },
  };
}

/** Their answers come back to the page of the list that they are of. `domains`: of each list. */
export function useCorrect(parts: readonly ListSummary[], domains: ReadonlyMap<number, readonly string[]>) {
  const queries = useQueryClient();
  return useNewLists(async () => {
    for (const id of domains.keys())
      await refuseIfBegun(queries, keys.corrections(id), mx.lists.corrections(id));
    for (const part of parts) {
      const wanted = domains.get(part.id);
      if (!wanted) continue;
      const list = await mx.lists.correct(part.id, { domains: wanted });
      // That it could not be renamed is no reason to stop.
      await mx.lists.rename(list.id, madeName('corrections', nameOf(part))).catch(() => {});
      await queries.invalidateQueries({ queryKey: keys.corrections(part.id) });
    }
  });
}
