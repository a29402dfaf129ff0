// Deletes the list, ten seconds from now: see deletions/.
import type { ListSummary } from '@mxproof/client';
import { useNavigate } from '@tanstack/react-router';
import { deleteLater } from '../deletions/pending-deletions.ts';
import { Button } from '../design/button.tsx';
import { nameOf } from '../lists/rename-list.tsx';
import { messages } from '../messages/messages.ts';
import { useAccount } from '../shell/session.ts';

export function DeleteList({
  list,
  parts,
}: {
  readonly list: ListSummary;
  readonly parts: readonly ListSummary[];
}) {
  const navigate = useNavigate();
  const account = useAccount().data?.name;
  if (account === undefined) return null;
  return (
    <Button
      look="danger"
      onPress={() => {
        deleteLater({ listIds: parts.map(({ id }) => id), name: nameOf(list), account });
        void navigate({ to: '/lists' });
      }}
    >
      {messages.list.delete}
    </Button>
  );
}
