import { expect, test } from 'vitest';
import { progressBar, progressLine } from './clean-progress.ts';

const counts = { deliverable: 1_000, risky: 100, undeliverable: 130, unknown: 4 };
const found = '1,000 deliverable, 100 risky, 130 undeliverable, 4 unknown';

test.each([
  ['at first', 1_234, 4_812, 500, 1_234, `1,234 of 4,812 checked: ${found}`],
  ['later', 1_234, 4_812, 4_000, 1_200, `1,234 of 4,812 checked, 300/s, about 12 s left: ${found}`],
  ['slowly', 1_234, 4_812, 60_000, 60, `1,234 of 4,812 checked, 1/s, about 60 min left: ${found}`],
  ['for hours', 1_234, 40_000, 60_000, 60, `1,234 of 40,000 checked, 1/s, about 10 h 47 min left: ${found}`],
  ['at the end', 1_234, 1_234, 4_000, 1_200, `1,234 of 1,234 checked: ${found}`],
])('%s the line says how far, how fast and how long', (_, checked, total, elapsedMs, since, line) => {
  expect(progressLine({ checked, counts }, total, elapsedMs, since)).toBe(line);
});

test.each([
  [140, `[██████                  ] 1,234 of 4,812 checked, 300/s, about 12 s left: ${found}`],
  [80, '[██████                  ] 1,234 of 4,812 checked, 300/s, about 12 s left'],
  [60, '1,234 of 4,812 checked, 300/s, about 12 s left'],
  [20, '1,234 of 4,812 chec'],
])('on %i columns the bar keeps to one line, and leaves out whole parts', (columns, line) => {
  expect(progressBar({ checked: 1_234, counts }, 4_812, 4_000, 1_200, columns)).toBe(line);
});
