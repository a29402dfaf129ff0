// Deletes the list at the service, which keeps its data for the undo: see deletions/.
import type { ListSummary } from '@mxproof/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useDeletion } from '../deletions/use-deletion.ts';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { knownMembers } from '../lists/known-members.ts';
import { nameOf } from '../lists/rename-list.tsx';
import { deletionMessages } from '../messages/en-deletions.ts';
import { listMessages } from '../messages/en-list.ts';
import { keys } from '../shell/api.ts';
import { useMay } from '../shell/own-session.ts';
import { problemText } from '../shell/problem.ts';

export function DeleteList({
  list,
  parts,
}: {
  readonly list: ListSummary;
  readonly parts: readonly ListSummary[];
}) {
  const may = useMay();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isRunning, setRunning] = useState(false);
  const deletion = useDeletion(() => navigate({ to: '/lists' }));
  const name = nameOf(list);
  if (deletion === null || !may.change) return null;
  const { isPending, error } = deletion;

  function press() {
    // With what was made of it: its answers are this list's.
    const listIds = knownMembers(
      queries,
      parts.map(({ id }) => id),
    ).map(({ id }) => id);
    const mayGo = listIds.every(
      (id) => queries.getQueryData<ListSummary>(keys.list(id))?.finished_at !== null,
    );
    setRunning(!mayGo);
    if (mayGo) deletion?.delete({ listIds, name });
  }

  return (
    <>
      <Button variant="danger" isDisabled={isPending} onPress={press}>
        {listMessages.list.delete}
      </Button>
      {isRunning && <ProblemNotice>{listMessages.list.checkedAgainNow(name)}</ProblemNotice>}
      {error && (
        <ProblemNotice>
          {deletionMessages.failed(name)} {problemText(error)}
        </ProblemNotice>
      )}
    </>
  );
}
