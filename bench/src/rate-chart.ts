// Addresses per second of several verifiers as horizontal bars on one linear scale. Pure.
import { type Colour, svg, text } from './svg.ts';

export interface Bar {
  readonly name: string;
  readonly perSecond: number;
  readonly isOurs: boolean;
}

const WIDTH = 720;
const LEFT = 260;
const RIGHT = 110;
const TOP = 56;
const STEP = 44;
const THICKNESS = 26;
/** A bar that is too short to see would look like no result. */
const THINNEST = 2;

export function rateChart(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map((bar) => bar.perSecond));
  const parts = [text(20, 32, title, 'start', 'quiet')];
  for (const [at, { name, perSecond, isOurs }] of bars.entries()) {
    const y = TOP + at * STEP;
    const middle = y + THICKNESS / 2 + 5;
    const length = Math.max(THINNEST, (perSecond / most) * (WIDTH - LEFT - RIGHT));
    const colour: Colour = isOurs ? 'first' : 'other';
    parts.push(text(LEFT - 12, middle, name, 'end'));
    parts.push(
      `<rect class="${colour}" x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="${THICKNESS}" rx="3"/>`,
    );
    parts.push(text(LEFT + length + 10, middle, Math.round(perSecond).toLocaleString('en-US'), 'start'));
  }
  const label = bars.map((bar) => `${bar.name}: ${Math.round(bar.perSecond)}`).join(', ');
  return svg(WIDTH, TOP + bars.length * STEP + 6, `${title}. ${label}`, parts);
}
