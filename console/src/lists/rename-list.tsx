// A list's name, being changed in its place.
import type { ListSummary } from '@mxproof/client';
import { useQueryClient } from '@tanstack/react-query';
import { RenameForm } from '../design/rename-form.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';

const text = messages.lists;

export function nameOf({ name, id }: ListSummary): string {
  return name === '' ? text.unnamed(id) : name;
}

export function RenameList({ list, onEnd }: { readonly list: ListSummary; readonly onEnd: () => void }) {
  const queries = useQueryClient();
  const rename = async (name: string) => {
    queries.setQueryData(keys.list(list.id), await mx.lists.rename(list.id, name));
    await queries.invalidateQueries({ queryKey: keys.lists });
  };
  return (
    <RenameForm
      label={text.newName(nameOf(list))}
      name={list.name}
      mayBeEmpty={true}
      rename={rename}
      onEnd={onEnd}
    />
  );
}
