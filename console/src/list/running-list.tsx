// A list that is being checked: how far, how fast, how long still, and what came out so far.
import type { ListSummary } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../design/button.tsx';
import { formatCount, formatDuration, formatShare } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { Charts } from './charts.tsx';
import { NotifyWhenDone } from './notify-when-done.tsx';
import { usePace } from './use-pace.ts';

const text = messages.list;

export function RunningList({ list }: { readonly list: ListSummary }) {
  const pace = usePace(list);
  const left = pace?.secondsLeft == null ? text.estimating : text.timeLeft(formatDuration(pace.secondsLeft));
  return (
    <>
      <div className="card stack">
        <div className="row">
          <p className="list-progress-number">{formatShare(list.checked, list.total)}</p>
          <p className="soft">{text.checkedOf(formatCount(list.checked), formatCount(list.total))}</p>
          <p className="soft push">
            {pace && text.rate(formatCount(Math.round(pace.perSecond)))} {left}
          </p>
        </div>
        <div
          className="progress"
          role="progressbar"
          aria-label={text.progress}
          aria-valuemin={0}
          aria-valuemax={list.total}
          aria-valuenow={list.checked}
          aria-valuetext={`${formatShare(list.checked, list.total)}, ${left}`}
        >
          <svg viewBox={`0 0 ${list.total} 1`} preserveAspectRatio="none" aria-hidden="true">
            <rect width={list.checked} height="1" />
          </svg>
        </div>
        <div className="row">
          <p className="small soft">{text.mayLeave}</p>
          <div className="row push">
            <NotifyWhenDone list={list} />
            <Stop list={list} />
          </div>
        </div>
      </div>
      <Charts list={list} isLive />
    </>
  );
}

/** At once, without asking whether one is sure: what is checked stays, the rest is refunded and can be checked later. */
function Stop({ list }: { readonly list: ListSummary }) {
  const queries = useQueryClient();
  const stop = useMutation({
    mutationFn: () => mx.lists.cancel(list.id),
    onSuccess: (stopped) => {
      queries.setQueryData(keys.list(list.id), stopped);
      void queries.invalidateQueries({ queryKey: keys.account });
    },
  });
  return (
    <>
      {stop.isError && <ProblemNotice>{problemText(stop.error)}</ProblemNotice>}
      <Button look="danger" isDisabled={stop.isPending} onPress={() => stop.mutate()}>
        {text.stop}
      </Button>
    </>
  );
}
