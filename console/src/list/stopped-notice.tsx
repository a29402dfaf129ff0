// A list that ended before everything was checked: what is there, what was paid back, and how to go on.
import type { ListSummary } from '@mxproof/client';
import { refundOf } from '@mxproof/common/refund';
import { ChargeButton } from '../charge/charge-button.tsx';
import { formatCount } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { listCharges } from '../messages/en-charge.ts';
import { listMessages } from '../messages/en-list.ts';
import { newListsProblem, useCheckAgain } from './use-check-again.ts';

const text = listMessages.list;

/** Then what is left to check is offered here, and not where the unknown ones are. */
export function mayCheckRest(list: ListSummary, { checked }: Pick<ListSummary, 'checked'>): boolean {
  return list.status === 'failed' && checked < list.total;
}

export function StoppedNotice({
  list,
  checked,
  left,
}: {
  /** By itself. */
  readonly list: ListSummary;
  /** With what was checked later. */
  readonly checked: number;
  /** What can be checked now. */
  readonly left: Parameters<typeof useCheckAgain>[0];
}) {
  const checkRest = useCheckAgain(left);
  const rest = left.reduce((sum, { addresses }) => sum + addresses, 0);
  const isRestLeft = mayCheckRest(list, { checked });
  // Those that were erased meanwhile cannot be checked.
  const unchecked = Math.min(rest, list.total - checked);
  return (
    <>
      <Notice tone="warning">
        <p>
          <strong>{text.stoppedAt(formatCount(list.checked), formatCount(list.total))}</strong>{' '}
          {text.refunded(refundOf(list))}{' '}
          {checked > list.checked
            ? text.checkedSince(formatCount(checked), formatCount(list.total))
            : isRestLeft && text.restHint}
        </p>
        {isRestLeft && rest > 0 && (
          <ChargeButton
            addresses={rest}
            isUpTo
            label={text.checkRest(unchecked, rest - unchecked)}
            title={listCharges.restQuestion(rest)}
            isBusy={checkRest.isPending}
            onCharge={() => checkRest.mutate()}
          />
        )}
      </Notice>
      {checkRest.isError && <ProblemNotice>{newListsProblem(checkRest.error)}</ProblemNotice>}
    </>
  );
}
