// The lists in which what these left unknown was checked again, whoever did so, in whichever browser.
import type { ListSummary } from '@mxproof/client';
import { useQueries } from '@tanstack/react-query';
import { keys, mx } from '../shell/api.ts';
import { isFinished, useList } from './use-list.ts';

/** The newest of each list; what is unknown after so many is unknown. */
const RETRIES_MAX = 20;

export interface Left {
  /** Named after this one. */
  readonly part: ListSummary;
  /** The last in which its unknown addresses were checked to the end, or itself. */
  readonly last: ListSummary;
}

export function useRetries(parts: readonly ListSummary[]) {
  const tried = parts.filter(({ counts }) => counts.unknown > 0);
  const made = useQueries({
    queries: tried.map(({ id }) => ({
      queryKey: keys.retries(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => mx.lists.retries(id, { signal }),
    })),
  });
  const idsOf = made.map(({ data }) => (data ?? []).slice(-RETRIES_MAX));
  const ids = idsOf.flat();
  const { parts: lists, error } = useList(ids);
  const retries = lists ?? [];
  const isRunning = retries.some((list) => !isFinished(list));
  const left = tried.flatMap((part, at): Left[] => {
    const done = retries.filter(({ id, status }) => idsOf[at]!.includes(id) && status === 'done');
    const last = done.at(-1) ?? part;
    return last.counts.unknown > 0 ? [{ part, last }] : [];
  });
  return {
    /** Oldest first. */
    retries,
    left: isRunning ? [] : left,
    isKnown: made.every(({ isSuccess }) => isSuccess) && (ids.length === 0 || lists !== null),
    error: made.find((each) => each.error)?.error ?? error,
    askAgain: () => void Promise.all(made.filter(({ isError }) => isError).map(({ refetch }) => refetch())),
  };
}
