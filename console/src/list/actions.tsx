// What to do with the addresses: five actions, each with its number, its meaning, its download, and its rows below.
import type { ListSummary } from '@mxproof/client';
import { ToggleButton } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { formatCount, formatShare } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { StateShape } from '../design/state-mark.tsx';
import { messages } from '../messages/messages.ts';
import { problemText } from '../shell/problem.ts';
import { matching, NO_FILTER } from './row-filter.ts';
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
  shown,
  onShow,
}: {
  readonly list: ListSummary;
  readonly parts: readonly ListSummary[];
  readonly name: string;
  readonly rows: readonly PlacedRow[];
  readonly isComplete: boolean;
  /** Whose rows the table shows. */
  readonly shown: Action | null;
  readonly onShow: (action: Action | null) => void;
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
                <ToggleButton
                  className="button"
                  isSelected={shown === action}
                  onChange={(isShown) => onShow(isShown ? action : null)}
                >
                  {text.show} <span className="visually-hidden">{title}</span>
                </ToggleButton>
              </div>
              {action === 'retry' && list.counts.unknown > 0 && <CheckAgain parts={parts} />}
            </li>
          );
        })}
      </ul>
    </section>
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
