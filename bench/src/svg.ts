// The frame and the elements that the charts share. Pure. Promise: readable on light and dark pages, since the card's
// colours follow the reader's colour scheme.

const STYLE = `
.card { fill: #ffffff; } .ink { fill: #1f2933; } .quiet { fill: #5b6672; } .grid { stroke: #d8dde3; }
.first { fill: #2f6fd0; } polyline.first { stroke: #2f6fd0; }
.second { fill: #c8571b; } polyline.second { stroke: #c8571b; }
.other { fill: #8a95a1; }
@media (prefers-color-scheme: dark) {
.card { fill: #161b22; } .ink { fill: #e6edf3; } .quiet { fill: #9aa6b2; } .grid { stroke: #323a44; }
.first { fill: #6ea8fe; } polyline.first { stroke: #6ea8fe; }
.second { fill: #f0883e; } polyline.second { stroke: #f0883e; }
.other { fill: #7d8894; }
}`;

export type Colour = 'ink' | 'quiet' | 'first' | 'second' | 'other';

export function svg(width: number, height: number, label: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}" font-family="system-ui, sans-serif" font-size="14">
<style>${STYLE}
</style>
<rect class="card" width="${width}" height="${height}" rx="8"/>
${parts.join('\n')}
</svg>
`;
}

export function text(
  x: number,
  y: number,
  words: string,
  anchor: 'start' | 'middle' | 'end',
  colour: Colour = 'ink',
): string {
  return `<text class="${colour}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
}
