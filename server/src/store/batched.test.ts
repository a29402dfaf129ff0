import { expect, test } from 'vitest';
import { batched } from './batched.ts';

const settled = (calls: Promise<number>[]) =>
  Promise.allSettled(calls).then((all) =>
    all.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message)),
  );

test('a call with a defect fails alone, and those that shared its statement get their answers', async () => {
  const together: number[] = [];
  const half = batched<number, number>(10, async (inputs) => {
    together.push(inputs.length);
    if (inputs.includes(3)) throw new SyntaxError('three');
    return inputs.map((input) => input / 2);
  });
  expect(await settled([1, 2, 3, 4].map(half))).toEqual([0.5, 1, 'three', 2]);
  expect(together).toEqual([4, 1, 1, 1, 1]);
});

test('a database that does not answer is asked once for all of them', async () => {
  let asked = 0;
  const ask = batched<number, number>(10, async () => {
    asked++;
    throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  });
  expect(await settled([1, 2, 3].map(ask))).toEqual(['gone', 'gone', 'gone']);
  expect(asked).toBe(1);
});
