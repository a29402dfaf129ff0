// How likely mail bounces, as estimated, against mail of a simulated account that was held back. Promise: the same every time; it
// writes docs/guide/calibration.svg and prints its figures.
//   node scripts/with-node.mjs node bench/src/calibration.ts
import { writeFileSync } from 'node:fs';
import { drawCalibration, SERIES } from './calibration-chart.ts';
import { GUIDE } from './fill.ts';

for (const { name, bins } of SERIES) {
  console.log(name);
  console.table([...bins.values()].map(({ bounced, n, ...bin }) => ({ n, bounced: bounced / n, ...bin })));
}
writeFileSync(new URL('calibration.svg', GUIDE), drawCalibration());
