// One list in the table of lists: its name, how far it is, the shape of its result.
import type { ListSummary } from '@mxproof/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { formatCount, formatMoment, formatShare } from '../design/format.ts';
import { ShapeBar } from '../design/shape-bar.tsx';
import { messages } from '../messages/messages.ts';
import { nameOf, RenameList } from './rename-list.tsx';

const text = messages.lists;

export function ListRow({ list, mayRename }: { readonly list: ListSummary; readonly mayRename: boolean }) {
  const [isRenaming, setRenaming] = useState(false);
  return (
    <li className="list-row">
      <div className="list-row-name">
        {isRenaming ? (
          <RenameList list={list} onEnd={() => setRenaming(false)} />
        ) : (
          <>
            <Link to="/lists/$id" params={{ id: String(list.id) }}>
              {nameOf(list)}
            </Link>
            {mayRename && (
              <Button
                variant="quiet"
                aria-label={text.rename(nameOf(list))}
                onPress={() => setRenaming(true)}
              >
                {text.renameShort}
              </Button>
            )}
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

function statusText(list: ListSummary): string {
  if (list.status === 'done') return text.done(formatShare(list.counts.deliverable, list.total));
  if (list.status === 'failed') return text.stopped(formatCount(list.checked), formatCount(list.total));
  return text.running(formatShare(list.checked, list.total));
}
