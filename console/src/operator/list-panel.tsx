// One list: what it waits for, and a way to stop it.
import '../list/list.css';
import type { AdminList } from '@mxproof/client/admin';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Fact } from '../design/fact.tsx';
import { formatCount, formatMoment } from '../design/format.ts';
import { Notice } from '../design/notice.tsx';
import { ShapeBar } from '../design/shape-bar.tsx';
import { SidePanel } from '../design/side-panel.tsx';
import { ListWaiting } from '../list/list-waiting.tsx';
import { waitingOf } from '../list/use-waiting.ts';
import { anyLists as text } from '../messages/en-operator-service.ts';
import { messages } from '../messages/messages.ts';
import { AccountLink } from './account-link.tsx';
import { Confirm } from './confirm.tsx';
import { nameOfList, statusOf } from './list-columns.tsx';
import { admin, useAdmin, useChange } from './operator-api.ts';
import { useMayChange } from './operator-session.ts';
import { ReadingState } from './page-parts.tsx';

const EVERY_MS = 3_000;

export function ListPanel({ list, onClose }: { readonly list: AdminList; readonly onClose: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const cancel = useChange((options) => admin.lists.cancel(list.id, options));
  const isGoing = list.finished_at === null;
  return (
    <SidePanel title={nameOfList(list)} isText onClose={onClose}>
      <dl className="facts">
        <Fact name={text.of}>
          <AccountLink id={list.account_id} />
        </Fact>
        <Fact name={text.list}>{list.id}</Fact>
        <Fact name={text.state}>{statusOf(list)}</Fact>
        <Fact name={text.created}>{formatMoment(list.created_at)}</Fact>
        <Fact name={text.progress}>{text.checkedOf(formatCount(list.checked), formatCount(list.total))}</Fact>
      </dl>
      <ShapeBar list={list} words={messages.states} />
      {list.paused_at !== null && <Notice>{text.paused(formatMoment(list.paused_at))}</Notice>}
      {isGoing && <Waits list={list} />}
      {useMayChange() && isGoing && (
        <div>
          <Button onPress={() => setAsking(true)}>{text.cancel}</Button>
        </div>
      )}
      {isAsking && (
        <Confirm
          title={text.cancelTitle(nameOfList(list))}
          confirm={text.cancelNow}
          change={cancel}
          onConfirm={() => cancel.mutate(undefined, { onSuccess: onClose })}
          onClose={() => setAsking(false)}
        >
          <p>{text.cancelMeaning(list.pending)}</p>
        </Confirm>
      )}
    </SidePanel>
  );
}

function Waits({ list }: { readonly list: AdminList }) {
  const waiting = useAdmin(
    ['waiting', list.id],
    (options) => admin.lists.waiting(list.id, options),
    EVERY_MS,
  );
  const now = waiting.data && waitingOf([waiting.data], waiting.data.pending);
  return (
    <section className="stack" aria-label={text.waiting}>
      <ReadingState of={waiting} />
      {now?.held.length === 0 && <p className="soft">{text.nothing}</p>}
      {now && <ListWaiting list={list} now={now} />}
    </section>
  );
}
