// Deletes the list at the service, which keeps its data for the undo: see deletions/.
import type { ListSummary } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { deleteLists } from '../deletions/delete-lists.ts';
import { dropDeletion, rememberDeletion } from '../deletions/pending-deletions.ts';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { nameOf } from '../lists/rename-list.tsx';
import { listMessages } from '../messages/en-list.ts';
import { messages } from '../messages/messages.ts';
import { keys } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { useAccount } from '../shell/session.ts';

export function DeleteList({
  list,
  parts,
}: {
  readonly list: ListSummary;
  readonly parts: readonly ListSummary[];
}) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const account = useAccount().data?.name;
  const name = nameOf(list);
  const listIds = parts.map(({ id }) => id);
  const { mutate, isPending, error } = useMutation({
    mutationKey: keys.deletion(listIds[0]!),
    mutationFn: () => deleteLists(listIds),
    onSuccess: async () => {
      // Or it would be there once more for a moment.
      queries.removeQueries({ queryKey: keys.lists });
      await navigate({ to: '/lists' });
      for (const id of listIds) queries.removeQueries({ queryKey: keys.list(id) });
      void queries.invalidateQueries({ queryKey: keys.account });
      void queries.invalidateQueries({ queryKey: keys.callbacks });
    },
    onError: () => dropDeletion({ listIds }),
  });
  if (account === undefined) return null;
  return (
    <>
      <Button
        variant="danger"
        isDisabled={isPending}
        onPress={() => {
          // Before the request: if the page is closed before the response, the next one still removes the file.
          rememberDeletion({ listIds, name, account });
          mutate();
        }}
      >
        {listMessages.list.delete}
      </Button>
      {error && (
        <ProblemNotice>
          {messages.deletions.failed(name)} {problemText(error)}
        </ProblemNotice>
      )}
    </>
  );
}
