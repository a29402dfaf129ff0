// A list as it is now, or the parts of one together. Promise: only a tab that is looked at holds a stream open, and one
// at most; what is shown never goes back; a connection that is lost is said and tried again by itself.
import { ListNotFound, type ListSummary } from '@mxproof/client';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keys, mx } from '../shell/api.ts';
import { isSignedOut } from '../shell/problem.ts';
import { useIsVisible } from './use-is-visible.ts';

const RECONNECT_MS = 2_000;
/** Parts beyond the one that is followed: a browser has few connections to one host. */
const POLL_MS = 3_000;

export function isFinished({ finished_at }: ListSummary): boolean {
  return finished_at !== null;
}

export function useList(ids: readonly number[]) {
  const queries = useQueryClient();
  const [isOffline, setOffline] = useState(false);
  /** Counts how often the connection came back. */
  const [returns, setReturns] = useState(0);
  const isVisible = useIsVisible();
  const parts = useQueries({
    queries: ids.map((id) => ({
      queryKey: keys.list(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => mx.lists.get(id, { signal }),
      refetchInterval: ({ state }: { state: { data?: ListSummary | undefined } }) =>
        ids.length > 1 && state.data && !isFinished(state.data) ? POLL_MS : (false as const),
    })),
  });
  const followed = parts.find(({ data }) => data && !isFinished(data))?.data?.id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a connection that came back is tried at once.
  useEffect(() => {
    if (followed === undefined || !isVisible) return;
    const left = new AbortController();
    const follow = async () => {
      while (!left.signal.aborted) {
        try {
          const ended = await mx.lists.wait(followed, {
            signal: left.signal,
            onProgress: (now) => {
              setOffline(false);
              queries.setQueryData(keys.list(followed), now);
            },
          });
          queries.setQueryData(keys.list(followed), ended);
          await queries.invalidateQueries({ queryKey: keys.account });
          return;
        } catch (error) {
          if (left.signal.aborted) return;
          if (isSignedOut(error)) return void queries.invalidateQueries({ queryKey: keys.account });
          setOffline(true);
          await new Promise((done) => setTimeout(done, RECONNECT_MS));
        }
      }
    };
    void follow();
    return () => left.abort();
  }, [followed, isVisible, queries, returns]);

  // The stream itself may take minutes to notice; the browser knows at once.
  useEffect(() => {
    const lost = () => setOffline(true);
    const back = () => setReturns((count) => count + 1);
    window.addEventListener('offline', lost);
    window.addEventListener('online', back);
    return () => {
      window.removeEventListener('offline', lost);
      window.removeEventListener('online', back);
    };
  }, []);

  const known = parts.flatMap(({ data }) => data ?? []);
  // A part may have been deleted by itself: the others are still one.
  const gone = parts.filter(({ data, error }) => !data && error instanceof ListNotFound);
  return {
    parts: known.length > 0 && known.length + gone.length === ids.length ? known : null,
    error: parts.find(({ error }) => error)?.error ?? null,
    isOffline: isOffline && followed !== undefined,
  };
}
