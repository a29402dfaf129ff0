// Deletes lists with one undo, from any page. Promise: what the service refuses is there again, as it was.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../shell/api.ts';
import { useAccount } from '../shell/session.ts';
import { deleteLists } from './delete-lists.ts';
import { dropDeletion, rememberDeletion } from './pending-deletions.ts';

export interface Deletion {
  /** At least one. */
  readonly listIds: readonly number[];
  readonly name: string;
}

/** `onDeleted`: before what was read of them is dropped. Null: nothing can be deleted before the account is known. */
export function useDeletion(onDeleted: () => Promise<void> | void) {
  const queries = useQueryClient();
  const account = useAccount().data?.name;
  const deletion = useMutation({
    mutationKey: keys.deletions,
    mutationFn: ({ listIds }: Deletion) => deleteLists(listIds),
    onSuccess: async (_, { listIds }) => {
      // Or they would be there once more for a moment.
      queries.removeQueries({ queryKey: keys.lists, type: 'inactive' });
      await onDeleted();
      await queries.invalidateQueries({ queryKey: keys.lists });
      for (const id of listIds) queries.removeQueries({ queryKey: keys.list(id) });
      void queries.invalidateQueries({ queryKey: keys.account });
      void queries.invalidateQueries({ queryKey: keys.callbacks });
    },
    onError: (_, { listIds }) => dropDeletion({ listIds }),
  });
  if (account === undefined) return null;
  return {
    ...deletion,
    delete(wanted: Deletion) {
      // Before the request: if the page is closed before the response, the next one still removes the files.
      rememberDeletion({ ...wanted, account });
      deletion.mutate(wanted);
    },
  };
}
