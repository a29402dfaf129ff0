// What was unknown or misspelt is being checked again, or has been: how far that is, what it brought, and the way to its lists.
import type { ListSummary } from '@mxproof/client';
import { Link } from '@tanstack/react-router';
import { formatMoment } from '../design/format.ts';
import { Notice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { isFinished } from './use-list.ts';
import { wholeOf } from './whole-list.ts';

export function RetriesNotice({
  retries,
  words,
  isComplete,
}: {
  readonly retries: readonly ListSummary[];
  readonly words: {
    readonly running: (checked: number, total: number) => string;
    readonly done: (moment: string) => string;
    readonly stopped: (moment: string) => string;
  };
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
          <span>{words.running(wholeOf(running).checked, wholeOf(running).total)}</span> <Ways to={running} />
        </Notice>
      )}
      {last && isComplete && (
        <Notice>
          <span>
            {words[last.status === 'failed' ? 'stopped' : 'done'](formatMoment(last.finished_at ?? 0))}
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
