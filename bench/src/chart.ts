// Cost per address against list size as an SVG, both axes logarithmic. Pure; readable on light and dark pages.

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
    const at = atX(10 ** power).toFixed(1);
    parts.push(line(at, String(TOP), at, String(HEIGHT - BOTTOM)));
    parts.push(text(at, HEIGHT - BOTTOM + 18, (10 ** power).toLocaleString('en-US'), 'middle'));
  }
  for (let power = y.low; power <= y.high; power += 1) {
    const at = atY(10 ** power);
    parts.push(line(String(LEFT), at.toFixed(1), String(WIDTH - RIGHT), at.toFixed(1)));
    parts.push(text(String(LEFT - 8), at + 4, `${10 ** power} ms`, 'end'));
  }
  const series = [
    { name: 'time', colour: '#2f6fd0', cost: (point: CostPoint) => point.timeMs },
    { name: 'CPU', colour: '#c8571b', cost: (point: CostPoint) => point.cpuMs },
  ];
  for (const { name, colour, cost } of series) {
    const drawn = points.filter((point) => cost(point) > 0);
    const path = drawn.map((point) => `${atX(point.addresses).toFixed(1)},${atY(cost(point)).toFixed(1)}`);
    parts.push(`<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2.5"/>`);
    for (const at of path) {
      const [cx, cy] = at.split(',');
      parts.push(`<circle cx="${cx}" cy="${cy}" r="4" fill="${colour}"/>`);
    }
    const last = drawn.at(-1);
    if (last !== undefined)
      parts.push(text(String(atX(last.addresses) + 12), atY(cost(last)) + 4, name, 'start', colour));
  }
  parts.push(text(String((LEFT + WIDTH - RIGHT) / 2), HEIGHT - 10, 'addresses in the list', 'middle'));
  parts.push(text(String(LEFT), TOP - 12, 'cost of one address', 'start'));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Time and CPU per address fall as lists grow" font-family="system-ui, sans-serif" font-size="13">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
${parts.join('\n')}
</svg>
`;
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

function line(x1: string, y1: string, x2: string, y2: string): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#d8dde3"/>`;
}

function text(x: string, y: number, words: string, anchor: string, colour = '#3a4450'): string {
  return `<text x="${x}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${colour}">${words}</text>`;
}
