// A list as it is now. Promise: only a tab that is looked at holds a stream open; what is shown never goes back; a
// connection that is lost is said and tried again by itself.
import type { ListSummary } from '@mxproof/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { keys, mx } from '../shell/api.ts';
import { isSignedOut } from '../shell/problem.ts';

const RECONNECT_MS = 2_000;

export function isFinished({ finished_at }: ListSummary): boolean {
  return finished_at !== null;
}

export function useList(id: number) {
  const queries = useQueryClient();
  const [isOffline, setOffline] = useState(false);
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
  const list = useQuery({
    queryKey: keys.list(id),
    queryFn: ({ signal }) => mx.lists.get(id, { signal }),
  });
  const isRunning = list.data !== undefined && !isFinished(list.data);

  useEffect(() => {
    if (!isRunning || !isVisible) return;
    const left = new AbortController();
    const follow = async () => {
      while (!left.signal.aborted) {
        try {
          const ended = await mx.lists.wait(id, {
            signal: left.signal,
            onProgress: (now) => {
              setOffline(false);
              queries.setQueryData(keys.list(id), now);
            },
          });
          queries.setQueryData(keys.list(id), ended);
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
  }, [id, isRunning, isVisible, queries]);

  // The stream itself may take minutes to notice; the browser knows at once.
  useEffect(() => {
    const lost = () => setOffline(true);
    const back = () => setOffline(false);
    window.addEventListener('offline', lost);
    window.addEventListener('online', back);
    return () => {
      window.removeEventListener('offline', lost);
      window.removeEventListener('online', back);
    };
  }, []);

  return { list, isOffline: isOffline && isRunning };
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}
