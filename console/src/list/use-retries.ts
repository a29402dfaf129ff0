// The retries of these lists: what they left unknown or unchecked, checked again by any user of the account, in any browser.
import { ListNotFound, type ListSummary } from '@mxproof/client';
import { refundOf } from '@mxproof/common/refund';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { keys, mx } from '../shell/api.ts';
import { isFinished, useList } from './use-list.ts';

/** The newest of each list; what is unknown after so many is unknown. */
const RETRIES_MAX = 20;
/** Another browser may begin one at any time. */
const ASK_MS = 30_000;

/** A list, and how many of its addresses would be checked again. */
export interface Retriable {
  readonly part: ListSummary;
  readonly addresses: number;
}

export function useRetries(parts: readonly ListSummary[]) {
  const queries = useQueryClient();
  // A list that runs cannot be retried.
  const tried = parts.filter((part) => isFinished(part) && refundOf(part) > 0);
  const made = useQueries({
    queries: tried.map(({ id }) => ({
      queryKey: keys.retries(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => mx.lists.retries(id, { signal }),
      refetchInterval: ASK_MS,
    })),
  });
  const ids = made.flatMap(({ data }) => (data ?? []).slice(-RETRIES_MAX));
  const { parts: lists, error } = useList(ids);
  // While one more is asked for, the others stay.
  const lastKnown = useRef<readonly ListSummary[]>([]);
  useEffect(() => {
    if (lists) lastKnown.current = lists;
  });
  const retries = lists ?? lastKnown.current.filter(({ id }) => ids.includes(id));
  // Deleted since: what it said is gone with it.
  const isRead = ids.length === 0 || lists !== null || error instanceof ListNotFound;
  return {
    /** Oldest first. */
    retries,
    /** Of which there may be something left. */
    tried,
    isRunning: retries.some((list) => !isFinished(list)),
    isKnown: made.every(({ isSuccess }) => isSuccess) && isRead,
    error: made.find((each) => each.error)?.error ?? (isRead ? null : error),
    askAgain() {
      for (const { id } of tried) void queries.refetchQueries({ queryKey: keys.retries(id) });
      for (const id of ids) void queries.refetchQueries({ queryKey: keys.list(id), exact: true });
    },
  };
}
