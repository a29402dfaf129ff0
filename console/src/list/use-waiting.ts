// What a list waits for, over all its unfinished parts. Promise: asked every few seconds, by a tab that is looked at only.
import { type ListSummary, type ListWaiting, sumUpWaiting, type WaitingCause } from '@mxproof/client';
import { useQueries } from '@tanstack/react-query';
import { keys, mx } from '../shell/api.ts';
import { isFinished } from './use-list.ts';

const REFRESH_MS = 3_000;

export interface WholeWaiting {
  readonly pending: number;
  readonly checking: number;
  /** Unix seconds. */
  readonly doneBy: number;
  readonly causes: readonly WaitingCause[];
}

/** Undefined: not known yet, or all of it has ended. */
export function useWaiting(parts: readonly ListSummary[]): WholeWaiting | undefined {
  const unfinished = parts.filter((part) => !isFinished(part));
  return useQueries({
    queries: unfinished.map(({ id }) => ({
      queryKey: keys.waiting(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => mx.lists.waiting(id, { signal, maxRetries: 0 }),
      refetchInterval: REFRESH_MS,
    })),
    combine: (answers) => {
      const known = answers.flatMap(({ data }) => data ?? []);
      return known.length === unfinished.length ? waitingOf(known) : undefined;
    },
  });
}

export function waitingOf(parts: readonly ListWaiting[]): WholeWaiting | undefined {
  const ends = parts.flatMap(({ done_by }) => done_by ?? []);
  if (ends.length === 0) return undefined;
  return {
    pending: parts.reduce((sum, { pending }) => sum + pending, 0),
    checking: parts.reduce((sum, { checking }) => sum + checking, 0),
    doneBy: Math.max(...ends),
    causes: sumUpWaiting(parts.flatMap(({ waiting }) => waiting)),
  };
}
