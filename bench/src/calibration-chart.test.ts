import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawCalibration, SERIES } from './calibration-chart.ts';
import { GUIDE } from './fill.ts';

test('the picture of the guide is what the estimate gives: node bench/src/calibration.ts draws it anew', () => {
  expect(readFileSync(new URL('calibration.svg', GUIDE), 'utf8')).toBe(drawCalibration());
});

test('where domains differ, what bounced is as estimated within its interval, but for one tenth of nine at most', () => {
  const { bins } = SERIES[0]!;
  expect(bins.size).toBe(9);
  const outside = [...bins.values()].filter(
    ({ estimated, low, high }) => estimated < low || estimated > high,
  );
  expect(outside.length).toBeLessThanOrEqual(1);
  expect(outside).not.toContain(bins.get(1));
});
