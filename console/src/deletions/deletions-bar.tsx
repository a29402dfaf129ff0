// What was just deleted, with its undo; when its time is over, what this browser keeps of it goes too.
import { ListNotFound } from '@mxproof/client';
import { type Mutation, useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../design/button.tsx';
import { formatDuration } from '../design/format.ts';
import { deletionMessages } from '../messages/en-deletions.ts';
import { keys } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { forgetDeleted, undeleteLists } from './delete-lists.ts';
import { dropDeletion, type PendingDeletion } from './pending-deletions.ts';
import type { Deletion as Asked } from './use-deletion.ts';

const text = deletionMessages;
const TICK_MS = 1_000;

export function DeletionsBar({ pending }: { readonly pending: readonly PendingDeletion[] }) {
  return pending.map((deletion, at) => (
    <Deletion key={deletion.listIds[0]} deletion={deletion} isLast={at === pending.length - 1} />
  ));
}

function Deletion({ deletion, isLast }: { readonly deletion: PendingDeletion; readonly isLast: boolean }) {
  const { listIds, name, dueAtMs } = deletion;
  const queries = useQueryClient();
  const [leftMs, setLeftMs] = useState(() => dueAtMs - Date.now());
  // Not before the service has it: the undo could arrive first.
  const isThis = ({ state }: Mutation) => (state.variables as Asked | undefined)?.listIds[0] === listIds[0];
  const isUnderWay = useIsMutating({ mutationKey: keys.deletions, predicate: isThis }) > 0;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => undeleteLists(listIds),
    onSuccess: () => dropDeletion(deletion),
    // Of several lists some may be back.
    onSettled: async () => {
      void queries.invalidateQueries({ queryKey: keys.account });
      void queries.invalidateQueries({ queryKey: keys.callbacks });
      await queries.invalidateQueries({ queryKey: keys.lists });
    },
  });
  const isOver = leftMs <= 0 && !isPending && !isUnderWay;
  useEffect(() => {
    const timer = setInterval(() => setLeftMs(dueAtMs - Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [dueAtMs]);
  useEffect(() => {
    // Without an answer the next page tries again.
    if (isOver)
      forgetDeleted(listIds).then(
        () => dropDeletion({ listIds }),
        () => {},
      );
  }, [isOver, listIds]);

  const isTooLate = error instanceof ListNotFound;
  const mayUndo = !isOver && !isUnderWay && !isPending && !isTooLate;
  useEffect(() => {
    if (!isLast || !mayUndo) return;
    const onKey = (event: KeyboardEvent) => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      const isTyping =
        event.target instanceof HTMLElement && event.target.closest('input:not([type=checkbox]), textarea');
      if (!isUndo || isTyping) return;
      event.preventDefault();
      mutate();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isLast, mayUndo, mutate]);

  if (isOver || isUnderWay) return null;
  return (
    <div className="deletion">
      <span>{error ? text.notUndone(name) : text.deleted(name)}</span>
      {error && <span className="small">{isTooLate ? text.tooLate : problemText(error)}</span>}
      {!isTooLate && (
        <>
          {/* Heard once, not every second. */}
          <span className="small" aria-hidden="true">
            {formatDuration(Math.max(0, leftMs) / 1_000)}
          </span>
          <Button isDisabled={isPending} onPress={() => mutate()}>
            {text.undo}
          </Button>
        </>
      )}
    </div>
  );
}
