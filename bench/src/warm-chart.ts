// A month of a warm-up as an SVG: what was asked each day, below the limit of the day. Pure. Promise: readable on light and
// dark pages; every day that was held back is marked with its reason.

export interface ChartDay {
  /** Null: no limit any more. */
  readonly limit: number | null;
  readonly asked: number;
  /** Why it did not grow. */
  readonly heldBack: string | null;
}

const WIDTH = 720;
const HEIGHT = 340;
const LEFT = 64;
const RIGHT = 20;
const TOP = 60;
const BOTTOM = 44;
const GRID_LINES = 4;
const LABELLED_DAYS = 5;
/** As wide as the words of a mark. */
const LABEL_DAYS = 9;
const STYLE = `
.card { fill: #ffffff; } .ink { fill: #1f2933; } .quiet { fill: #5b6672; } .grid { stroke: #d9dee3; }
.first { fill: #9dbdf0; } .limit { fill: none; stroke: #1d4fa3; stroke-width: 2; } .held { fill: #c2571a; }
@media (prefers-color-scheme: dark) {
.card { fill: #161b22; } .ink { fill: #e6edf3; } .quiet { fill: #9aa6b2; } .grid { stroke: #30363d; }
.first { fill: #2f5b9c; } .limit { stroke: #8fbcff; } .held { fill: #f0a36b; }
}`;

export function warmChart(title: string, days: readonly ChartDay[]): string {
  const top = roundUp(Math.max(...days.map(heightOf)));
  const width = (WIDTH - LEFT - RIGHT) / days.length;
  const x = (at: number) => LEFT + at * width;
  const y = (count: number) => HEIGHT - BOTTOM - (count / top) * (HEIGHT - TOP - BOTTOM);
  const parts = [text(20, 32, title, 'start', 'quiet')];
  for (let line = 0; line <= GRID_LINES; line += 1) {
    const count = (top * line) / GRID_LINES;
    parts.push(
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(count).toFixed(1)}" y2="${y(count).toFixed(1)}"/>`,
    );
    parts.push(text(LEFT - 10, y(count) + 5, shown(count), 'end', 'quiet'));
  }
  for (const [at, { asked, heldBack }] of days.entries()) {
    const height = y(0) - y(asked);
    parts.push(
      `<rect class="first" x="${(x(at) + 2).toFixed(1)}" y="${y(asked).toFixed(1)}" width="${(width - 4).toFixed(1)}" height="${height.toFixed(1)}"/>`,
    );
    const day = at + 1;
    if (day === 1 || day % LABELLED_DAYS === 0)
      parts.push(text(x(at) + width / 2, HEIGHT - 18, day === 1 ? 'day 1' : String(day), 'middle', 'quiet'));
    if (heldBack === null) continue;
    // Above the steps that the words lie over.
    const above = Math.min(
      ...days.slice(Math.max(0, at - LABEL_DAYS), at + 1).map((one) => y(heightOf(one))),
    );
    parts.push(
      `<circle class="held" cx="${(x(at) + width / 2).toFixed(1)}" cy="${(above - 9).toFixed(1)}" r="4"/>`,
    );
    parts.push(text(x(at) + width / 2 - 8, above - 18, heldBack, 'end', 'held'));
  }
  parts.push(`<path class="limit" d="${limitPath(days, x, y)}"/>`);
  const label = days.map(({ asked }) => asked).join(', ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}. Asked each day: ${label}" font-family="system-ui, sans-serif" font-size="13">
<style>${STYLE}
</style>
<rect class="card" width="${WIDTH}" height="${HEIGHT}" rx="8"/>
${parts.join('\n')}
</svg>
`;
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

/** To a figure that the lines divide into round ones. */
function roundUp(most: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, most / GRID_LINES)));
  const round = [1, 2, 2.5, 5, 10].find((times) => step * times * GRID_LINES >= most) ?? 10;
  return step * round * GRID_LINES;
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}

function text(
  x: number,
  y: number,
  words: string,
  anchor: 'start' | 'middle' | 'end',
  colour: 'ink' | 'quiet' | 'held' = 'ink',
): string {
  return `<text class="${colour}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
}
