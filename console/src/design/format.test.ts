import { expect, test } from 'vitest';
import { formatSize } from './format.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [78, '78 bytes'],
  [1_500, '1.5 kB'],
  [12_345_678, '12.3 MB'],
])('%d bytes are written as %s', (bytes, written) => {
  expect(formatSize(bytes)).toBe(written);
});
