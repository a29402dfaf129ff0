// Addresses per second of several verifiers as horizontal bars on one linear scale, as an SVG. Pure.

import { CHART_WIDTH, chartCard, chartText, shownFigure } from './chart.ts';

export interface Bar {
  readonly name: string;
  readonly perSecond: number;
  readonly isOurs: boolean;
}

const LEFT = 260;
const RIGHT = 110;
const TOP = 56;
const STEP = 44;
const THICKNESS = 26;
/** A bar that is too short to see would look like no result. */
const THINNEST = 2;
const STYLE = {
  light: '.first { fill: #2f6fd0; } .other { fill: #8a95a1; }',
  dark: '.first { fill: #6ea8fe; } .other { fill: #7d8894; }',
};

export function rateChart(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map((bar) => bar.perSecond));
  const parts: string[] = [];
  for (const [at, { name, perSecond, isOurs }] of bars.entries()) {
    const y = TOP + at * STEP;
    const middle = y + THICKNESS / 2 + 5;
    const length = Math.max(THINNEST, (perSecond / most) * (CHART_WIDTH - LEFT - RIGHT));
    parts.push(chartText(LEFT - 12, middle, name, 'end'));
    parts.push(
      `<rect class="${isOurs ? 'first' : 'other'}" x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="${THICKNESS}" rx="3"/>`,
    );
    parts.push(chartText(LEFT + length + 10, middle, shownFigure(perSecond), 'start'));
  }
  const label = bars.map((bar) => `${bar.name}: ${Math.round(bar.perSecond)}`).join(', ');
  const height = TOP + bars.length * STEP + 6;
  return chartCard({ title, label, height, style: STYLE, parts });
}
