// A list that is being checked: how far, how fast, how long still, and what it waits for. When it is done, it stays as long
// as the page is open: nothing under it moves up.
import type { ListSummary } from '@mxproof/client';
import { formatCount, formatDuration, formatShare, formatTime } from '../design/format.ts';
import { listMessages } from '../messages/en-list.ts';
import { useMay } from '../shell/own-session.ts';
import { pauseOf, useAskStatusWhen, useServiceStatus } from '../shell/service-status.ts';
import { ListWaiting } from './list-waiting.tsx';
import { NotifyWhenDone } from './notify-when-done.tsx';
import { PauseOrResume } from './pause-list.tsx';
import { StopList } from './stop-list.tsx';
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
  const may = useMay();
  const seen = usePace(list);
  const pausedAt = list.paused_at ?? null;
  const pace = isOffline || pausedAt !== null ? null : seen;
  const waiting = useWaiting(list, parts);
  // How fast others were answered says nothing about those that wait.
  const isHeldUp = waiting !== undefined && waiting.moving === 0;
  const pause = pauseOf(useServiceStatus());
  useAskStatusWhen(isHeldUp || pace?.secondsLeft === null);
  const left =
    pausedAt !== null
      ? text.pausedSince(formatTime(pausedAt))
      : pause !== null
        ? text.serviceWaits[pause]
        : pace === null
          ? text.estimating
          : pace.secondsLeft === null || isHeldUp
            ? text.slowServers
            : text.timeLeft(formatDuration(pace.secondsLeft));
  const isOver = isFinished(list);
  return (
    <div className="card stack list-progress" data-paused={pausedAt !== null || undefined}>
      <div className="row">
        <p className="list-progress-number">{formatShare(list.checked, list.total)}</p>
        <p className="soft">{text.checkedOf(formatCount(list.checked), formatCount(list.total))}</p>
        <p className="soft push">
          {isOver ? (
            text.allThere
          ) : (
            <span className="list-left">
              {pace !== null &&
                !isHeldUp &&
                pause === null &&
                pace.perSecond >= 1 &&
                `${text.rate(formatCount(Math.round(pace.perSecond)))} `}
              {!isOffline && left}
            </span>
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
      {!isOffline && pausedAt === null && waiting && <ListWaiting list={list} now={waiting} />}
      {!isOver && (
        <div className="row">
          <p className="small soft">{pausedAt === null ? text.mayLeave : text.whilePaused}</p>
          <div className="row push list-buttons">
            {pausedAt === null && <NotifyWhenDone list={list} parts={parts} />}
            {may.change && (
              <>
                <PauseOrResume list={list} parts={parts} />
                <StopList list={list} parts={parts} />
              </>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
