// A list's result as one thin bar: how much of each state. The numbers are in its label, since colours alone say nothing.
import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import './shape-bar.css';
import type { ListSummary } from '@mxproof/client';
import { messages } from '../messages/messages.ts';
import { formatCount } from './format.ts';

export function ShapeBar({
  list,
  words = messages.todo,
}: {
  readonly list: Pick<ListSummary, 'counts' | 'total'>;
  /** What each state is called. */
  readonly words?: Readonly<Record<keyof ListSummary['counts'], string>>;
}) {
  const present = STATE_WORDS.filter((state) => list.counts[state] > 0);
  const label = present.map((state) => `${words[state]}: ${formatCount(list.counts[state])}`).join(', ');
  return (
    <svg
      className="shape-bar"
      viewBox={`0 0 ${list.total} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label || messages.lists.nothingYet}
    >
      {present.map((state, at) => (
        <rect
          key={state}
          data-state={state}
          x={present.slice(0, at).reduce((sum, before) => sum + list.counts[before], 0)}
          width={list.counts[state]}
          height="1"
        />
      ))}
    </svg>
  );
}
