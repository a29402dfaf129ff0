// What came out of a list, so far or in the end: what to do with it, first of all; then the numbers, then every row.
// Promise: when the list ends, nothing that is shown or chosen jumps.
import type { ListSummary } from '@mxproof/client';
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
import { type Change, changedBreakdown, changedList } from './later-answers.ts';
import { MisspeltCard } from './misspelt-card.tsx';
import { OwnFileNotice } from './own-file-notice.tsx';
import { Report } from './report.tsx';
import { ResultsPanel } from './results-panel.tsx';
import { RetriesNotice } from './retries-notice.tsx';
import { NO_FILTER } from './row-filter.ts';
import { StoppedNotice } from './stopped-notice.tsx';
import { useAnsweredRows } from './use-answered-rows.ts';
import { useBreakdown } from './use-breakdown.ts';
import { isFinished } from './use-list.ts';
import { useOwnFile } from './use-own-file.ts';
import { useView } from './use-view.ts';

const text = listMessages.list;

export function ListResults({
  list,
  parts,
  tools,
}: {
  readonly list: ListSummary;
  readonly parts: readonly ListSummary[];
  /** Where the heading, which was there before, takes buttons. */
  readonly tools: HTMLElement | null;
}) {
  const found = useAnsweredRows(parts);
  const { rows, changes, choices, left, isRead, isComplete, hasEnded, error, readAgain } = found;
  const breakdown = useBreakdown(parts);
  const now = useMemo(() => changedList(list, changes), [list, changes]);
  const broken = useMemo(() => breakdown && changedBreakdown(breakdown, changes), [breakdown, changes]);
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
              counts={countActions(now, broken?.reasons)}
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
      {list.status === 'failed' && (
        <StoppedNotice list={list} name={name} rows={rows} isComplete={isComplete} />
      )}
      {error && (
        <ProblemNotice>
          {problemText(error)} <Button onPress={readAgain}>{text.readAgain}</Button>
        </ProblemNotice>
      )}
      <RetriesNotice
        retries={found.retries}
        words={{
          running: text.again.running,
          done: (moment) => text.again.done(moment, found.answers),
          stopped: (moment) => text.again.stopped(moment, found.answers),
        }}
        isComplete={isComplete}
      />
      <Actions
        list={now}
        breakdown={broken}
        again={isOver ? left : []}
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
        retries={found.corrections}
        words={{
          running: text.meant.running,
          done: (moment) => text.meant.done(moment, ...outcomeOf(found.mended)),
          stopped: (moment) => text.meant.stopped(moment, found.mended.length),
        }}
        isComplete={isComplete}
      />
      <MisspeltCard parts={parts} misspelt={found.misspelt} misspellings={found.misspellings} />
      {mayDrawRest && (
        <>
          <Charts list={now} breakdown={broken} />
          {isOver && <Report list={list} />}
          <ResultsPanel
            name={name}
            own={own}
            rows={known}
            choices={shownChoices}
            total={list.total}
            isRead={isRead}
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
function outcomeOf(changes: readonly Change[]): [number, number] {
  return [changes.length, changes.filter(({ to }) => to.state === 'deliverable').length];
}
