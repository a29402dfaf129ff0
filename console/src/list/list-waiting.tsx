// What a list that is being checked waits for, in a person's words, and when it is done at the latest.
import type { ListSummary, WaitingCause } from '@mxproof/client';
import { formatCount, formatDuration, formatMoment } from '../design/format.ts';
import { messages } from '../messages/messages.ts';
import { useWaiting } from './use-waiting.ts';

const text = messages.list.waiting;
const CAUSES_MAX = 5;

export function ListWaiting({
  list,
  parts,
}: {
  readonly list: ListSummary;
  readonly parts: readonly ListSummary[];
}) {
  const now = useWaiting(parts);
  if (!now || now.pending === 0) return null;
  const told = now.causes.slice(0, CAUSES_MAX);
  const others = now.pending - now.checking - told.reduce((sum, { addresses }) => sum + addresses, 0);
  const title = text.title(formatCount(now.pending), formatCount(list.total));
  return (
    <section className="waiting" aria-label={title}>
      <h2 className="waiting-title">{title}</h2>
      <ul>
        {now.checking > 0 && <li>{text.asking(now.checking)}</li>}
        {told.map((cause) => (
          <Cause key={`${cause.why} ${cause.host ?? ''}`} cause={cause} />
        ))}
        {others > 0 && <li>{text.others(others)}</li>}
      </ul>
      <p className="small soft">{text.doneBy(formatMoment(now.doneBy))}</p>
    </section>
  );
}

/** Such as: 6 addresses at mx.example.net, which asks for a slower pace, next attempt in 2 minutes. */
function Cause({ cause: { why, host, addresses, nextAttemptAt } }: { readonly cause: WaitingCause }) {
  const words = text.words[why];
  const inSeconds = (nextAttemptAt ?? 0) - Date.now() / 1000;
  return (
    <li>
      {text.addresses(addresses)}{' '}
      {host !== null && (
        <>
          {text.at} <span className="waiting-host">{host}</span>
        </>
      )}
      {typeof words === 'string'
        ? ` ${words}`
        : host === null
          ? text.servers(words[1])
          : text.which(words[0])}
      {inSeconds > 0 && (
        <>
          {', '}
          <span className="waiting-next">{text.nextAttempt(formatDuration(inSeconds))}</span>
        </>
      )}
    </li>
  );
}
