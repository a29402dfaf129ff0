// One list: what it waits for, and a way to stop it.
import '../list/list.css';
import type { AdminList, ListWaiting as WaitingAnswer } from '@mxproof/client/admin';
import { Link } from '@tanstack/react-router';
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
import { Confirm } from './confirm.tsx';
import { nameOfList } from './list-columns.tsx';
import { useOperatorQuery } from './operator-api.ts';
import { useMayChange } from './operator-session.ts';
import { ReadingState } from './page-head.tsx';
import { useChange } from './use-change.ts';

const EVERY_MS = 3_000;

export function ListPanel({ list, onClose }: { readonly list: AdminList; readonly onClose: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const cancel = useChange<void, AdminList>(() => ({
    method: 'POST',
    path: `/lists/${list.id}/cancel`,
    body: {},
  }));
  const isGoing = list.finished_at === null && !cancel.isSuccess;
  return (
    <SidePanel title={nameOfList(list)} isText onClose={onClose}>
      <dl className="facts">
        <Fact name={text.of}>
          <Link to="/operator/accounts/$id" params={{ id: String(list.account_id) }}>
            {formatCount(list.account_id)}
          </Link>
        </Fact>
        <Fact name={text.list}>{formatCount(list.id)}</Fact>
        <Fact name={text.state}>{text.statuses[list.status]}</Fact>
        <Fact name={text.created}>{formatMoment(list.created_at)}</Fact>
        <Fact name={text.progress}>
          {formatCount(list.checked)} / {formatCount(list.total)}
        </Fact>
      </dl>
      <ShapeBar list={list} words={messages.states} />
      {list.paused_at !== null && <Notice>{text.paused(formatMoment(list.paused_at))}</Notice>}
      {isGoing && <Waits list={list} />}
      {cancel.isSuccess && <Notice tone="good">{text.cancelled}</Notice>}
      {useMayChange() && isGoing && (
        <div>
          <Button onPress={() => setAsking(true)}>{text.cancel}</Button>
        </div>
      )}
      {isAsking && (
        <Confirm
          title={text.cancelTitle(nameOfList(list))}
          confirm={text.cancelNow}
          isDangerous
          change={cancel}
          onConfirm={() => cancel.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <p>{text.cancelMeaning(list.pending)}</p>
        </Confirm>
      )}
    </SidePanel>
  );
}

function Waits({ list }: { readonly list: AdminList }) {
  const waiting = useOperatorQuery<WaitingAnswer>(`/lists/${list.id}/waiting`, { everyMs: EVERY_MS });
  const now = waiting.data && waitingOf([waiting.data], waiting.data.pending);
  return (
    <section className="stack" aria-label={text.waiting}>
      <ReadingState of={waiting} />
      {now && now.held.length === 0 && <p className="soft">{text.nothing}</p>}
      {now && <ListWaiting list={list} now={now} />}
    </section>
  );
}
