// Cost per address against list size as an SVG, both axes logarithmic. Pure.
import { svg, text } from './svg.ts';

export interface CostPoint {
  readonly addresses: number;
  readonly timeMs: number;
  readonly cpuMs: number;
}

const WIDTH = 720;
const HEIGHT = 380;
const LEFT = 70;
const RIGHT = 110;
const TOP = 30;
const BOTTOM = 50;

interface Scale {
  readonly low: number;
  readonly high: number;
}

export function costChart(points: readonly CostPoint[]): string {
  const costs = points.flatMap((point) => [point.timeMs, point.cpuMs]).filter((cost) => cost > 0);
  const x: Scale = decades(points.map((point) => point.addresses));
  const y: Scale = decades(costs);
  const atX = (value: number) => LEFT + share(value, x) * (WIDTH - LEFT - RIGHT);
  const atY = (value: number) => HEIGHT - BOTTOM - share(value, y) * (HEIGHT - TOP - BOTTOM);
  const parts: string[] = [];
  for (let power = x.low; power <= x.high; power += 1) {
    const at = atX(10 ** power);
    parts.push(line(at, TOP, at, HEIGHT - BOTTOM));
    parts.push(text(at, HEIGHT - BOTTOM + 18, (10 ** power).toLocaleString('en-US'), 'middle', 'quiet'));
  }
  for (let power = y.low; power <= y.high; power += 1) {
    const at = atY(10 ** power);
    parts.push(line(LEFT, at, WIDTH - RIGHT, at));
    parts.push(text(LEFT - 8, at + 4, `${10 ** power} ms`, 'end', 'quiet'));
  }
  const series = [
    { name: 'time', colour: 'first', cost: (point: CostPoint) => point.timeMs },
    { name: 'CPU', colour: 'second', cost: (point: CostPoint) => point.cpuMs },
  ] as const;
  for (const { name, colour, cost } of series) {
    const drawn = points.filter((point) => cost(point) > 0);
    const path = drawn.map((point) => `${atX(point.addresses).toFixed(1)},${atY(cost(point)).toFixed(1)}`);
    parts.push(
      `<polyline class="${colour}" points="${path.join(' ')}" style="fill: none" stroke-width="2.5"/>`,
    );
    for (const at of path) {
      const [cx, cy] = at.split(',');
      parts.push(`<circle class="${colour}" cx="${cx}" cy="${cy}" r="4"/>`);
    }
    const last = drawn.at(-1);
    if (last !== undefined)
      parts.push(text(atX(last.addresses) + 12, atY(cost(last)) + 4, name, 'start', colour));
  }
  parts.push(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, 'addresses in the list', 'middle'));
  parts.push(text(LEFT, TOP - 12, 'cost per address', 'start'));
  return svg(WIDTH, HEIGHT, 'Time and CPU per address fall as lists grow', parts);
}

function decades(values: readonly number[]): Scale {
  return {
    low: Math.floor(Math.log10(Math.min(...values))),
    high: Math.ceil(Math.log10(Math.max(...values))),
  };
}

function share(value: number, { low, high }: Scale): number {
  return (Math.log10(value) - low) / Math.max(1, high - low);
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  const [a, b, c, d] = [x1, y1, x2, y2].map((at) => at.toFixed(1));
  return `<line class="grid" x1="${a}" y1="${b}" x2="${c}" y2="${d}"/>`;
}
