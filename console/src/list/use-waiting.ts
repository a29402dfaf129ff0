// What a list waits for, over all its unfinished parts. Promise: polled every few seconds, by a visible tab only; what is
// shown never contradicts the list's progress, though that is newer.
import {
  type ListSummary,
  type ListWaiting,
  sumUpWaiting,
  type WaitingCause,
  type WaitingGroup,
} from '@mxproof/client';
import { useQueries } from '@tanstack/react-query';
import { keys, mx } from '../shell/api.ts';
import { pauseOf, useServiceStatus } from '../shell/service-status.ts';
import { isFinished } from './use-list.ts';

const REFRESH_MS = 3_000;
const CAUSES_MAX = 5;

export interface WholeWaiting {
  /** What is held up, the largest causes. */
  readonly held: readonly WaitingCause[];
  /** Held up by something else. */
  readonly others: number;
  /** Being asked about, or next in line. */
  readonly moving: number;
  /** Some of them are next in line. */
  readonly isQueued: boolean;
  /** Unix seconds. */
  readonly doneBy: number;
}

/** Undefined: not known yet, or all of it has ended. */
export function useWaiting(
  { total, checked }: ListSummary,
  parts: readonly ListSummary[],
): WholeWaiting | undefined {
  const unfinished = parts.filter((part) => !isFinished(part));
  const known = useQueries({
    queries: unfinished.map(({ id }) => ({
      queryKey: keys.waiting(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => mx.lists.waiting(id, { signal, maxRetries: 0 }),
      refetchInterval: REFRESH_MS,
    })),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  });
  const isCutOff = pauseOf(useServiceStatus()) === 'port_25';
  return known.length === unfinished.length ? waitingOf(known, total - checked, isCutOff) : undefined;
}

/**
 * `left`: addresses without a result by now, perhaps fewer than when the parts were asked. `isCutOff`: no mail server can be
 * reached, so that none is to blame for it.
 */
export function waitingOf(
  parts: readonly ListWaiting[],
  left: number,
  isCutOff = false,
): WholeWaiting | undefined {
  const ends = parts.flatMap(({ done_by }) => done_by ?? []);
  if (ends.length === 0 || left <= 0) return undefined;
  const groups = parts.flatMap(({ waiting }) => (isCutOff ? waiting.map(withoutBlame) : waiting));
  const causes = sumUpWaiting(groups);
  const all = causes.filter(({ why }) => why !== 'queued');
  // The groups that the service left out of its answer.
  const untold = parts.reduce((sum, { pending, checking }) => sum + pending - checking, 0) - sumOf(causes);
  let rest = left;
  const atMost = (count: number) => {
    const shown = Math.min(count, rest);
    rest -= shown;
    return shown;
  };
  const held = all
    .slice(0, CAUSES_MAX)
    .map((cause) => ({ ...cause, addresses: atMost(cause.addresses) }))
    .filter(({ addresses }) => addresses > 0);
  const others = atMost(sumOf(all.slice(CAUSES_MAX)) + untold);
  return {
    held,
    others,
    moving: rest,
    isQueued: causes.length > all.length,
    doneBy: Math.max(...ends),
  };
}

const withoutBlame = (group: WaitingGroup): WaitingGroup =>
  group.why === 'timeout' || group.why === 'connection_refused'
    ? { ...group, why: 'network_down', host: null }
    : group;

const sumOf = (causes: readonly WaitingCause[]) => causes.reduce((sum, { addresses }) => sum + addresses, 0);
