// What to do with the addresses: five actions, each with its number, its meaning, its download, and its rows below.
import type { ListSummary } from '@mxproof/client';
import { ToggleButton } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { formatCount, formatShare } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { StateShape } from '../design/state-mark.tsx';
import { messages } from '../messages/messages.ts';
import { problemText } from '../shell/problem.ts';
import { matching, NO_FILTER, type RowFilter } from './row-filter.ts';
import { fileStem, saveRows } from './save-rows.ts';
import { ACTIONS, type Action, countActions, STATE_OF } from './segments.ts';
import { useBreakdown } from './use-breakdown.ts';
import { useCheckAgain } from './use-check-again.ts';
import type { PlacedRow } from './use-rows.ts';

const text = messages.actions;

export function Actions({
  list,
  parts,
  name,
  rows,
  isComplete,
  filter,
  onFilter,
}: {
  readonly list: ListSummary;
  readonly parts: readonly ListSummary[];
  readonly name: string;
  readonly rows: readonly PlacedRow[];
  readonly isComplete: boolean;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
}) {
  const counts = countActions(list, useBreakdown(parts)?.reasons);
  return (
    <section aria-label={text.title}>
      <ul className="actions">
        {ACTIONS.map((action) => {
          const count = counts[action];
          const { title, meaning } = text.each[action];
          return (
            <li key={action} className="card action" data-state={STATE_OF[action]}>
              <h2 className="action-name">
                <StateShape state={STATE_OF[action]} />
                {title}
              </h2>
              <p className="action-count">
                {count === null ? '…' : formatCount(count)}{' '}
                <span className="small soft">{count !== null && formatShare(count, list.total)}</span>
              </p>
              <p className="action-meaning small soft">{meaning}</p>
              <div className="action-tools">
                <Button
                  isDisabled={!isComplete || count === 0}
                  onPress={() => {
                    const chosen = matching(rows, { ...NO_FILTER, action });
                    void saveRows(chosen, fileStem(name, action), 'csv');
                  }}
                >
                  {text.download} <span className="visually-hidden">{title}</span>
                </Button>
                <ShowRows action={action} title={title} filter={filter} onFilter={onFilter} />
              </div>
              {action === 'retry' && list.counts.unknown > 0 && <CheckAgain parts={parts} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function ShowRows({
  action,
  title,
  filter,
  onFilter,
}: {
  readonly action: Action;
  readonly title: string;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
}) {
  const isShown = filter.action === action;
  return (
    <ToggleButton
      className="button"
      isSelected={isShown}
      onChange={() => onFilter(isShown ? NO_FILTER : { ...NO_FILTER, action })}
    >
      {text.show} <span className="visually-hidden">{title}</span>
    </ToggleButton>
  );
}

function CheckAgain({ parts }: { readonly parts: readonly ListSummary[] }) {
  const again = useCheckAgain(parts);
  return (
    <>
      <Button isDisabled={again.isPending} onPress={() => again.mutate()}>
        {text.checkAgain}
      </Button>
      {again.isError && <ProblemNotice>{problemText(again.error)}</ProblemNotice>}
    </>
  );
}
