// Stops a list for good, after a question that says what happens to its addresses and credits.
import type { ListSummary } from '@mxproof/client';
import { refundOf } from '@mxproof/common/refund';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { formatCount } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { listMessages } from '../messages/en-list.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { isFinished } from './use-list.ts';

const text = listMessages.list.stopping;

export function StopList({
  list,
  parts,
}: {
  readonly list: ListSummary;
  readonly parts: readonly ListSummary[];
}) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const stop = useMutation({
    mutationFn: async () => {
      for (const part of parts.filter((each) => !isFinished(each)))
        queries.setQueryData(keys.list(part.id), await mx.lists.cancel(part.id));
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: keys.account }),
  });
  const { total, checked, counts } = list;
  return (
    <>
      {stop.isError && <ProblemNotice>{problemText(stop.error)}</ProblemNotice>}
      <Button variant="danger" isDisabled={stop.isPending} onPress={() => setAsking(true)}>
        {text.button}
      </Button>
      {isAsking && (
        <DialogBox title={text.title} isQuestion onClose={() => setAsking(false)}>
          <p>
            <strong>{text.left(total - checked, formatCount(total))}</strong> {text.refund(refundOf(list))}
          </p>
          <p>
            {text.kept(checked - counts.unknown)} {text.later} {list.paused_at == null && text.orPause}
          </p>
          <div className="row">
            <Button
              variant="danger"
              onPress={() => {
                setAsking(false);
                stop.mutate();
              }}
            >
              {text.agree}
            </Button>
            <Button slot="close">{text.keep}</Button>
          </div>
        </DialogBox>
      )}
    </>
  );
}
