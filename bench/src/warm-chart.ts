// A month of a warm-up as an SVG: what was asked each day, below the limit of the day. Pure. Promise: every day that was held
// back is marked with its reason.

import { CHART_WIDTH, chartCard, chartGrid, chartText, roundTop } from './chart.ts';

export interface ChartDay {
  /** Null: no limit any more. */
  readonly limit: number | null;
  readonly asked: number;
  /** Why it did not grow. */
  readonly heldBack: string | null;
}

const HEIGHT = 340;
const LEFT = 64;
const RIGHT = 20;
const TOP = 60;
const BOTTOM = 44;
const LABELLED_DAYS = 5;
/** As wide as the words of a mark. */
const LABEL_DAYS = 9;
const STYLE = {
  light:
    '.first { fill: #9dbdf0; } .limit { fill: none; stroke: #1d4fa3; stroke-width: 2; } .held { fill: #c2571a; }',
  dark: '.first { fill: #2f5b9c; } .limit { stroke: #8fbcff; } .held { fill: #f0a36b; }',
};

export function warmChart(title: string, days: readonly ChartDay[]): string {
  const top = roundTop(Math.max(...days.map(heightOf)));
  const width = (CHART_WIDTH - LEFT - RIGHT) / days.length;
  const x = (at: number) => LEFT + at * width;
  const y = (count: number) => HEIGHT - BOTTOM - (count / top) * (HEIGHT - TOP - BOTTOM);
  const parts = chartGrid(top, y, LEFT, RIGHT);
  for (const [at, { asked, heldBack }] of days.entries()) {
    const height = y(0) - y(asked);
    parts.push(
      `<rect class="first" x="${(x(at) + 2).toFixed(1)}" y="${y(asked).toFixed(1)}" width="${(width - 4).toFixed(1)}" height="${height.toFixed(1)}"/>`,
    );
    const day = at + 1;
    if (day === 1 || day % LABELLED_DAYS === 0)
      parts.push(
        chartText(x(at) + width / 2, HEIGHT - 18, day === 1 ? 'day 1' : String(day), 'middle', 'quiet'),
      );
    if (heldBack === null) continue;
    // Above the steps that the words lie over.
    const above = Math.min(
      ...days.slice(Math.max(0, at - LABEL_DAYS), at + 1).map((one) => y(heightOf(one))),
    );
    parts.push(
      `<circle class="held" cx="${(x(at) + width / 2).toFixed(1)}" cy="${(above - 9).toFixed(1)}" r="4"/>`,
    );
    parts.push(chartText(x(at) + width / 2 - 8, above - 18, heldBack, 'end', 'held'));
  }
  parts.push(`<path class="limit" d="${limitPath(days, x, y)}"/>`);
  const label = `Asked each day: ${days.map(({ asked }) => asked).join(', ')}`;
  return chartCard({ title, label, height: HEIGHT, style: STYLE, parts });
}

function heightOf({ limit, asked }: ChartDay): number {
  return Math.max(limit ?? 0, asked);
}

/** A step for each day, as far as there is a limit. */
function limitPath(
  days: readonly ChartDay[],
  x: (at: number) => number,
  y: (count: number) => number,
): string {
  const steps = days.flatMap(({ limit }, at) =>
    limit === null ? [] : [`${x(at).toFixed(1)} ${y(limit).toFixed(1)} H ${x(at + 1).toFixed(1)}`],
  );
  return `M ${steps.join(' L ')}`;
}
