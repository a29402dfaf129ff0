// One list: while it is checked, what is known so far; then what to do with it.
import './list.css';
import { useParams } from '@tanstack/react-router';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { nameOf } from '../lists/list-row.tsx';
import { messages } from '../messages/messages.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { problemText } from '../shell/problem.ts';
import { FinishedList } from './finished-list.tsx';
import { RunningList } from './running-list.tsx';
import { isFinished, useList } from './use-list.ts';

const text = messages.list;

export function ListPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  return <OneList key={id} id={Number(id)} />;
}

function OneList({ id }: { readonly id: number }) {
  const { list, isOffline } = useList(id);
  if (list.isError)
    return (
      <section className="stack">
        <PageTitle>{messages.problems.title}</PageTitle>
        <ProblemNotice>{problemText(list.error)}</ProblemNotice>
      </section>
    );
  if (!list.data) return <p role="status">{text.loading}</p>;
  return (
    <section className="stack list-page">
      <PageTitle>{nameOf(list.data)}</PageTitle>
      {isOffline && <Notice tone="warning">{text.offline}</Notice>}
      {isFinished(list.data) ? <FinishedList list={list.data} /> : <RunningList list={list.data} />}
    </section>
  );
}
