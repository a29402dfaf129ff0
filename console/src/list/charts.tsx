// What a list consists of, as a doughnut of states and bars of reasons and providers. While it is checked they grow.

import type { ListSummary } from '@mxproof/client';
import { ACTION_WORDS, ACTIONS, STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { memo } from 'react';
import { countWhys } from '../check/why.ts';
import { formatCount, formatShare } from '../design/format.ts';
import { StateMark } from '../design/state-mark.tsx';
import { listMessages } from '../messages/en-list.ts';
import { Bars } from './bars.tsx';
import { Doughnut } from './doughnut.tsx';
import type { WholeBreakdown } from './whole-list.ts';

const text = listMessages.list;
const BARS_MAX = 8;

/** Drawn again when the list changes, not with every letter of a search. */
export const Charts = memo(function Charts({
  list,
  breakdown,
}: {
  readonly list: ListSummary;
  readonly breakdown: WholeBreakdown | undefined;
}) {
  const reasons = breakdown ? countWhys(breakdown) : [];
  const providers = Object.entries(breakdown?.providers ?? {});
  return (
    <div className="charts">
      <StatesChart list={list} />
      <section className="card stack" aria-label={text.reasons}>
        <h2>{text.reasons}</h2>
        <Bars rows={top(reasons)} />
      </section>
      <section className="card stack" aria-label={text.providers}>
        <h2>{text.providers}</h2>
        <Bars rows={top(providers.map(([word, count]) => [providerName(word), count]))} />
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
            <StateMark state={state} />
            <span className="soft small">{actionsOf(state)}</span>
            <span className="push">
              {formatCount(list.counts[state])}{' '}
              <span className="soft small">{formatShare(list.counts[state], list.checked)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Such as: Send carefully, Leave out. */
function actionsOf(state: (typeof STATE_WORDS)[number]): string {
  const actions = ACTION_WORDS.filter((action) => ACTIONS[action].mark === state);
  return actions.map((action) => ACTIONS[action].title).join(', ');
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
