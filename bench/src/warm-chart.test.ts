import { expect, test } from 'vitest';
import { warmChart } from './warm-chart.ts';

const day = (asked: number, limit: number | null, heldBack: string | null = null) => ({
  asked,
  limit,
  heldBack,
});

test('a day is as high as what was asked on it, below the step of its limit, which ends with the warm-up', () => {
  const chart = warmChart('A month', [day(50, 50), day(100, 100), day(200, null)]);
  const bars = [...chart.matchAll(/class="first" [^>]* y="([\d.]+)" [^>]* height="([\d.]+)"/g)];
  const heights = bars.map(([, , height]) => Number(height));
  expect(heights[1]! / heights[0]!).toBeCloseTo(2, 1);
  expect(heights[2]! / heights[0]!).toBeCloseTo(4, 1);
  const steps = [.../ d="M ([^"]+)"/.exec(chart)![1]!.matchAll(/([\d.]+) H/g)].map(([, at]) => at);
  expect(steps).toEqual(bars.slice(0, 2).map(([, top]) => top));
});

test('a day that was held back says why', () => {
  const chart = warmChart('A month', [day(50, 50), day(50, 50, 'blocked')]);
  expect(chart.match(/<circle class="held"/g)).toHaveLength(1);
  expect(chart).toContain('>blocked<');
});
