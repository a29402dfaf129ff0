// Addresses per second of several verifiers as horizontal bars on one linear scale, as an SVG. Pure. Promise: readable on
// light and dark pages, since the card's colours follow the reader's colour scheme.

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
const STYLE = `
.card { fill: #ffffff; } .ink { fill: #1f2933; } .quiet { fill: #5b6672; }
.first { fill: #2f6fd0; } .other { fill: #8a95a1; }
@media (prefers-color-scheme: dark) {
.card { fill: #161b22; } .ink { fill: #e6edf3; } .quiet { fill: #9aa6b2; }
.first { fill: #6ea8fe; } .other { fill: #7d8894; }
}`;

export function rateChart(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map((bar) => bar.perSecond));
  const parts = [text(20, 32, title, 'start', 'quiet')];
  for (const [at, { name, perSecond, isOurs }] of bars.entries()) {
    const y = TOP + at * STEP;
    const middle = y + THICKNESS / 2 + 5;
    const length = Math.max(THINNEST, (perSecond / most) * (WIDTH - LEFT - RIGHT));
    parts.push(text(LEFT - 12, middle, name, 'end'));
    parts.push(
      `<rect class="${isOurs ? 'first' : 'other'}" x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="${THICKNESS}" rx="3"/>`,
    );
    parts.push(text(LEFT + length + 10, middle, Math.round(perSecond).toLocaleString('en-US'), 'start'));
  }
  const label = bars.map((bar) => `${bar.name}: ${Math.round(bar.perSecond)}`).join(', ');
  const height = TOP + bars.length * STEP + 6;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}. ${label}" font-family="system-ui, sans-serif" font-size="14">
<style>${STYLE}
</style>
<rect class="card" width="${WIDTH}" height="${height}" rx="8"/>
${parts.join('\n')}
</svg>
`;
}

function text(
  x: number,
  y: number,
  words: string,
  anchor: 'start' | 'end',
  colour: 'ink' | 'quiet' = 'ink',
): string {
  return `<text class="${colour}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
}
