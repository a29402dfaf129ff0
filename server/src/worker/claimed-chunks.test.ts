import { expect, test } from 'vitest';
import { addresses } from '../../test/service.ts';
import { createClaimedChunks } from './claimed-chunks.ts';
import { HeldChunk } from './held-chunk.ts';

const EMAILS = JSON.stringify(addresses(250));

function hold(listId: number, n: number): HeldChunk {
  const claimed = { claim: { id: `${listId} ${n}`, retryCount: 0 }, job: { listId, n } };
  return new HeldChunk(claimed, { listId, n, size: 250, emails: EMAILS, results: null, owners: null }, 0);
}

function filledWith(count: number) {
  const claimedChunks = createClaimedChunks();
  const held = Array.from({ length: count }, (_, n) => hold(1, n));
  for (const one of held) claimedChunks.add(one);
  return { claimedChunks, held };
}

test('20,000 addresses are held, at most 40 chunks per claim', () => {
  expect(filledWith(0).claimedChunks.room()).toEqual({ limit: 40 });
  expect(filledWith(75).claimedChunks.room()).toEqual({ limit: 5 });
  expect(filledWith(79).claimedChunks.room()).toEqual({ limit: 1 });
});

test('a full node takes only work that ranks before the last it is asking about', () => {
  const { claimedChunks, held } = filledWith(80);
  expect(claimedChunks.room()).toEqual({ limit: 8, minRank: -78 });
  held[79]!.stop();
  expect(claimedChunks.room()).toEqual({ limit: 8, minRank: -77 });
  for (const one of held) one.stop();
  expect(claimedChunks.room()).toBeNull();
});

test('above 50,000 addresses the chunks that rank last are given up', () => {
  const { claimedChunks, held } = filledWith(200);
  expect(claimedChunks.tooMuch()).toEqual([]);
  claimedChunks.add(hold(2, 0));
  claimedChunks.add(hold(2, 1));
  expect(claimedChunks.tooMuch()).toEqual([held[199], held[198]]);
});

test('a dropped chunk makes room once, and its list is forgotten with its last chunk', () => {
  const { claimedChunks, held } = filledWith(80);
  claimedChunks.drop(held[0]!);
  claimedChunks.drop(held[0]!);
  expect([claimedChunks.size, claimedChunks.has(held[0]!), claimedChunks.has(held[1]!)]).toEqual([
    79,
    false,
    true,
  ]);
  expect(claimedChunks.room()).toEqual({ limit: 1 });
  for (const one of held) claimedChunks.drop(one);
  expect(claimedChunks.listIds()).toEqual([]);
});

test("a list that is over stops its own chunks and nobody else's", () => {
  const { claimedChunks, held } = filledWith(2);
  const other = hold(2, 0);
  claimedChunks.add(other);
  claimedChunks.stopList(1);
  expect([...held, other].map(({ isStopping }) => isStopping)).toEqual([true, true, false]);
});
