// Lists of accounts as rows of a table: how far each is, and what it waits for.
import type { AdminList } from '@mxproof/client/admin';
import { type Waiting, waitingPhrase } from '@mxproof/common/vocabulary/labels';
import { Button } from '../design/button.tsx';
import { formatCount, formatMoment } from '../design/format.ts';
import { ShapeBar } from '../design/shape-bar.tsx';
import { anyLists as text } from '../messages/en-operator-service.ts';
import { messages } from '../messages/messages.ts';
import { AccountLink } from './account-link.tsx';
import type { Column } from './records.tsx';

export const nameOfList = ({ id, name }: Pick<AdminList, 'id' | 'name'>): string =>
  name === '' ? messages.lists.unnamed(id) : name;

export const statusOf = ({ status, paused_at }: AdminList): string =>
  paused_at === null ? text.statuses[status] : text.pausedNow;

/** `onOpen`: unset where only one account's are shown, and none is opened. */
export function listColumns(onOpen?: (list: AdminList) => void): Column<AdminList>[] {
  const account = { name: text.of, cell: ({ account_id: id }: AdminList) => <AccountLink id={id} /> };
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
    ...(onOpen ? [account] : []),
    { name: text.state, isShort: true, cell: statusOf },
    {
      name: text.progress,
      isShort: true,
      cell: (list) => (
        <>
          {text.checkedOf(formatCount(list.checked), formatCount(list.total))}
          <ShapeBar list={list} words={messages.states} />
        </>
      ),
    },
    { name: text.waits, cell: waitsFor },
  ];
}

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
