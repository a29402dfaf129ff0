// One list in the table of lists: its name, how far it is, the shape of its result, and what was made of it under it.
import type { ListSummary } from '@mxproof/client';
import { Link } from '@tanstack/react-router';
import { Button } from '../design/button.tsx';
import { formatCount, formatMoment, formatShare } from '../design/format.ts';
import { useRenaming } from '../design/rename-form.tsx';
import { ShapeBar } from '../design/shape-bar.tsx';
import { listsMessages as text } from '../messages/en-lists.ts';
import { messages } from '../messages/messages.ts';
import { type Family, isRunning, membersOf } from './fold-made.ts';
import { nameOf, RenameList } from './rename-list.tsx';
import { useAnswered } from './use-answered.ts';

const { addresses, rename, renameShort } = messages.lists;

export function ListRow({
  family,
  mayChange,
  isSelected,
  onSelect,
}: {
  readonly family: Family;
  readonly mayChange: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean) => void;
}) {
  const { list, later } = family;
  const { isRenaming, button, begin, end } = useRenaming();
  const answered = useAnswered(family);
  const isBusy = isRunning(family);
  return (
    <li className="list-row">
      {mayChange && (
        <label className="list-row-select">
          <input
            type="checkbox"
            aria-label={text.select(nameOf(list))}
            title={isBusy ? text.runningStay : undefined}
            checked={isSelected}
            disabled={isBusy}
            onChange={({ target }) => onSelect(target.checked)}
          />
        </label>
      )}
      <div className="list-row-name">
        {isRenaming ? (
          <RenameList list={list} members={membersOf(family)} onEnd={end} />
        ) : (
          <>
            <Link to="/lists/$id" params={{ id: String(list.id) }}>
              {nameOf(list)}
            </Link>
            {mayChange && (
              <Button ref={button} variant="quiet" aria-label={rename(nameOf(list))} onPress={begin}>
                {renameShort}
              </Button>
            )}
          </>
        )}
        <p className="small soft">
          {addresses(list.total)} · {formatMoment(list.created_at)}
        </p>
        {later.length > 0 && (
          <ul className="list-row-later small" aria-label={nameOf(list)}>
            {later.map(({ list: { id, total, created_at }, by }) => (
              <li key={id}>
                <Link to="/lists/$id" params={{ id: String(id) }}>
                  {text.made[by](total)}
                </Link>{' '}
                <span className="soft">{formatMoment(created_at)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="list-row-state">
        {answered && <ShapeBar list={answered.list} />}
        <p className="small soft">
          {answered ? statusText(answered.list, family) : '…'}
          {answered?.isWithoutLater && ` (${text.withoutLater})`}
        </p>
      </div>
    </li>
  );
}

function statusText(answered: ListSummary, { list, later }: Family): string {
  const { counts, checked, total } = answered;
  const again = later.map((one) => one.list).filter(({ finished_at }) => finished_at === null);
  if (list.paused_at != null) return text.paused(formatShare(checked, total));
  if (list.finished_at === null) return text.running(formatShare(checked, total));
  if (again.length > 0) {
    const sum = (of: (one: ListSummary) => number) => again.reduce((all, one) => all + of(one), 0);
    return text.checkingAgain(
      formatShare(
        sum((one) => one.checked),
        sum((one) => one.total),
      ),
    );
  }
  if (checked < total) return text.stopped(formatCount(checked), formatCount(total));
  return text.done(formatShare(counts.deliverable, total));
}
