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
import { SimulatedNote } from '../shell/simulated-note.tsx';
import { ExpiredResults } from './expired-results.tsx';
import type { SubmittedFile } from './file-facts.ts';
import { ListHeading } from './list-heading.tsx';
import { ListResults } from './list-results.tsx';
import { RunningList } from './running-list.tsx';
import { isFinished, useList } from './use-list.ts';
import { type KeptResults, useRetention } from './use-retention.ts';
import { useSnapshot } from './use-snapshot.ts';

const text = listMessages.list;

export function ListPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  return /^[1-9]\d{0,14}$/.test(id) ? <WholeList key={id} id={Number(id)} /> : <NotFound />;
}

function WholeList({ id }: { readonly id: number }) {
  const list = useQuery({
    queryKey: keys.whole(id),
    queryFn: ({ signal }) => mx.lists.get(id, { include: ['group', 'retention', 'file'], signal }),
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
  /** One of them, with its retention and what its review knew. */
  readonly asked: ListSummary;
}) {
  const { parts, error, isOffline } = useList(ids);
  const kept = useRetention(parts, asked);
  // What was read stays, also when it cannot be read again.
  if (error && !parts) return <Problem error={error} />;
  if (!parts) return <p role="status">{text.loading}</p>;
  return <ShownList parts={parts} name={name} file={asked.file ?? null} kept={kept} isOffline={isOffline} />;
}

function ShownList({
  parts,
  name,
  file,
  kept,
  isOffline,
}: {
  readonly parts: readonly ListSummary[];
  readonly name: string | undefined;
  readonly file: SubmittedFile | null;
  /** Undefined: not known yet. */
  readonly kept: KeptResults | undefined;
  readonly isOffline: boolean;
}) {
  const expiredAt = kept?.results_expired_at ?? null;
  const now = useSnapshot(parts, name, kept !== undefined && expiredAt === null);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const { list } = now;
  return (
    <section className="stack list-page">
      {/* The same before and after: a name that is being typed when the list is done stays. */}
      <ListHeading
        list={list}
        file={file}
        mayRename={parts.length === 1}
        deletedOn={kept?.results_expire_at ?? null}
        tools={setTools}
      />
      <SimulatedNote />
      {isOffline && <Notice tone="warning">{text.offline}</Notice>}
      <Progress list={list} parts={parts} isOffline={isOffline} />
      {expiredAt !== null ? (
        <ExpiredResults list={list} file={file} parts={parts} expiredAt={expiredAt} tools={tools} />
      ) : (
        kept !== undefined && <ListResults now={now} file={file} parts={parts} tools={tools} />
      )}
    </section>
  );
}

/** Of a list that was seen running; one that was done before has none, and one that was stopped says so itself. */
function Progress(props: Parameters<typeof RunningList>[0]) {
  const [wasRunning] = useState(!isFinished(props.list));
  return wasRunning && props.list.status !== 'failed' && <RunningList {...props} />;
}
