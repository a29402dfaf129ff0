// Pauses the checking of a list, or goes on with it. No credit moves.
import type { ListSummary } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { listMessages } from '../messages/en-list.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { isFinished } from './use-list.ts';

const text = listMessages.list;

export function PauseOrResume({
  list: { paused_at },
  parts,
}: {
  readonly list: ListSummary;
  readonly parts: readonly ListSummary[];
}) {
  const queries = useQueryClient();
  const isPaused = paused_at != null;
  const change = useMutation({
    mutationFn: async () => {
      // Those that another window has paused meanwhile are as wanted.
      const others = parts.filter((part) => !isFinished(part) && (part.paused_at != null) === isPaused);
      for (const { id } of others) await (isPaused ? mx.lists.resume(id) : mx.lists.pause(id));
    },
    // What the service says then: another window may have been quicker.
    onSettled: () =>
      Promise.all(parts.map(({ id }) => queries.refetchQueries({ queryKey: keys.list(id), exact: true }))),
  });
  return (
    <>
      {change.isError && <ProblemNotice>{problemText(change.error)}</ProblemNotice>}
      <Button
        {...(isPaused && { variant: 'primary' as const })}
        isDisabled={change.isPending}
        onPress={() => change.mutate()}
      >
        {isPaused ? text.resume : text.pause}
      </Button>
    </>
  );
}
