// The list's name, how it ended, and what can be done with it as a whole.
import type { ListSummary } from '@mxproof/client';
import type { Ref } from 'react';
import { Button } from '../design/button.tsx';
import { formatDay, formatMoment } from '../design/format.ts';
import { useRenaming } from '../design/rename-form.tsx';
import { nameOf, RenameList } from '../lists/rename-list.tsx';
import { listMessages } from '../messages/en-list.ts';
import { messages } from '../messages/messages.ts';
import { useMay } from '../shell/own-session.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { factsInWords, type SubmittedFile } from './file-facts.ts';

const text = listMessages.list;

export function ListHeading({
  list,
  file,
  mayRename,
  deletedOn,
  tools,
}: {
  readonly list: ListSummary;
  readonly file: SubmittedFile | null;
  /** The name of several lists together is that of their file. */
  readonly mayRename: boolean;
  /** The day on which its results go, in Unix seconds; null: none is known. */
  readonly deletedOn: number | null;
  /** A place for buttons. */
  readonly tools: Ref<HTMLDivElement>;
}) {
  const may = useMay();
  const { isRenaming, button, begin, end } = useRenaming();
  return (
    <header className="list-heading">
      <div className="list-heading-name">
        <div className="row">
          <PageTitle stage={list.status}>{nameOf(list)}</PageTitle>
          {mayRename && may.change && !isRenaming && (
            <Button
              ref={button}
              variant="quiet"
              aria-label={messages.lists.rename(nameOf(list))}
              onPress={begin}
            >
              {messages.lists.renameShort}
            </Button>
          )}
        </div>
        {isRenaming && <RenameList list={list} onEnd={end} />}
        <p className="soft" role="status">
          {list.finished_at !== null && (
            <>
              <strong className="list-ended" data-status={list.status}>
                {list.status === 'done' ? text.done : text.stopped}
              </strong>{' '}
              {formatMoment(list.finished_at)} ·{' '}
            </>
          )}
          {list.paused_at != null && (
            <>
              <strong className="list-ended" data-status="paused">
                {text.paused}
              </strong>{' '}
              ·{' '}
            </>
          )}
          {factsInWords(list, file).join(' · ')}
          {deletedOn !== null && ` · ${text.deletedOn(formatDay(deletedOn))}`}
        </p>
      </div>
      <div className="row list-tools" ref={tools} />
    </header>
  );
}
