// A list that is being checked: how far, how fast, how long still, and what it waits for. When it is done, it stays as long
// as the page is open: nothing under it moves up.
import type { ListSummary } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../design/button.tsx';
import { formatCount, formatDuration, formatShare } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { listMessages } from '../messages/en-list.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { pauseOf, useAskStatusWhen, useServiceStatus } from '../shell/service-status.ts';
import { ListWaiting } from './list-waiting.tsx';
import { NotifyWhenDone } from './notify-when-done.tsx';
import { isFinished } from './use-list.ts';
import { usePace } from './use-pace.ts';
import { useWaiting } from './use-waiting.ts';

const text = listMessages.list;

export function RunningList({
  list,
  parts,
  isOffline,
}: {
  readonly list: ListSummary;
  readonly parts: readonly ListSummary[];
  /** Then the rate is not known. */
  readonly isOffline: boolean;
}) {
  const seen = usePace(list);
  const pace = isOffline ? null : seen;
  const waiting = useWaiting(list, parts);
  // How fast others were answered says nothing about those that wait.
  const isHeldUp = waiting !== undefined && waiting.moving === 0;
  const pause = pauseOf(useServiceStatus());
  useAskStatusWhen(isHeldUp || pace?.secondsLeft === null);
  const left =
    pause !== null
      ? messages.status.listWaits[pause]
      : pace === null
        ? text.estimating
        : pace.secondsLeft === null || isHeldUp
          ? text.slowServers
          : text.timeLeft(formatDuration(pace.secondsLeft));
  const isOver = isFinished(list);
  return (
    <div className="card stack list-progress">
      <div className="row">
        <p className="list-progress-number">{formatShare(list.checked, list.total)}</p>
        <p className="soft">{text.checkedOf(formatCount(list.checked), formatCount(list.total))}</p>
        <p className="soft push">
          {isOver ? (
            text.allThere
          ) : (
            <>
              {pace !== null &&
                !isHeldUp &&
                pause === null &&
                pace.perSecond >= 1 &&
                text.rate(formatCount(Math.round(pace.perSecond)))}{' '}
              {!isOffline && left}
            </>
          )}
        </p>
      </div>
      <div
        className="progress"
        role="progressbar"
        aria-label={text.progress}
        aria-valuemin={0}
        aria-valuemax={list.total}
        aria-valuenow={list.checked}
        aria-valuetext={`${formatShare(list.checked, list.total)}, ${isOver ? text.allThere : left}`}
      >
        <svg viewBox={`0 0 ${list.total} 1`} preserveAspectRatio="none" aria-hidden="true">
          <rect width={list.checked} height="1" />
        </svg>
      </div>
      {!isOffline && waiting && <ListWaiting list={list} now={waiting} />}
      {!isOver && (
        <div className="row">
          <p className="small soft">{text.mayLeave}</p>
          <div className="row push">
            <NotifyWhenDone list={list} parts={parts} />
            <Stop parts={parts} />
          </div>
        </div>
      )}
    </div>
  );
}

/** At once, without asking whether one is sure: what is checked stays, the rest is refunded and can be checked later. */
function Stop({ parts }: { readonly parts: readonly ListSummary[] }) {
  const queries = useQueryClient();
  const stop = useMutation({
    mutationFn: async () => {
      for (const part of parts.filter((each) => !isFinished(each)))
        queries.setQueryData(keys.list(part.id), await mx.lists.cancel(part.id));
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: keys.account }),
  });
  return (
    <>
      {stop.isError && <ProblemNotice>{problemText(stop.error)}</ProblemNotice>}
      <Button variant="danger" isDisabled={stop.isPending} onPress={() => stop.mutate()}>
        {text.stop}
      </Button>
    </>
  );
}
