// What a list consists of, as a doughnut of states and bars of reasons and providers. While it is checked they grow.
import type { ListSummary } from '@mxproof/client';
import { memo } from 'react';
import { formatCount, formatShare } from '../design/format.ts';
import { STATES } from '../design/shape-bar.tsx';
import { StateMark } from '../design/state-mark.tsx';
import { messages } from '../messages/messages.ts';
import { Bars } from './bars.tsx';
import { Doughnut } from './doughnut.tsx';
import type { WholeBreakdown } from './whole-list.ts';

const text = messages.list;
const BARS_MAX = 8;

/** Drawn again when the list changes, not with every letter of a search. */
export const Charts = memo(function Charts({
  list,
  breakdown,
}: {
  readonly list: ListSummary;
  readonly breakdown: WholeBreakdown | undefined;
}) {
  const reasons = Object.entries(breakdown?.reasons ?? {}) as [keyof typeof messages.reasons, number][];
  return (
    <div className="charts">
      <section className="card chart-states" aria-label={text.states}>
        <Doughnut list={list} />
        <ul className="stack">
          {STATES.map((state) => (
            <li key={state} className="row">
              <StateMark state={state} />
              <span className="push">
                {formatCount(list.counts[state])}{' '}
                <span className="soft small">{formatShare(list.counts[state], list.total)}</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section className="card stack" aria-label={text.reasons}>
        <h2>{text.reasons}</h2>
        <Bars rows={top(reasons.map(([reason, count]) => [messages.reasons[reason], count]))} />
      </section>
      <section className="card stack" aria-label={text.providers}>
        <h2>{text.providers}</h2>
        <Bars rows={top(Object.entries(breakdown?.providers ?? {}))} />
      </section>
    </div>
  );
});

function top(rows: readonly (readonly [string, number])[]): [string, number][] {
  const sorted = rows.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
  const rest = sorted.slice(BARS_MAX).reduce((sum, [, count]) => sum + count, 0);
  const shown = sorted.slice(0, BARS_MAX).map(([name, count]): [string, number] => [name, count]);
  return rest === 0 ? shown : [...shown, [text.others, rest]];
}
