// What was unknown is being checked again, or has been: how far that is, what it brought, and the way to its lists.
import type { ListSummary } from '@mxproof/client';
import { Link } from '@tanstack/react-router';
import { formatMoment } from '../design/format.ts';
import { Notice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { isFinished } from './use-list.ts';
import { wholeOf } from './whole-list.ts';

const text = messages.list.again;

export function RetriesNotice({
  retries,
  answers,
  isComplete,
}: {
  readonly retries: readonly ListSummary[];
  /** Addresses that have an answer now. */
  readonly answers: number;
  /** They are all read. */
  readonly isComplete: boolean;
}) {
  const running = retries.filter((list) => !isFinished(list));
  const finished = retries.filter(isFinished);
  const last = finished.at(-1);
  return (
    <>
      {running.length > 0 && (
        <Notice>
          <span>{text.running(wholeOf(running).checked, wholeOf(running).total)}</span> <Ways to={running} />
        </Notice>
      )}
      {last && isComplete && (
        <Notice>
          <span>
            {text[last.status === 'failed' ? 'stopped' : 'done'](
              formatMoment(last.finished_at ?? 0),
              answers,
            )}
          </span>{' '}
          <Ways to={finished} />
        </Notice>
      )}
    </>
  );
}

function Ways({ to }: { readonly to: readonly ListSummary[] }) {
  return to.map(({ id }) => (
    <Link key={id} to="/lists/$id" params={{ id: String(id) }}>
      {messages.lists.unnamed(id)}
    </Link>
  ));
}
