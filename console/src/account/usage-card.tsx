// What was charged and refunded, day by day: bars to look at, and a table that says the same.

import type { UsageDay } from '@mxproof/client';
import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Choice } from '../design/choice.tsx';
import { formatCount, formatUtcDay } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { usage } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { USAGE_DAYS } from '../shell/session.ts';
import { UsageChart } from './usage-chart.tsx';
import { usageShape } from './usage-shape.ts';

const text = usage;
const PERIODS = [USAGE_DAYS, 90].map((days) => [String(days), text.days(days)] as const);

export function UsageCard() {
  const [period, setPeriod] = useState(String(USAGE_DAYS));
  const days = Number(period);
  const usage = useQuery({
    queryKey: keys.usage(days),
    queryFn: ({ signal }) => mx.account.usage({ days, signal }),
    // The chart stays while the other period is read.
    placeholderData: (before) => before,
  });
  return (
    <section className="card stack" aria-labelledby="usage">
      <div className="row">
        <h2 id="usage">{text.title}</h2>
        <div className="push">
          <Choice title={text.period} options={PERIODS} value={period} onChange={setPeriod} />
        </div>
      </div>
      {usage.isError && <ProblemNotice>{problemText(usage.error)}</ProblemNotice>}
      {usage.data && <Usage days={usage.data} />}
    </section>
  );
}

function Usage({ days }: { readonly days: readonly UsageDay[] }) {
  const shape = usageShape(days);
  if (shape.active.length === 0) return <p className="soft">{text.none}</p>;
  return (
    <>
      <p className="soft">
        {text.total(formatCount(shape.charged), formatCount(shape.refunded), days.length)}
      </p>
      <UsageChart days={days} shape={shape} />
      <details className="more">
        <summary>{text.table}</summary>
        <p className="small soft">{text.utc}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <div className="table-scroll" role="region" aria-label={text.table} tabIndex={0}>
          <table className="table table-wide">
            <thead>
              <tr>
                <th scope="col">{text.date}</th>
                <th scope="col">{text.charged}</th>
                <th scope="col">{text.refunded}</th>
                {STATE_WORDS.map((state) => (
                  <th key={state} scope="col">
                    {messages.todo[state]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shape.active.toReversed().map((day) => (
                <tr key={day.date}>
                  <th scope="row">{formatUtcDay(day.date)}</th>
                  <td>{formatCount(day.charged)}</td>
                  <td>{formatCount(day.refunded)}</td>
                  {STATE_WORDS.map((state) => (
                    <td key={state}>{formatCount(day[state])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}
