// The states as parts of a ring. The numbers stand beside it; the ring itself is only looked at.

import type { ListSummary } from '@mxproof/client';
import { ACTIONS, STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { formatShare } from '../design/format.ts';

const RADIUS = 42;
const ROUND = 2 * Math.PI * RADIUS;
/** Between two parts, of the circumference. */
const GAP = 1.5;

export function Doughnut({
  list: { counts, checked },
}: {
  readonly list: Pick<ListSummary, 'counts' | 'checked'>;
}) {
  let before = 0;
  const parts = STATE_WORDS.filter((state) => counts[state] > 0).map((state) => {
    const from = before;
    before += counts[state];
    return { state, from: (from / checked) * ROUND, length: (counts[state] / checked) * ROUND };
  });
  return (
    <figure className="doughnut">
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle className="doughnut-rest" cx="50" cy="50" r={RADIUS} />
        {parts.map(({ state, from, length }) => (
          <circle
            key={state}
            data-state={state}
            cx="50"
            cy="50"
            r={RADIUS}
            strokeDasharray={`${Math.max(0.5, length - (parts.length > 1 ? GAP : 0))} ${ROUND}`}
            strokeDashoffset={-from}
          />
        ))}
      </svg>
      <figcaption>
        <strong>{formatShare(counts.deliverable, checked)}</strong>
        <span className="small soft">{ACTIONS.send.title}</span>
      </figcaption>
    </figure>
  );
}
