import { expect, test } from 'vitest';
import { rateChart } from './rate-chart.ts';

const bar = (name: string, perSecond: number) => ({ name, perSecond, isOurs: true });
const lengths = (chart: string) =>
  [...chart.matchAll(/<rect class="first" [^>]* width="([\d.]+)"/g)].map((found) => Number(found[1]));

test('a bar is as long as its figure, and every figure is printed', () => {
  const chart = rateChart('Rates', [bar('a', 30_000), bar('b', 15_000)]);
  const [a, b] = lengths(chart);
  expect(a! / b!).toBeCloseTo(2);
  expect(chart).toContain('>30,000<');
  expect(chart).toContain('>15,000<');
});

test('the slowest bar can still be seen', () => {
  expect(lengths(rateChart('Rates', [bar('a', 1_000_000), bar('b', 1)])).at(-1)).toBeGreaterThan(1);
});
