// What came out of a list, so far or in the end: what to do with it, first of all; then the numbers, then every row.
// Promise: when the list ends, nothing that is shown or chosen jumps.
import type { ListSummary, ResultRow } from '@mxproof/client';
import { useDeferredValue, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { nameOf } from '../lists/rename-list.tsx';
import { listMessages } from '../messages/en-list.ts';
import { problemText } from '../shell/problem.ts';
import { Actions } from './actions.tsx';
import { Charts } from './charts.tsx';
import { countActions } from './count-actions.ts';
import { DeleteList } from './delete-list.tsx';
import { Downloads } from './downloads.tsx';
import type { SubmittedFile } from './file-facts.ts';
import { MisspeltCard } from './misspelt-card.tsx';
import { OwnFileNotice } from './own-file-notice.tsx';
import { Report } from './report.tsx';
import { ResultsPanel } from './results-panel.tsx';
import { RetriesNotice } from './retries-notice.tsx';
import { NO_FILTER } from './row-filter.ts';
import { mayCheckRest, StoppedNotice } from './stopped-notice.tsx';
import { isFinished } from './use-list.ts';
import { useOwnFile } from './use-own-file.ts';
import type { Snapshot } from './use-snapshot.ts';
import { useView } from './use-view.ts';

const text = listMessages.list;

export function ListResults({
  now,
  file,
  parts,
  tools,
}: {
  readonly now: Snapshot;
  readonly file: SubmittedFile | null;
  readonly parts: readonly ListSummary[];
  /** Where the heading, which was there before, takes buttons. */
  readonly tools: HTMLElement | null;
}) {
  const { list, withLater, breakdown, rows, choices, isRead, isComplete, hasEnded, error, readAgain } = now;
  const [view, setView] = useView();
  const [shownAt, setShownAt] = useState(0);
  // The actions are drawn first; the rest after them, in steps between which the console stays responsive.
  const mayDrawRest = useDeferredValue(true, false);
  const name = nameOf(list);
  const isOver = isFinished(list);
  // Of a list that runs, what is not checked says nothing yet; of one that was stopped, it never will.
  const known = useMemo(
    () => (hasEnded ? rows : rows.filter(({ row }) => row.state !== 'pending')),
    [rows, hasEnded],
  );
  const shownChoices = useMemo(
    () => (hasEnded ? choices : { ...choices, hasUnchecked: false }),
    [choices, hasEnded],
  );
  const maySave = isOver ? isComplete : isRead && known.length > 0;
  const unchecked = isOver ? 0 : list.total - list.checked;
  const counts = now.isFinal ? countActions(withLater, breakdown?.reasons) : null;
  const left = now.retriable
    .map((part) => ({ part, addresses: now.open.get(part.id) ?? 0 }))
    .filter(({ addresses }) => addresses > 0);
  const listIds = parts.map(({ id }) => id);
  const own = useOwnFile(name, listIds, rows);
  return (
    <>
      {tools &&
        createPortal(
          <>
            <Downloads
              name={name}
              listId={list.id}
              rows={rows}
              counts={counts}
              unchecked={unchecked}
              isComplete={maySave}
              own={own}
            />
            {isOver && (
              <>
                <Button onPress={() => window.print()}>{text.report}</Button>
                <DeleteList list={list} parts={parts} />
              </>
            )}
          </>,
          tools,
        )}
      <OwnFileNotice own={own} />
      {list.status === 'failed' && <StoppedNotice list={list} checked={withLater.checked} left={left} />}
      {error && (
        <ProblemNotice>
          {problemText(error)} <Button onPress={readAgain}>{text.readAgain}</Button>
        </ProblemNotice>
      )}
      <RetriesNotice
        retries={now.retries}
        checked={now.laterChecked}
        words={{
          running: text.again.running,
          done: (moment) => text.again.done(moment, now.answers),
          stopped: (moment) => text.again.stopped(moment, now.answers),
        }}
        isComplete={isComplete}
      />
      <Actions
        counts={counts}
        checked={withLater.checked}
        details={breakdown?.details}
        again={mayCheckRest(list, withLater) ? [] : left}
        unchecked={unchecked}
        own={own}
        rows={rows}
        isComplete={maySave}
        shown={view.filter.action}
        onShow={(action) => {
          setView({ ...view, filter: { ...NO_FILTER, action } });
          if (action !== null) setShownAt((times) => times + 1);
        }}
      />
      <RetriesNotice
        retries={now.corrections}
        checked={now.laterChecked}
        words={{
          running: text.meant.running,
          done: (moment) => text.meant.done(moment, ...outcomeOf(now.mended)),
          stopped: (moment) => text.meant.stopped(moment, now.mended.length),
        }}
        isComplete={isComplete}
      />
      <MisspeltCard parts={parts} misspelt={now.misspelt} misspellings={now.misspellings} />
      {mayDrawRest && (
        <>
          {now.isFinal && <Charts list={withLater} breakdown={breakdown} />}
          {isOver && (
            <Report
              list={list}
              checked={withLater.checked}
              file={file}
              retries={now.retries}
              corrections={now.corrections}
            />
          )}
          <ResultsPanel
            name={name}
            listId={list.id}
            own={own}
            rows={known}
            choices={shownChoices}
            total={list.total}
            isRead={isRead}
            unchecked={unchecked}
            hasEnded={hasEnded}
            view={view}
            onView={setView}
            shownAt={shownAt}
          />
        </>
      )}
    </>
  );
}

/** How many have an answer, and how many of them can be sent to. */
function outcomeOf(answers: readonly ResultRow[]): [number, number] {
  return [answers.length, answers.filter(({ state }) => state === 'deliverable').length];
}
