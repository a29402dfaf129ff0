// Throughput against the number of nodes as an SVG: what was measured, beside so many times the first. Pure. Promise: readable
// on light and dark pages; both axes begin at zero, so that a straight line through the corner is what scales.

export interface ChartPoint {
  readonly nodes: number;
  readonly perSecond: number;
  /** Of PostgreSQL. */
  readonly cores: number;
}

const WIDTH = 720;
const HEIGHT = 360;
const LEFT = 72;
const RIGHT = 28;
const TOP = 60;
const BOTTOM = 64;
const GRID_LINES = 4;
const STYLE = `
.card { fill: #ffffff; } .ink { fill: #1f2933; } .quiet { fill: #5b6672; } .grid { stroke: #d9dee3; }
.seen { fill: none; stroke: #1d4fa3; stroke-width: 2.5; } .dot { fill: #1d4fa3; }
.ideal { fill: none; stroke: #8a95a1; stroke-width: 1.5; stroke-dasharray: 5 5; }
@media (prefers-color-scheme: dark) {
.card { fill: #161b22; } .ink { fill: #e6edf3; } .quiet { fill: #9aa6b2; } .grid { stroke: #30363d; }
.seen { stroke: #8fbcff; } .dot { fill: #8fbcff; } .ideal { stroke: #7d8894; }
}`;

export function nodesChart(title: string, points: readonly ChartPoint[]): string {
  const first = points[0]!;
  const most = points.at(-1)!.nodes;
  const ideal = (first.perSecond / first.nodes) * most;
  const top = roundUp(Math.max(ideal, ...points.map(({ perSecond }) => perSecond)));
  const x = (nodes: number) => LEFT + (nodes / most) * (WIDTH - LEFT - RIGHT);
  const y = (rate: number) => HEIGHT - BOTTOM - (rate / top) * (HEIGHT - TOP - BOTTOM);
  // Below its point a label would lie on the axis.
  const isLow = (rate: number) => y(rate) + 26 > y(0);
  const parts = [text(20, 32, title, 'start', 'quiet')];
  for (let line = 0; line <= GRID_LINES; line += 1) {
    const rate = (top * line) / GRID_LINES;
    parts.push(
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(rate).toFixed(1)}" y2="${y(rate).toFixed(1)}"/>`,
      text(LEFT - 10, y(rate) + 5, shown(rate), 'end', 'quiet'),
    );
  }
  parts.push(
    `<path class="ideal" d="M ${x(0).toFixed(1)} ${y(0).toFixed(1)} L ${x(most).toFixed(1)} ${y(ideal).toFixed(1)}"/>`,
    `<path class="seen" d="M ${points.map(({ nodes, perSecond }) => `${x(nodes).toFixed(1)} ${y(perSecond).toFixed(1)}`).join(' L ')}"/>`,
  );
  for (const { nodes, perSecond, cores } of points)
    parts.push(
      `<circle class="dot" cx="${x(nodes).toFixed(1)}" cy="${y(perSecond).toFixed(1)}" r="4.5"/>`,
      text(x(nodes), y(perSecond) + (isLow(perSecond) ? -12 : 22), shown(perSecond), 'middle'),
      text(x(nodes), HEIGHT - BOTTOM + 20, nodes === 1 ? '1 node' : String(nodes), 'middle', 'quiet'),
      text(x(nodes), HEIGHT - BOTTOM + 40, cores.toFixed(2), 'middle', 'quiet'),
    );
  parts.push(text(LEFT - 10, HEIGHT - BOTTOM + 40, 'DB cores', 'end', 'quiet'));
  const label = points.map(({ nodes, perSecond }) => `${nodes}: ${shown(perSecond)}`).join(', ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}. ${label}" font-family="system-ui, sans-serif" font-size="13">
<style>${STYLE}
</style>
<rect class="card" width="${WIDTH}" height="${HEIGHT}" rx="8"/>
${parts.join('\n')}
</svg>
`;
}

/** To a figure that the lines divide into round ones. */
function roundUp(most: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, most / GRID_LINES)));
  const round = [1, 1.25, 1.5, 2, 2.5, 5, 10].find((times) => step * times * GRID_LINES >= most) ?? 10;
  return step * round * GRID_LINES;
}

function shown(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

function text(
  x: number,
  y: number,
  words: string,
  anchor: 'start' | 'middle' | 'end',
  colour: 'ink' | 'quiet' = 'ink',
): string {
  return `<text class="${colour}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
}
