import { expect, test } from 'vitest';
import { barLine } from './progress.ts';

test.each([
  [80, '[███████████████               ] 500 of 1000 20/s'],
  [40, '[██████████          ] 500 of 1000 20/s'],
  [26, '[███   ] 500 of 1000 20/s'],
  [22, '500 of 1000 20/s'],
  [10, '500 of 10'],
])('on %i columns the bar keeps to one line', (columns, line) => {
  expect(barLine(500, 1_000, 20, columns)).toBe(line);
  expect(line.length).toBeLessThan(columns);
});

test('without a total only the count is shown', () => {
  expect(barLine(7, null, 3, 80)).toBe('7 checked 3/s');
});
