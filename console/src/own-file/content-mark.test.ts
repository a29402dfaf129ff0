import { expect, test } from 'vitest';
import { contentMark } from './content-mark.ts';

const FILE = 'email\nann@example.com\nbob@example.com\n';

test('equal bytes have equal marks, however they were put together', async () => {
  const whole = await contentMark(new Blob([FILE]));
  expect(await contentMark(new Blob([FILE.slice(0, 7), FILE.slice(7)]))).toBe(whole);
  expect(whole).toMatch(/^38-[0-9a-f]{16}$/);
});

test('no change of a byte goes unnoticed, nor of the order of two', async () => {
  const marks = new Set([await contentMark(new Blob([FILE]))]);
  for (let at = 0; at < FILE.length; at += 1) {
    const changed = `${FILE.slice(0, at)}#${FILE.slice(at + 1)}`;
    marks.add(await contentMark(new Blob([changed])));
  }
  marks.add(await contentMark(new Blob([FILE.replace('ann@example.com\nbob', 'bob@example.com\nann')])));
  expect(marks.size).toBe(FILE.length + 2);
});
