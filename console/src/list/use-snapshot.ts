// What a list's page shows, all of one moment; drawn as one, in steps between which the console stays responsive.
import type { ListSummary } from '@mxproof/client';
import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { listAsRead } from './snapshot.ts';
import { useAnsweredRows } from './use-answered-rows.ts';
import { wholeOf } from './whole-list.ts';

const NOTHING: readonly ListSummary[] = [];

export type Snapshot = ReturnType<typeof useSnapshot>;

/** `mayRead`: it has its rows still. */
export function useSnapshot(parts: readonly ListSummary[], name: string | undefined, mayRead: boolean) {
  const answered = useAnsweredRows(mayRead ? parts : NOTHING);
  const { found, isRead, hasEnded, isComplete, isAlone, error } = answered;
  const shown = useRef<ListSummary | null>(null);
  const wasFinal = useRef(false);
  const hasFailed = !mayRead || error !== null;
  const now = useMemo(() => {
    const { figures, ownFigures } = found;
    const list = listAsRead(wholeOf(parts, name), shown.current, { isRead, hasEnded, hasFailed, ownFigures });
    const hasRows = mayRead && isRead && (list.finished_at === null || hasEnded);
    return {
      ...found,
      /** By itself. */
      list,
      /** With what came later. */
      withLater: hasRows ? { ...list, checked: figures.checked, counts: figures.counts } : list,
      breakdown: hasRows ? figures.breakdown : undefined,
      /** Before, what came later is missing. What was shown is not taken back. */
      isFinal: wasFinal.current || list.finished_at === null || isComplete || isAlone || hasFailed,
      isRead: isRead && (list.finished_at === null || hasEnded),
      hasEnded,
      isComplete,
    };
  }, [parts, name, found, isRead, hasEnded, isComplete, isAlone, hasFailed, mayRead]);
  useEffect(() => {
    shown.current = now.list;
    wasFinal.current = now.isFinal;
  });
  return { ...answered, ...useDeferredValue(now) };
}
