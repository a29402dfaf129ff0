// What to do with the addresses: five actions, each with its number, its meaning, its download, and its rows below.

import { ACTION_WORDS, ACTIONS, type Action } from '@mxproof/common/vocabulary/labels';
import { useMemo } from 'react';
import { ToggleButton } from 'react-aria-components';
import { ChargeButton } from '../charge/charge-button.tsx';
import { Button } from '../design/button.tsx';
import { formatCount, formatShare } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { StateShape } from '../design/state-mark.tsx';
import { listCharges } from '../messages/en-charge.ts';
import { listMessages } from '../messages/en-list.ts';
import { useMay } from '../shell/own-session.ts';
import { CarefulFew } from './careful-few.tsx';
import { type ActionCounts, countSuppressed } from './count-actions.ts';
import { type DownloadChoice, lastChoice, orderOf } from './download-choice.ts';
import type { RowBreakdown } from './figures.ts';
import type { RowFilter } from './row-filter.ts';
import { newListsProblem, useCheckAgain } from './use-check-again.ts';
import type { useOwnFile } from './use-own-file.ts';
import type { PlacedRow } from './use-rows.ts';
import { whySeparate } from './why-separate.ts';

const text = listMessages.actions;

export function Actions({
  counts,
  checked,
  details,
  again,
  unchecked,
  own,
  rows,
  isComplete,
  shown,
  onShow,
}: {
  readonly counts: ActionCounts | null;
  /** What they are shares of. */
  readonly checked: number;
  readonly details: RowBreakdown['details'] | undefined;
  /** What is left to check again. */
  readonly again: Parameters<typeof useCheckAgain>[0];
  /** While the list runs. */
  readonly unchecked: number;
  readonly own: ReturnType<typeof useOwnFile>;
  readonly rows: readonly PlacedRow[];
  readonly isComplete: boolean;
  /** Whose rows the table shows. */
  readonly shown: RowFilter['action'];
  readonly onShow: (action: Action | null) => void;
}) {
  const suppressed = useMemo(() => countSuppressed(rows), [rows]);
  const give = (choice: Partial<DownloadChoice>) =>
    own.give(
      orderOf(rows, { ...lastChoice(), rest: false, isLimited: false, ...choice }, { unchecked }),
      'table',
    );
  return (
    <section aria-label={text.title}>
      <ul className="actions">
        {ACTION_WORDS.map((action) => {
          const count = counts?.[action] ?? null;
          const { title, meaning } = ACTIONS[action];
          return (
            <li key={action} className="card action" data-state={ACTIONS[action].mark}>
              <h2 className="action-name">
                <StateShape state={ACTIONS[action].mark} />
                {title}
              </h2>
              <p className="action-count">
                {count === null ? '…' : formatCount(count)}{' '}
                <span className="small soft">{count !== null && formatShare(count, checked)}</span>
              </p>
              <div className="action-meaning small">
                <p className="soft">{meaning}</p>
                {action === 'separate' && <p>{whySeparate(details)}</p>}
                {suppressed[action] > 0 && <p>{listMessages.risk.suppressedOf(suppressed[action])}</p>}
              </div>
              <div className="action-tools">
                <Button
                  isDisabled={!isComplete || own.isBusy || count === 0}
                  onPress={() => give({ actions: [action] })}
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
              {action === 'retry' && again.length > 0 && <CheckAgain left={again} />}
            </li>
          );
        })}
      </ul>
      <CarefulFew
        rows={rows}
        isOff={!isComplete || own.isBusy}
        onDownload={(limit) => give({ actions: ['separate'], isLimited: true, limit })}
      />
    </section>
  );
}

function CheckAgain({ left }: { readonly left: Parameters<typeof useCheckAgain>[0] }) {
  const may = useMay();
  const again = useCheckAgain(left);
  const addresses = left.reduce((sum, each) => sum + each.addresses, 0);
  if (!may.change) return null;
  return (
    <>
      <ChargeButton
        addresses={addresses}
        isUpTo
        label={text.checkAgain(addresses)}
        title={listCharges.againQuestion(addresses)}
        isBusy={again.isPending}
        onCharge={() => again.mutate()}
      />
      <p className="small soft">{text.refundedAgain}</p>
      {again.isError && <ProblemNotice>{newListsProblem(again.error)}</ProblemNotice>}
    </>
  );
}
