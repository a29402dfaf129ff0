// What is about to be deleted, with its undo; and the deletion itself, when its time is over.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../design/button.tsx';
import { formatDuration } from '../design/format.ts';
import { messages } from '../messages/messages.ts';
import { keys } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { deleteLists } from './delete-lists.ts';
import { dropDeletion, type PendingDeletion } from './pending-deletions.ts';

const text = messages.deletions;
const TICK_MS = 1_000;

export function DeletionsBar({ pending }: { readonly pending: readonly PendingDeletion[] }) {
  const last = pending.at(-1);
  useEffect(() => {
    if (!last) return;
    const onKey = (event: KeyboardEvent) => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea');
      if (!isUndo || isTyping) return;
      event.preventDefault();
      dropDeletion(last);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [last]);
  return pending.map((deletion) => <Deletion key={deletion.listIds[0]} deletion={deletion} />);
}

function Deletion({ deletion }: { readonly deletion: PendingDeletion }) {
  const queries = useQueryClient();
  const [leftMs, setLeftMs] = useState(() => deletion.dueAtMs - Date.now());
  const { mutate, isPending, error, isError } = useMutation({
    mutationFn: () => deleteLists(deletion.listIds),
    onSuccess: async () => {
      // Read again first: or the list would be there once more for a moment.
      await queries.invalidateQueries({ queryKey: keys.lists });
      dropDeletion(deletion);
      for (const id of deletion.listIds) queries.removeQueries({ queryKey: keys.list(id) });
      void queries.invalidateQueries({ queryKey: keys.account });
    },
  });
  const isDue = leftMs <= 0;
  useEffect(() => {
    if (isDue) return mutate();
    const timer = setInterval(() => setLeftMs(deletion.dueAtMs - Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isDue, deletion, mutate]);
  return (
    <div className="deletion">
      <span>{isError ? text.failed(deletion.name) : text.deleted(deletion.name)}</span>
      {isError && <span className="small">{problemText(error)}</span>}
      {!isDue && (
        // Heard once, not every second.
        <span className="small" aria-hidden="true">
          {formatDuration(leftMs / 1_000)}
        </span>
      )}
      {isError && <Button onPress={() => mutate()}>{text.again}</Button>}
      {(!isDue || isError) && (
        <Button isDisabled={isPending} onPress={() => dropDeletion(deletion)}>
          {isError ? text.keep : text.undo}
        </Button>
      )}
    </div>
  );
}
