// A list that is done: what to do with it, first of all; then the numbers, then every row.
import type { ListSummary } from '@mxproof/client';
import { useDeferredValue, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { nameOf } from '../lists/rename-list.tsx';
import { messages } from '../messages/messages.ts';
import { problemText } from '../shell/problem.ts';
import { Actions } from './actions.tsx';
import { Charts } from './charts.tsx';
import { DeleteList } from './delete-list.tsx';
import { DownloadMenu } from './download-menu.tsx';
import { type Change, changedBreakdown, changedList } from './later-answers.ts';
import { MisspeltCard } from './misspelt-card.tsx';
import { OwnFileNotice } from './own-file-notice.tsx';
import { Report } from './report.tsx';
import { ResultsPanel } from './results-panel.tsx';
import { RetriesNotice } from './retries-notice.tsx';
import { NO_FILTER, type RowFilter } from './row-filter.ts';
import { StoppedNotice } from './stopped-notice.tsx';
import { useAnsweredRows } from './use-answered-rows.ts';
import { useBreakdown } from './use-breakdown.ts';
import { useOwnFile } from './use-own-file.ts';

const text = messages.list;

export function FinishedList({
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
  const { rows, changes, choices, left, isComplete, error, readAgain } = found;
  const breakdown = useBreakdown(parts);
  const now = useMemo(() => changedList(list, changes), [list, changes]);
  const broken = useMemo(() => breakdown && changedBreakdown(breakdown, changes), [breakdown, changes]);
  const [filter, setFilter] = useState<RowFilter>(NO_FILTER);
  const [shownAt, setShownAt] = useState(0);
  // The actions are drawn first; the rest after them, in steps between which the console stays responsive.
  const mayDrawRest = useDeferredValue(true, false);
  const own = useOwnFile(
    parts.map(({ id }) => id),
    rows,
  );
  const name = nameOf(list);
  return (
    <>
      {tools &&
        createPortal(
          <>
            <DownloadMenu name={name} rows={rows} isComplete={isComplete} onOwnFile={own.give} />
            <Button onPress={() => window.print()}>{text.report}</Button>
            <DeleteList list={list} parts={parts} />
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
        words={{ ...text.again, done: (moment) => text.again.done(moment, found.answers) }}
        isComplete={isComplete}
      />
      <Actions
        list={now}
        breakdown={broken}
        again={left}
        name={name}
        rows={rows}
        isComplete={isComplete}
        shown={filter.action}
        onShow={(action) => {
          setFilter({ ...NO_FILTER, action });
          if (action !== null) setShownAt((times) => times + 1);
        }}
      />
      <RetriesNotice
        retries={found.corrections}
        words={{ ...text.meant, done: (moment) => text.meant.done(moment, ...outcomeOf(found.mended)) }}
        isComplete={isComplete}
      />
      <MisspeltCard parts={parts} misspelt={found.misspelt} misspellings={found.misspellings} />
      {mayDrawRest && (
        <>
          <Charts list={now} breakdown={broken} />
          <Report list={list} />
          <ResultsPanel
            name={name}
            rows={rows}
            choices={choices}
            total={list.total}
            isComplete={isComplete}
            filter={filter}
            onFilter={setFilter}
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
