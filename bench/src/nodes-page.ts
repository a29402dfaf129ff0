// Writes what several nodes were seen to do into docs/guide/scaling.md, with its picture, from bench/results/nodes.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { fill, GUIDE } from './fill.ts';
import { nodesChart } from './nodes-chart.ts';
import { type NodesFigures, nodesTables } from './nodes-report.ts';

const FIGURES = new URL('../results/nodes.json', import.meta.url);
const TITLE = 'Addresses per second by number of nodes; dashed: so many times one node';

export function keepNodesFigures(figures: NodesFigures): void {
  writeFileSync(FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
}

export function fillNodesPage(): void {
  const figures = JSON.parse(readFileSync(FIGURES, 'utf8')) as NodesFigures;
  const points = figures.points.map(({ nodes, span }) => ({
    nodes,
    perSecond: span.checked / span.seconds,
    cores: span.cpu.postgres / span.seconds,
  }));
  writeFileSync(new URL('nodes.svg', GUIDE), nodesChart(TITLE, points));
  const picture = '![Addresses per second by number of nodes](nodes.svg)';
  fill('scaling.md', 'nodes', `${picture}\n\n${nodesTables(figures)}`);
}
