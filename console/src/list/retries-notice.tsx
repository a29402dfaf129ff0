// What was unknown or misspelt is being checked again, or has been: how far that is, what it brought, and the way to its lists.
import type { ListSummary } from '@mxproof/client';
import { Link } from '@tanstack/react-router';
import { formatMoment } from '../design/format.ts';
import { Notice } from '../design/notice.tsx';
import { listMessages } from '../messages/en-list.ts';
import { messages } from '../messages/messages.ts';
import { isFinished } from './use-list.ts';

const text = listMessages.list;

export function RetriesNotice({
  retries,
  checked,
  words,
  isComplete,
}: {
  readonly retries: readonly ListSummary[];
  /** How many of each are in the numbers of the page. */
  readonly checked: ReadonlyMap<number, number>;
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
          <span>
            {words.running(
              sumOf(running, ({ id }) => checked.get(id) ?? 0),
              sumOf(running, ({ total }) => total),
            )}
          </span>{' '}
          {running.every(({ paused_at }) => paused_at != null) && <strong>{text.paused}.</strong>}{' '}
          <Ways to={running} />
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

function sumOf(lists: readonly ListSummary[], of: (list: ListSummary) => number): number {
  return lists.reduce((sum, list) => sum + of(list), 0);
}

function Ways({ to }: { readonly to: readonly ListSummary[] }) {
  return to.map(({ id }) => (
    <Link key={id} to="/lists/$id" params={{ id: String(id) }}>
      {messages.lists.unnamed(id)}
    </Link>
  ));
}
