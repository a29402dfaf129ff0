// What a list that is being checked waits for, in a person's words, and when it is done at the latest.
// Promise: a list that nothing holds up shows the time alone.

import type { ListSummary, WaitingCause } from '@mxproof/client';
import { waitingPhrase } from '@mxproof/common/vocabulary/labels';
import { formatCount, formatDuration, formatTime } from '../design/format.ts';
import { listMessages } from '../messages/en-list.ts';
import type { WholeWaiting } from './use-waiting.ts';

const text = listMessages.list.waiting;

export function ListWaiting({
  list: { total, checked },
  now,
}: {
  readonly list: ListSummary;
  readonly now: WholeWaiting;
}) {
  const { held, others, moving, isQueued, doneBy } = now;
  const title = text.title(formatCount(total - checked), formatCount(total));
  const limit = <p className="small soft">{text.doneBy(formatTime(doneBy))}</p>;
  if (held.length === 0) return limit;
  return (
    <section className="waiting" aria-label={title}>
      <h2 className="waiting-title">{title}</h2>
      <ul>
        {moving > 0 && (
          <li>
            <strong>{formatCount(moving)}</strong> <span>{isQueued ? text.inLine : text.asking}</span>
          </li>
        )}
        {held.map((cause) => (
          <Cause key={`${cause.why} ${cause.host ?? ''}`} cause={cause} />
        ))}
        {others > 0 && (
          <li>
            <strong>{formatCount(others)}</strong> <span>{text.others}</span>
          </li>
        )}
      </ul>
      {limit}
    </section>
  );
}

/** Such as: 6 at mx.example.net, which is asked at a slower pace; next attempt in 2 minutes. */
function Cause({ cause: { why, host, addresses, nextAttemptAt } }: { readonly cause: WaitingCause }) {
  const words = waitingPhrase(why);
  const inSeconds = (nextAttemptAt ?? 0) - Date.now() / 1000;
  return (
    <li>
      <strong>{formatCount(addresses)}</strong>{' '}
      <span>
        {host !== null && (
          <>
            {text.at} <span className="waiting-host">{host}</span>
            {typeof words === 'string' && ' '}
          </>
        )}
        {typeof words === 'string' ? words : host === null ? text.servers(words[1]) : text.which(words[0])}
      </span>{' '}
      {inSeconds > 0 && (
        <span className="waiting-next soft">{text.nextAttempt(formatDuration(inSeconds))}</span>
      )}
    </li>
  );
}
