// A list's name, being changed in its place.
import type { ListSummary } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';

const text = messages.lists;
/** As the service takes it. */
export const NAME_MAX = 200;

export function nameOf({ name, id }: ListSummary): string {
  return name === '' ? text.unnamed(id) : name;
}

export function RenameList({ list, onEnd }: { readonly list: ListSummary; readonly onEnd: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(list.name);
  const input = useRef<HTMLInputElement>(null);
  // Typing replaces the name; an arrow key goes on from it.
  useEffect(() => input.current?.select(), []);
  const rename = useMutation({
    mutationFn: () => mx.lists.rename(list.id, name),
    onSuccess: async (renamed) => {
      queries.setQueryData(keys.list(list.id), renamed);
      await queries.invalidateQueries({ queryKey: keys.lists });
      onEnd();
    },
  });
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate();
      }}
    >
      <TextField
        aria-label={text.newName(nameOf(list))}
        value={name}
        onChange={setName}
        maxLength={NAME_MAX}
        autoFocus
        onKeyDown={(event) => event.key === 'Escape' && onEnd()}
      >
        <Input className="input" ref={input} />
      </TextField>
      <Button type="submit" isDisabled={rename.isPending}>
        {text.save}
      </Button>
      <Button variant="quiet" onPress={onEnd}>
        {messages.cancel}
      </Button>
      {rename.isError && <ProblemNotice>{problemText(rename.error)}</ProblemNotice>}
    </form>
  );
}
