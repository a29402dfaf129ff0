// Throughput against the number of nodes as an SVG: what was measured, beside so many times the first. Pure. Promise: both axes
// begin at zero, so that a straight line through the corner is what scales.

import { CHART_WIDTH, chartCard, chartGrid, chartText, roundTop, shownFigure } from './chart.ts';

export interface ChartPoint {
  readonly nodes: number;
  readonly perSecond: number;
  /** Of PostgreSQL. */
  readonly cores: number;
}

const HEIGHT = 360;
const LEFT = 72;
const RIGHT = 28;
const TOP = 60;
const BOTTOM = 64;
const STYLE = {
  light: `.seen { fill: none; stroke: #1d4fa3; stroke-width: 2.5; } .dot { fill: #1d4fa3; }
.ideal { fill: none; stroke: #8a95a1; stroke-width: 1.5; stroke-dasharray: 5 5; }`,
  dark: '.seen { stroke: #8fbcff; } .dot { fill: #8fbcff; } .ideal { stroke: #7d8894; }',
};

export function nodesChart(title: string, points: readonly ChartPoint[]): string {
  const first = points[0]!;
  const most = points.at(-1)!.nodes;
  const ideal = (first.perSecond / first.nodes) * most;
  const top = roundTop(Math.max(ideal, ...points.map(({ perSecond }) => perSecond)));
  const x = (nodes: number) => LEFT + (nodes / most) * (CHART_WIDTH - LEFT - RIGHT);
  const y = (rate: number) => HEIGHT - BOTTOM - (rate / top) * (HEIGHT - TOP - BOTTOM);
  // Below its point a label would lie on the axis.
  const isLow = (rate: number) => y(rate) + 26 > y(0);
  const parts = chartGrid(top, y, LEFT, RIGHT);
  parts.push(
    `<path class="ideal" d="M ${x(0).toFixed(1)} ${y(0).toFixed(1)} L ${x(most).toFixed(1)} ${y(ideal).toFixed(1)}"/>`,
    `<path class="seen" d="M ${points.map(({ nodes, perSecond }) => `${x(nodes).toFixed(1)} ${y(perSecond).toFixed(1)}`).join(' L ')}"/>`,
  );
  for (const { nodes, perSecond, cores } of points)
    parts.push(
      `<circle class="dot" cx="${x(nodes).toFixed(1)}" cy="${y(perSecond).toFixed(1)}" r="4.5"/>`,
      chartText(x(nodes), y(perSecond) + (isLow(perSecond) ? -12 : 22), shownFigure(perSecond), 'middle'),
      chartText(x(nodes), HEIGHT - BOTTOM + 20, nodes === 1 ? '1 node' : String(nodes), 'middle', 'quiet'),
      chartText(x(nodes), HEIGHT - BOTTOM + 40, cores.toFixed(2), 'middle', 'quiet'),
    );
  parts.push(chartText(LEFT - 10, HEIGHT - BOTTOM + 40, 'DB cores', 'end', 'quiet'));
  const label = points.map(({ nodes, perSecond }) => `${nodes}: ${shownFigure(perSecond)}`).join(', ');
  return chartCard({ title, label, height: HEIGHT, style: STYLE, parts });
}
