// Until when a finished list has its results, or since when it has none.
import type { ListSummary } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { keys, mx } from '../shell/api.ts';
import { isFinished } from './use-list.ts';

export type KeptResults = Pick<ListSummary, 'results_expire_at' | 'results_expired_at'>;

const WHILE_IT_RUNS: KeptResults = { results_expire_at: null, results_expired_at: null };

/**
 * Of several parts, those of the part that ended first: from then on the whole is incomplete. Undefined: not known yet.
 * A list whose retention cannot be read is shown like any other.
 */
export function useRetention(
  parts: readonly ListSummary[] | null,
  asked: ListSummary,
): KeptResults | undefined {
  const [first] = [...(parts ?? [])].sort((a, b) => (a.finished_at ?? 0) - (b.finished_at ?? 0));
  const isOver = parts?.every(isFinished) ?? false;
  const id = first?.id ?? asked.id;
  const { data, isError } = useQuery({
    queryKey: keys.retention(id),
    queryFn: ({ signal }) => mx.lists.get(id, { include: 'retention', signal }),
    enabled: isOver,
    // What the page was opened with says it too, unless the list ran then.
    ...(id === asked.id && isFinished(asked) && { initialData: asked }),
  });
  const hasRun = useRef(false);
  if (!isOver || isError) {
    hasRun.current ||= parts !== null;
    return WHILE_IT_RUNS;
  }
  // One that has just ended keeps what is shown of it: rows, where they are scrolled to, and what is open.
  return data ?? (hasRun.current ? WHILE_IT_RUNS : undefined);
}
