// A list that ended before everything was checked: what is there, what was paid back, and how to go on.
import type { ListSummary } from '@mxproof/client';
import { refundOf } from '@mxproof/common/refund';
import { useMemo } from 'react';
import { ChargeButton } from '../charge/charge-button.tsx';
import { formatCount } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { listCharges } from '../messages/en-charge.ts';
import { listMessages } from '../messages/en-list.ts';
import { newListsProblem, useCheckRest } from './use-check-again.ts';
import type { PlacedRow } from './use-rows.ts';

const text = listMessages.list;

export function StoppedNotice({
  list,
  name,
  rows,
  isComplete,
}: {
  readonly list: ListSummary;
  readonly name: string;
  readonly rows: readonly PlacedRow[];
  readonly isComplete: boolean;
}) {
  // Those that were erased meanwhile cannot be checked.
  const left = useMemo(
    () => rows.filter(({ row }) => row.state === 'pending' && row.email !== '').map(({ row }) => row.email),
    [rows],
  );
  // Until the rows are read, the list's own numbers say how many.
  const rest = isComplete ? left.length : list.total - list.checked;
  const checkRest = useCheckRest(list, text.restOf(name), left);
  return (
    <>
      <Notice tone="warning">
        <p>
          <strong>{text.stoppedAt(formatCount(list.checked), formatCount(list.total))}</strong>{' '}
          {text.refunded(refundOf(list))} {rest > 0 && text.restHint(rest)}
        </p>
        {rest > 0 && (
          <ChargeButton
            addresses={rest}
            label={text.checkRest(rest)}
            title={listCharges.restQuestion(rest)}
            isBusy={checkRest.isPending}
            isDisabled={!isComplete}
            onCharge={() => checkRest.mutate()}
          />
        )}
      </Notice>
      {checkRest.isError && <ProblemNotice>{newListsProblem(checkRest.error)}</ProblemNotice>}
    </>
  );
}
