// A list as it is now, or the parts of one together. Promise: only a visible tab holds a stream open, and one at most; the
// counts shown never go back; a lost connection is reported and restored by itself.
//
// Events bring the numbers as they change. Beside them the list is asked for every few seconds: that goes on where events
// do not come through, tells a lost connection from a list in which nothing happens, and finds the way back.
import {
  ConnectionFailed,
  DeadlineExceeded,
  ListNotFound,
  type ListSummary,
  ServiceUnavailable,
} from '@mxproof/client';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { keys, mx } from '../shell/api.ts';
import { isSignedOut } from '../shell/problem.ts';
import { useIsVisible } from './use-is-visible.ts';

const ASK_MS = 3_000;
const ASK_TIMEOUT_MS = 5_000;
const FOLLOW_AGAIN_MS = 2_000;

export function isFinished({ finished_at }: ListSummary): boolean {
  return finished_at !== null;
}

export function useList(ids: readonly number[]) {
  const queries = useQueryClient();
  const isVisible = useIsVisible();
  const isOnline = useSyncExternalStore(onConnection, () => navigator.onLine);
  const { data, errors } = useQueries({
    queries: ids.map((id) => ({
      queryKey: keys.list(id),
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const isFirst = queries.getQueryData(keys.list(id)) === undefined;
        const asked = await mx.lists.get(id, {
          include: 'paused',
          signal,
          ...(!isFirst && { maxRetries: 0, timeoutMs: ASK_TIMEOUT_MS }),
        });
        // Events may have brought something newer meanwhile.
        return newer(asked, queries.getQueryData<ListSummary>(keys.list(id)));
      },
      refetchInterval: ({ state }: { state: { data?: ListSummary | undefined } }) =>
        state.data && !isFinished(state.data) ? ASK_MS : (false as const),
    })),
    // Where nothing changes, what is made of them stays the same object.
    combine: (answers) => ({
      data: answers.map(({ data }) => data ?? null),
      errors: answers.map(({ error }) => error),
    }),
  });
  const followed = data.find((list) => list && !isFinished(list))?.id;
  const isLost = !isOnline || errors.some(isNoAnswer);

  useEffect(() => {
    if (followed === undefined || !isVisible || isLost) return;
    const left = new AbortController();
    // Events do not say whether it is paused.
    const show = (now: ListSummary) =>
      queries.setQueryData<ListSummary>(keys.list(followed), (known) => ({
        ...now,
        paused_at: isFinished(now) ? null : (known?.paused_at ?? null),
      }));
    const follow = async () => {
      while (!left.signal.aborted) {
        try {
          show(await mx.lists.wait(followed, { signal: left.signal, onProgress: show }));
          return;
        } catch (error) {
          if (left.signal.aborted) return;
          if (isSignedOut(error)) return void queries.invalidateQueries({ queryKey: keys.account });
          await new Promise((done) => setTimeout(done, FOLLOW_AGAIN_MS));
        }
      }
    };
    void follow();
    return () => left.abort();
  }, [followed, isVisible, isLost, queries]);

  // What was not charged comes back when a list ends.
  const finished = data.filter((list) => list && isFinished(list)).length;
  useEffect(() => {
    if (finished > 0) void queries.invalidateQueries({ queryKey: keys.account });
  }, [finished, queries]);

  // A part may have been deleted by itself: the others are still one.
  const parts = useMemo(() => {
    const kept = data.filter((_, at) => !(errors[at] instanceof ListNotFound));
    const known = kept.filter((list) => list !== null);
    return known.length > 0 && known.length === kept.length ? known : null;
  }, [data, errors]);
  return {
    parts,
    error: errors.find((error) => error !== null) ?? null,
    isOffline: isLost && followed !== undefined,
  };
}

function newer(asked: ListSummary, known: ListSummary | undefined): ListSummary {
  if (isFinished(asked) || !known) return asked;
  if (isFinished(known)) return known;
  return known.checked > asked.checked ? { ...known, paused_at: asked.paused_at ?? null } : asked;
}

function isNoAnswer(error: unknown): boolean {
  return (
    error instanceof ConnectionFailed ||
    error instanceof DeadlineExceeded ||
    error instanceof ServiceUnavailable
  );
}

function onConnection(changed: () => void): () => void {
  window.addEventListener('offline', changed);
  window.addEventListener('online', changed);
  return () => {
    window.removeEventListener('offline', changed);
    window.removeEventListener('online', changed);
  };
}
