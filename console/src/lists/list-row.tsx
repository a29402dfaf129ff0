// One list in the table of lists: its name, how far it is, the shape of its result.
import type { ListSummary } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { formatCount, formatMoment, formatShare } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { ShapeBar } from '../design/shape-bar.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';

const text = messages.lists;
const NAME_MAX = 200;

export function ListRow({ list }: { readonly list: ListSummary }) {
  const [isRenaming, setRenaming] = useState(false);
  return (
    <li className="list-row">
      <div className="list-row-name">
        {isRenaming ? (
          <Rename list={list} onEnd={() => setRenaming(false)} />
        ) : (
          <>
            <Link to="/lists/$id" params={{ id: String(list.id) }}>
              {nameOf(list)}
            </Link>
            <Button look="quiet" aria-label={text.rename(nameOf(list))} onPress={() => setRenaming(true)}>
              {text.renameShort}
            </Button>
          </>
        )}
        <p className="small soft">
          {text.addresses(list.total)} · {formatMoment(list.created_at)}
        </p>
      </div>
      <div className="list-row-state">
        <ShapeBar list={list} />
        <p className="small soft">{statusText(list)}</p>
      </div>
    </li>
  );
}

export function nameOf({ name, id }: ListSummary): string {
  return name === '' ? messages.lists.unnamed(id) : name;
}

function statusText(list: ListSummary): string {
  if (list.status === 'done') return text.done(formatShare(list.counts.deliverable, list.total));
  if (list.status === 'failed') return text.stopped(formatCount(list.checked), formatCount(list.total));
  return text.running(formatShare(list.checked, list.total));
}

function Rename({ list, onEnd }: { readonly list: ListSummary; readonly onEnd: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(list.name);
  const rename = useMutation({
    mutationFn: () => mx.lists.rename(list.id, name),
    onSuccess: async () => {
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
        <Input className="input" />
      </TextField>
      <Button type="submit" isDisabled={rename.isPending}>
        {text.save}
      </Button>
      <Button look="quiet" onPress={onEnd}>
        {messages.cancel}
      </Button>
      {rename.isError && <ProblemNotice>{problemText(rename.error)}</ProblemNotice>}
    </form>
  );
}
