import { expect, test } from 'vitest';
import { percentText } from './percent.ts';

test.each([
  [0, '0 %'],
  [0.002484, '0.25 %'],
  [0.001751, '0.18 %'],
  [0.000001, '0.0001 %'],
  [0.0504, '5 %'],
  [0.0327, '3.3 %'],
  [0.0999, '10 %'],
  [0.1249, '12 %'],
  [1, '100 %'],
])('%d is %s', (share, text) => {
  expect(percentText(share)).toBe(text);
});
