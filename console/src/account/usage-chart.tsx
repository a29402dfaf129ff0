// Bars by day: up for what was charged, down for what was refunded. The scale's numbers stand beside the drawing, so that
// it can be stretched.
import './usage-chart.css';
import type { UsageDay } from '@mxproof/client';
import { formatCount, formatUtcDay } from '../design/format.ts';
import { usage } from '../messages/en-account.ts';
import type { UsageShape } from './usage-shape.ts';

const text = usage;
/** Of a day's width; the rest is the gap. */
const BAR_SHARE = 0.72;

export function UsageChart({
  days,
  shape: { charged, refunded, busiest, top, bottom },
}: {
  readonly days: readonly UsageDay[];
  readonly shape: UsageShape;
}) {
  const label = text.chart(
    text.total(formatCount(charged), formatCount(refunded), days.length),
    busiest && text.busiest(formatUtcDay(busiest.date), formatCount(busiest.charged)),
  );
  const labelled = [0, Math.floor((days.length - 1) / 2), days.length - 1];
  return (
    <figure className="usage-chart">
      <div className="usage-scale small soft" aria-hidden="true">
        <span>{formatCount(top)}</span>
        <span className="usage-zero" style={{ top: `${(100 * top) / (top + bottom)}%` }}>
          0
        </span>
      </div>
      <svg
        viewBox={`0 ${-top} ${days.length} ${top + bottom}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {days.map((day, at) => (
          <g key={day.date}>
            <title>
              {text.bar(formatUtcDay(day.date), formatCount(day.charged), formatCount(day.refunded))}
            </title>
            {/* The whole column shows its numbers, not only the bar. */}
            <rect className="usage-column" x={at} y={-top} width={1} height={top + bottom} />
            <rect
              className="usage-charged"
              x={at + (1 - BAR_SHARE) / 2}
              y={-day.charged}
              width={BAR_SHARE}
              height={day.charged}
            />
            <rect
              className="usage-refunded"
              x={at + (1 - BAR_SHARE) / 2}
              y={0}
              width={BAR_SHARE}
              height={day.refunded}
            />
          </g>
        ))}
        <line className="usage-line" x1={0} x2={days.length} y1={0} y2={0} />
      </svg>
      <div className="usage-days small soft" aria-hidden="true">
        {labelled.map((at) => (
          <span key={at}>{formatUtcDay(days[at]!.date)}</span>
        ))}
      </div>
      <figcaption className="row small">
        <span className="usage-key" data-kind="charged">
          {text.charged}
        </span>
        <span className="usage-key" data-kind="refunded">
          {text.refunded}
        </span>
      </figcaption>
    </figure>
  );
}
