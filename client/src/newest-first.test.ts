import { expect, test } from 'vitest';
import { everyOnce, newestFirst } from './newest-first.ts';

test('all pages are read, and what is made meanwhile makes nothing come twice', async () => {
  const ids = Array.from({ length: 2_500 }, (_, n) => 2_500 - n);
  const asked: number[] = [];
  const read = async ({ offset, limit }: { offset: number; limit: number }) => {
    asked.push(offset);
    const page = ids.slice(offset, offset + limit).map((id) => ({ id }));
    // Two more are there before the next page is asked for.
    ids.unshift(ids[0]! + 2, ids[0]! + 1);
    return page;
  };
  const seen: number[] = [];
  for await (const { id } of newestFirst(read, (entry) => entry.id)) seen.push(id);
  expect(seen).toEqual(Array.from({ length: 2_500 }, (_, n) => 2_500 - n));
  expect(asked).toEqual([0, 1_000, 2_000]);
});

test('of nothing, one page is asked for', async () => {
  let asked = 0;
  const all = newestFirst(async () => {
    asked += 1;
    return [];
  }, Number);
  expect(await all.next()).toEqual({ done: true, value: undefined });
  expect(asked).toBe(1);
});

test('in any order nothing comes twice either', async () => {
  const ids = Array.from({ length: 1_500 }, (_, n) => n);
  const read = async ({ offset, limit }: { offset: number; limit: number }) => {
    const page = ids.slice(offset, offset + limit);
    // One more is there before the next page is asked for.
    ids.unshift(ids[0]! - 1);
    return page;
  };
  expect(await Array.fromAsync(everyOnce(read, Number))).toEqual(Array.from({ length: 1_500 }, (_, n) => n));
});
