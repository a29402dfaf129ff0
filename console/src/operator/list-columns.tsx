// Lists of accounts as rows of a table: how far each is, and what it waits for.
import type { AdminList } from '@mxproof/client/admin';
import { type Waiting, waitingPhrase } from '@mxproof/common/vocabulary/labels';
import { Link } from '@tanstack/react-router';
import { Button } from '../design/button.tsx';
import { formatCount, formatMoment } from '../design/format.ts';
import { ShapeBar } from '../design/shape-bar.tsx';
import { anyLists as text } from '../messages/en-operator-service.ts';
import { messages } from '../messages/messages.ts';
import type { Column } from './records.tsx';

export const nameOfList = ({ id, name }: Pick<AdminList, 'id' | 'name'>): string =>
  name === '' ? messages.lists.unnamed(id) : name;

/** `onOpen`: unset where only one account's are shown, and none is opened. */
export function listColumns(onOpen?: (list: AdminList) => void): Column<AdminList>[] {
  return [
    {
      name: text.list,
      cell: (list) => (
        <>
          {onOpen ? (
            <Button variant="quiet" onPress={() => onOpen(list)}>
              {nameOfList(list)}
            </Button>
          ) : (
            nameOfList(list)
          )}
          <span className="small soft records-below">{formatMoment(list.created_at)}</span>
        </>
      ),
    },
    ...(onOpen ? [OF_ACCOUNT] : []),
    {
      name: text.state,
      isShort: true,
      cell: ({ status, paused_at }) => (paused_at === null ? text.statuses[status] : text.pausedNow),
    },
    {
      name: text.progress,
      isShort: true,
      cell: (list) => (
        <>
          <span>
            {formatCount(list.checked)} <span className="small soft">/ {formatCount(list.total)}</span>
          </span>
          <ShapeBar list={list} words={messages.states} />
        </>
      ),
    },
    { name: text.waits, cell: waitsFor },
  ];
}

const OF_ACCOUNT: Column<AdminList> = {
  name: text.of,
  cell: ({ account_id: id }) => (
    <Link to="/operator/accounts/$id" params={{ id: String(id) }}>
      {formatCount(id)}
    </Link>
  ),
};

function waitsFor({ finished_at, paused_at, checking, waits_for }: AdminList) {
  if (finished_at !== null) return <span className="soft">{text.ended}</span>;
  if (paused_at !== null) return text.paused(formatMoment(paused_at));
  return (
    <>
      {waits_for && <span className="records-long">{phraseOf(waits_for)}</span>}
      {checking > 0 && <span className="small soft records-below">{text.beingAsked(checking)}</span>}
    </>
  );
}

function phraseOf({ why, host }: NonNullable<AdminList['waits_for']>): string {
  const phrase = waitingPhrase(why as Waiting);
  if (typeof phrase === 'string') return host === null ? phrase : text.phraseAt(phrase, host);
  return host === null ? text.servers(phrase[1]) : text.which(host, phrase[0]);
}
