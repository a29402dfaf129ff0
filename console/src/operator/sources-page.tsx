// How every source fares at every provider, as a picture: a table where there is room, a list on a phone. Promise: while it
// is read again and again, what has the focus or is open stays.

import { useState } from 'react';
import { Notice } from '../design/notice.tsx';
import { operator as text } from '../messages/en-operator.ts';
import { HealthMark } from './health-mark.tsx';
import { cellOf, HEALTH_STATES, keyOf, type Matrix, matrixOf, nothingAsked, type Pair } from './matrix.ts';
import { admin, useAdmin } from './operator-api.ts';
import { PageHead, ReadingState } from './page-parts.tsx';
import { PairPanel } from './pair-panel.tsx';
import { SourceList } from './source-list.tsx';
import { SourceMatrix } from './source-matrix.tsx';
import { useIsNarrow } from './use-is-narrow.ts';
import { clockTime } from './when.ts';

/** The figures change while they are looked at. */
const EVERY_MS = 10_000;

export function SourcesPage() {
  const sources = useAdmin(['sources'], (options) => admin.sources(options), EVERY_MS);
  const [open, setOpen] = useState<Pair | null>(null);
  const isNarrow = useIsNarrow();
  const { data } = sources;
  const matrix = data && matrixOf(data.pairs, data.at);
  const pair =
    open &&
    (data?.pairs.find((each) => keyOf(each) === keyOf(open)) ?? nothingAsked(open.source, open.provider));
  const Picture = isNarrow ? SourceList : SourceMatrix;
  return (
    <section className="stack operator-page">
      <PageHead
        title={text.matrix.title}
        intro={
          <>
            {text.matrix.intro}{' '}
            {data && <span className="operator-moment">{text.updated(clockTime(data.at))}</span>}
          </>
        }
      />
      <ReadingState of={sources} />
      {matrix?.sources.length === 0 && <Notice>{text.matrix.none}</Notice>}
      {matrix && matrix.sources.length > 0 && (
        <>
          <Legend matrix={matrix} />
          <Picture matrix={matrix} now={data.at} onOpen={setOpen} />
        </>
      )}
      {data && data.left_out > 0 && <Notice tone="warning">{text.matrix.leftOut(data.left_out)}</Notice>}
      {pair && data && <PairPanel cell={cellOf(pair, data.at)} onClose={() => setOpen(null)} />}
    </section>
  );
}

/** What the marks mean, and how many of each there are. */
function Legend({ matrix: { count } }: { readonly matrix: Matrix }) {
  return (
    <dl className="legend small">
      {HEALTH_STATES.map((state) => (
        <div
          key={state}
          className="legend-item"
          data-health={state}
          data-none={count[state] === 0 || undefined}
        >
          <dt>
            <HealthMark state={state} />
          </dt>
          <dd className="legend-count">{count[state]}</dd>
          <dd className="soft legend-meaning">{text.statesMeaning[state]}</dd>
        </div>
      ))}
    </dl>
  );
}
