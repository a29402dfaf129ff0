// The retries of these lists: what they left unknown, checked again by any user of the account, in any browser.
import { ListNotFound, type ListSummary } from '@mxproof/client';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { keys, mx } from '../shell/api.ts';
import { isFinished, useList } from './use-list.ts';

/** The newest of each list; what is unknown after so many is unknown. */
const RETRIES_MAX = 20;
/** Another browser may begin one at any time. */
const ASK_MS = 30_000;

export interface RetrySource {
  /** Named after this one. */
  readonly part: ListSummary;
  /** The last in which its unknown addresses were checked to the end, or itself. */
  readonly last: ListSummary;
}

/** With what it costs. */
export interface PricedRetry extends RetrySource {
  /** Addresses that would be checked. */
  readonly unknown: number;
}

export function useRetries(parts: readonly ListSummary[]) {
  const queries = useQueryClient();
  // A list that runs cannot be retried.
  const tried = parts.filter((part) => isFinished(part) && part.counts.unknown > 0);
  const made = useQueries({
    queries: tried.map(({ id }) => ({
      queryKey: keys.retries(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => mx.lists.retries(id, { signal }),
      refetchInterval: ASK_MS,
    })),
  });
  const idsOf = made.map(({ data }) => (data ?? []).slice(-RETRIES_MAX));
  const ids = idsOf.flat();
  const { parts: lists, error } = useList(ids);
  // While one more is asked for, the others stay.
  const lastKnown = useRef<readonly ListSummary[]>([]);
  useEffect(() => {
    if (lists) lastKnown.current = lists;
  });
  const retries = lists ?? lastKnown.current.filter(({ id }) => ids.includes(id));
  // Deleted since: what it said is gone with it.
  const isRead = ids.length === 0 || lists !== null || error instanceof ListNotFound;
  const isRunning = retries.some((list) => !isFinished(list));
  const left = tried.flatMap((part, at): RetrySource[] => {
    const done = retries.filter(({ id, status }) => idsOf[at]!.includes(id) && status === 'done');
    const last = done.at(-1) ?? part;
    return last.counts.unknown > 0 ? [{ part, last }] : [];
  });
  return {
    /** Oldest first. */
    retries,
    left: isRunning ? [] : left,
    isKnown: made.every(({ isSuccess }) => isSuccess) && isRead,
    error: made.find((each) => each.error)?.error ?? (isRead ? null : error),
    askAgain() {
      for (const { id } of tried) void queries.refetchQueries({ queryKey: keys.retries(id) });
      for (const id of ids) void queries.refetchQueries({ queryKey: keys.list(id), exact: true });
    },
  };
}
