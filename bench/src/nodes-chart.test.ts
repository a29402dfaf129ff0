import { expect, test } from 'vitest';
import { nodesChart } from './nodes-chart.ts';

test('what scales lies on the dashed line, what does not lies below it', () => {
  const chart = nodesChart('Nodes', [
    { nodes: 1, perSecond: 100, cores: 0.1 },
    { nodes: 2, perSecond: 200, cores: 0.2 },
    { nodes: 4, perSecond: 300, cores: 0.3 },
  ]);
  const [, fromX, fromY, toX, toY] = /class="ideal" d="M ([\d.]+) ([\d.]+) L ([\d.]+) ([\d.]+)"/
    .exec(chart)!
    .map(Number) as [number, number, number, number, number];
  const above = [...chart.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => {
    const line = fromY + ((Number(x) - fromX) / (toX - fromX)) * (toY - fromY);
    return Math.round(Number(y) - line);
  });
  expect(above.slice(0, 2)).toEqual([0, 0]);
  expect(above[2]).toBeGreaterThan(20);
});
