// What a list consists of, as a doughnut of states and bars of reasons and providers. While it is checked they grow.

import type { ListSummary } from '@mxproof/client';
import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { memo } from 'react';
import { countWhys } from '../check/why.ts';
import { formatCount, formatShare } from '../design/format.ts';
import { StateShape } from '../design/state-mark.tsx';
import { listMessages } from '../messages/en-list.ts';
import { messages } from '../messages/messages.ts';
import { Bars } from './bars.tsx';
import { Doughnut } from './doughnut.tsx';
import type { RowBreakdown } from './figures.ts';

const text = listMessages.list;
const BARS_MAX = 8;

/** Drawn again when the list changes, not with every letter of a search. */
export const Charts = memo(function Charts({
  list,
  breakdown,
}: {
  readonly list: ListSummary;
  readonly breakdown: RowBreakdown | undefined;
}) {
  const reasons = breakdown ? countWhys(breakdown) : [];
  const providers = Object.entries(breakdown?.providers ?? {});
  return (
    <div className="charts">
      <StatesChart list={list} />
      <section className="card stack" aria-label={text.reasons}>
        <h2>{text.reasons}</h2>
        {breakdown ? <Bars rows={top(reasons)} /> : <p className="soft">…</p>}
      </section>
      <section className="card stack" aria-label={text.providers}>
        <h2>{text.providers}</h2>
        {breakdown ? (
          <Bars rows={top(providers.map(([word, count]) => [providerName(word), count]))} />
        ) : (
          <p className="soft">…</p>
        )}
      </section>
    </div>
  );
});

/** All that the summary says. */
export function StatesChart({ list }: { readonly list: ListSummary }) {
  return (
    <section className="card chart-states" aria-label={text.states}>
      <Doughnut list={list} />
      <ul className="stack">
        {STATE_WORDS.map((state) => (
          <li key={state} className="row">
            <div>
              <span className="state-mark" data-state={state}>
                <StateShape state={state} />
                {messages.todo[state]}
              </span>{' '}
              <span className="soft small">{messages.states[state]}</span>
            </div>
            <span className="push chart-count">
              {formatCount(list.counts[state])}{' '}
              <span className="soft small">{formatShare(list.counts[state], list.checked)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The largest rows, then one bar, `text.others`, for all that there is no room for and for a row of that name. */
function top(rows: readonly (readonly [string, number])[]): [string, number][] {
  const sorted = rows
    .filter(([name, count]) => count > 0 && name !== text.others)
    .sort(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, BARS_MAX).map(([name, count]): [string, number] => [name, count]);
  const sum = (counted: readonly (readonly [string, number])[]) =>
    counted.reduce((all, [, count]) => all + count, 0);
  const rest = sum(rows) - sum(shown);
  return rest === 0 ? shown : [...shown, [text.others, rest]];
}
