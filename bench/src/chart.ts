// What the guides' charts have in common: a card that is readable on light and dark pages, since its colours follow the reader's
// colour scheme, and the lines of a scale that begins at zero. Pure.

export const CHART_WIDTH = 720;
const GRID_LINES = 4;
const STYLE = {
  light:
    '.card { fill: #ffffff; } .ink { fill: #1f2933; } .quiet { fill: #5b6672; } .grid { stroke: #d9dee3; }',
  dark: '.card { fill: #161b22; } .ink { fill: #e6edf3; } .quiet { fill: #9aa6b2; } .grid { stroke: #30363d; }',
};

export interface Chart {
  readonly title: string;
  /** What a screen reader says after the title. */
  readonly label: string;
  readonly height: number;
  /** Of the chart's own classes. */
  readonly style: { readonly light: string; readonly dark: string };
  readonly parts: readonly string[];
}

export function chartCard({ title, label, height, style, parts }: Chart): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CHART_WIDTH} ${height}" role="img" aria-label="${title}. ${label}" font-family="system-ui, sans-serif" font-size="13">
<style>
${STYLE.light}
${style.light}
@media (prefers-color-scheme: dark) {
${STYLE.dark}
${style.dark}
}
</style>
<rect class="card" width="${CHART_WIDTH}" height="${height}" rx="8"/>
${[chartText(20, 32, title, 'start', 'quiet'), ...parts].join('\n')}
</svg>
`;
}

export function chartText(
  x: number,
  y: number,
  words: string,
  anchor: 'start' | 'middle' | 'end',
  colour = 'ink',
): string {
  return `<text class="${colour}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
}

/** Lines across, each with its figure. `top`: as of `roundTop`; `y`: where a figure is. */
export function chartGrid(top: number, y: (figure: number) => number, left: number, right: number): string[] {
  return Array.from({ length: GRID_LINES + 1 }, (_, line) => (top * line) / GRID_LINES).flatMap((figure) => [
    `<line class="grid" x1="${left}" x2="${CHART_WIDTH - right}" y1="${y(figure).toFixed(1)}" y2="${y(figure).toFixed(1)}"/>`,
    chartText(left - 10, y(figure) + 5, shownFigure(figure), 'end', 'quiet'),
  ]);
}

/** The next figure that the lines divide into round ones. */
export function roundTop(most: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, most / GRID_LINES)));
  const round = [1, 1.25, 1.5, 2, 2.5, 5, 10].find((times) => step * times * GRID_LINES >= most) ?? 10;
  return step * round * GRID_LINES;
}

export function shownFigure(figure: number): string {
  return Math.round(figure).toLocaleString('en-US');
}
