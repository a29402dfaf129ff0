// A list that ended before everything was checked: what is there, what was paid back, and how to go on.
import type { ListSummary } from '@mxproof/client';
import { refundOf } from '@mxproof/common/refund';
import { Button } from '../design/button.tsx';
import { formatCount } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { problemText } from '../shell/problem.ts';
import { useCheckRest } from './use-check-again.ts';
import type { PlacedRow } from './use-rows.ts';

const text = messages.list;

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
  const rest = list.total - list.checked;
  const checkRest = useCheckRest(text.restOf(name), () =>
    rows.filter(({ row }) => row.state === 'pending' && row.email !== '').map(({ row }) => row.email),
  );
  return (
    <>
      <Notice tone="warning">
        <p>
          <strong>{text.stoppedAt(formatCount(list.checked), formatCount(list.total))}</strong>{' '}
          {text.refunded(refundOf(list))} {rest > 0 && text.restHint(rest)}
        </p>
        {rest > 0 && (
          <Button isDisabled={!isComplete || checkRest.isPending} onPress={() => checkRest.mutate()}>
            {text.checkRest(rest)}
          </Button>
        )}
      </Notice>
      {checkRest.isError && <ProblemNotice>{problemText(checkRest.error)}</ProblemNotice>}
    </>
  );
}
