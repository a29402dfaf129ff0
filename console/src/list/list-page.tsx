// One list: while it is checked, what is known so far; then what to do with it.
import './list.css';
import { ListNotFound, type ListSummary } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { groupQuery } from '../lists/use-groups.ts';
import { listMessages } from '../messages/en-list.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { NoSuchList, NotFound } from '../shell/page-problem.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { problemText } from '../shell/problem.ts';
import { ExpiredResults } from './expired-results.tsx';
import { ListHeading } from './list-heading.tsx';
import { ListResults } from './list-results.tsx';
import { RunningList } from './running-list.tsx';
import { isFinished, useList } from './use-list.ts';
import { useRetention } from './use-retention.ts';
import { wholeOf } from './whole-list.ts';

const text = listMessages.list;

export function ListPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  return /^[1-9]\d{0,14}$/.test(id) ? <WholeList key={id} id={Number(id)} /> : <NotFound />;
}

function WholeList({ id }: { readonly id: number }) {
  const list = useQuery({
    queryKey: keys.whole(id),
    queryFn: ({ signal }) => mx.lists.get(id, { include: ['group', 'retention'], signal }),
  });
  const word = list.data?.group ?? '';
  const group = useQuery({ queryKey: keys.group(word), ...groupQuery(word), enabled: word !== '' });
  const error = list.error ?? group.error;
  const isKnown = list.data && (word === '' || group.data !== undefined);
  if (error && !isKnown) return <Problem error={error} />;
  if (!isKnown) return <p role="status">{text.loading}</p>;
  return <OneList ids={group.data?.lists ?? [id]} name={group.data?.name} asked={list.data} />;
}

function Problem({ error }: { readonly error: Error }) {
  if (error instanceof ListNotFound) return <NoSuchList />;
  return (
    <section className="stack">
      <PageTitle>{messages.problems.title}</PageTitle>
      <ProblemNotice>{problemText(error)}</ProblemNotice>
    </section>
  );
}

function OneList({
  ids,
  name,
  asked,
}: {
  readonly ids: readonly number[];
  readonly name?: string | undefined;
  /** One of them, with its retention. */
  readonly asked: ListSummary;
}) {
  const { parts, error, isOffline } = useList(ids);
  const kept = useRetention(parts, asked);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  // What was read stays, also when it cannot be read again.
  if (error && !parts) return <Problem error={error} />;
  if (!parts) return <p role="status">{text.loading}</p>;
  const list = wholeOf(parts, name);
  return (
    <section className="stack list-page">
      {/* The same before and after: a name that is being typed when the list is done stays. */}
      <ListHeading
        list={list}
        mayRename={parts.length === 1}
        deletedOn={kept?.results_expire_at ?? null}
        tools={setTools}
      />
      {isOffline && <Notice tone="warning">{text.offline}</Notice>}
      <Progress list={list} parts={parts} isOffline={isOffline} />
      {kept?.results_expired_at ? (
        <ExpiredResults list={list} parts={parts} expiredAt={kept.results_expired_at} tools={tools} />
      ) : (
        kept !== undefined && <ListResults list={list} parts={parts} tools={tools} />
      )}
    </section>
  );
}

/** Of a list that was seen running; one that was done before has none, and one that was stopped says so itself. */
function Progress(props: Parameters<typeof RunningList>[0]) {
  const [wasRunning] = useState(!isFinished(props.list));
  return wasRunning && props.list.status !== 'failed' && <RunningList {...props} />;
}
