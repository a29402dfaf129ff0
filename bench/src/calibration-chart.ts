// How often mail bounced where an estimate was given, as an SVG: a dot for each tenth with its interval, beside the line on which
// both are the same. Pure, and the same every time.
import { type Bin, heldBackMail } from '../../server/test/held-back-mail.ts';
import { chartCard, chartText } from './chart.ts';

interface Series {
  readonly name: string;
  readonly bins: ReadonlyMap<number, Bin>;
}

/** Of fewer, nothing is claimed. */
const FEWEST = 30;
const HEIGHT = 520;
const LEFT = 70;
const TOP = 96;
const BOTTOM = 62;
const SIDE = HEIGHT - TOP - BOTTOM;
/** The plot is a square; beside it stands what the marks are. */
const RIGHT = LEFT + SIDE;
const LEGEND = RIGHT + 30;
const CLASSES = ['first', 'second'] as const;
const STYLE = {
  light:
    '.even { stroke: #8a96a3; stroke-dasharray: 5 4; } .first { fill: #1d4fa3; stroke: #1d4fa3; } .second { fill: #ffffff; stroke: #c2571a; }',
  dark: '.even { stroke: #7d8894; } .first { fill: #8fbcff; stroke: #8fbcff; } .second { fill: #161b22; stroke: #f0a36b; }',
};

const x = (share: number) => LEFT + share * SIDE;
const y = (share: number) => TOP + (1 - share) * SIDE;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

const TITLE = 'How likely mail bounces: estimated, and what happened to mail that was held back';
export const SERIES: readonly Series[] = [
  { name: 'domains of a provider differ', bins: heldBackMail(20) },
  { name: 'they have little in common', bins: heldBackMail(4) },
];

export function drawCalibration(): string {
  const parts = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((share) => [
    `<line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${y(share).toFixed(1)}" y2="${y(share).toFixed(1)}"/>`,
    chartText(LEFT - 10, y(share) + 5, `${share * 100} %`, 'end', 'quiet'),
    chartText(x(share), TOP + SIDE + 22, `${share * 100} %`, 'middle', 'quiet'),
  ]);
  parts.push(
    chartText(LEFT, TOP - 24, 'bounced, of the mail that was held back', 'start', 'quiet'),
    chartText(x(0.5), HEIGHT - 14, 'estimated', 'middle', 'quiet'),
    `<line class="even" x1="${x(0)}" x2="${x(1)}" y1="${y(0)}" y2="${y(1)}"/>`,
  );
  let top = TOP + 8;
  for (const [at, { name, bins }] of SERIES.entries()) {
    const style = CLASSES[at]!;
    // A little beside each other, where both have a dot.
    const aside = at * 5;
    for (const { estimated, bounced, n, low, high } of bins.values()) {
      if (n < FEWEST) continue;
      parts.push(whisker(style, x(estimated) + aside, y(low), y(high)));
      parts.push(dot(style, x(estimated) + aside, y(bounced / n)));
    }
    const { estimated, bounced, n, low, high } = bins.get(1)!;
    parts.push(
      dot(style, LEGEND, top),
      chartText(LEGEND + 14, top + 5, name, 'start'),
      chartText(LEGEND + 14, top + 25, `around 10 %: ${percent(estimated)} estimated,`, 'start', 'quiet'),
      chartText(
        LEGEND + 14,
        top + 43,
        `${percent(bounced / n)} bounced (${percent(low)}–${percent(high)})`,
        'start',
        'quiet',
      ),
    );
    top += 78;
  }
  parts.push(
    whisker('first', LEGEND, top - 10, top + 10),
    chartText(LEGEND + 14, top + 5, 'interval of what bounced, 95 %', 'start', 'quiet'),
    `<line class="even" x1="${LEGEND - 8}" x2="${LEGEND + 8}" y1="${top + 38}" y2="${top + 22}"/>`,
    chartText(LEGEND + 14, top + 35, 'both are the same', 'start', 'quiet'),
  );
  const label = SERIES.map(({ name, bins }) => `${name}: ${spoken(bins)}`).join('. ');
  return chartCard({ title: TITLE, label, height: HEIGHT, style: STYLE, parts });
}

function spoken(bins: ReadonlyMap<number, Bin>): string {
  const said = [...bins.values()].filter(({ n }) => n >= FEWEST);
  return said
    .map(({ estimated, bounced, n }) => `${percent(estimated)} estimated, ${percent(bounced / n)} bounced`)
    .join('; ');
}

function dot(style: string, cx: number, cy: number): string {
  return `<circle class="${style}" cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="4" stroke-width="2"/>`;
}

function whisker(style: string, at: number, from: number, to: number): string {
  const [cx, low, high] = [at, from, to].map((place) => place.toFixed(1));
  return `<path class="${style}" d="M ${cx} ${low} V ${high}" stroke-width="2"/>`;
}
