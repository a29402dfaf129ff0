// A list's name, being changed in its place.
import type { ListSummary } from '@mxproof/client';
import { useQueryClient } from '@tanstack/react-query';
import { RenameForm } from '../design/rename-form.tsx';
import { messages } from '../messages/messages.ts';
import { keys } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import type { Member } from './fold-made.ts';
import { knownMembers } from './known-members.ts';
import { PartlyRenamed, renameFamily } from './rename-family.ts';

const text = messages.lists;

export function nameOf({ name, id }: ListSummary): string {
  return name === '' ? text.unnamed(id) : name;
}

/** `members`: it and what is renamed with it; unset: as far as this browser has asked. */
export function RenameList({
  list,
  members,
  onEnd,
}: {
  readonly list: ListSummary;
  readonly members?: readonly Member[];
  readonly onEnd: () => void;
}) {
  const queries = useQueryClient();
  const rename = async (name: string) => {
    const all = members ?? knownMembers(queries, [list.id]);
    try {
      queries.setQueryData(keys.list(list.id), await renameFamily(all, name));
    } finally {
      await queries.invalidateQueries({ queryKey: keys.lists });
      for (const { id } of all.slice(1))
        void queries.invalidateQueries({ queryKey: keys.list(id), exact: true });
    }
  };
  return (
    <RenameForm
      label={text.newName(nameOf(list))}
      name={list.name}
      mayBeEmpty={true}
      rename={rename}
      problem={(error) => (error instanceof PartlyRenamed ? error.message : problemText(error))}
      onEnd={onEnd}
    />
  );
}
