import { expect, test } from 'vitest';
import { addresses } from '../../test/service.ts';
import { SINGLE_RANK } from '../rules/fair-rank.ts';
import { ClaimedChunk } from './claimed-chunk.ts';
import { createClaimedChunks } from './claimed-chunks.ts';

const EMAILS = JSON.stringify(addresses(250));

function chunkOf(
  listId: number,
  n: number,
  { accountId = 1, size = 250, single = false } = {},
): ClaimedChunk {
  const job = { listId, accountId, n, ...(single && { single }) };
  const claimed = { claim: { jobId: listId * 1_000 + n, number: 1 }, job };
  return new ClaimedChunk(
    claimed,
    {
      listId,
      accountId,
      n,
      size,
      emails: EMAILS,
      results: null,
      owners: null,
      testName: null,
      isPaused: false,
    },
    0,
  );
}

/** Lists of one address each. */
function tinyLists(count: number, accountId: number): ClaimedChunk[] {
  return Array.from({ length: count }, (_, index) =>
    chunkOf(1_000 * accountId + index, 0, { accountId, size: 1 }),
  );
}

const minRanks = (claimedChunks: ReturnType<typeof createClaimedChunks>) =>
  Object.fromEntries(claimedChunks.room()!.accounts.map(({ accountId, minRank }) => [accountId, minRank]));

function filledWith(count: number) {
  const claimedChunks = createClaimedChunks();
  const chunks = Array.from({ length: count }, (_, n) => chunkOf(1, n));
  for (const one of chunks) claimedChunks.add(one);
  return { claimedChunks, chunks };
}

test('20,000 addresses are claimed, at most 40 chunks per claim', () => {
  expect(filledWith(0).claimedChunks.room()).toEqual({ limit: 40, accounts: [] });
  expect(filledWith(75).claimedChunks.room()).toMatchObject({
    limit: 5,
    accounts: [{ lists: 75, minRank: null }],
  });
  expect(filledWith(79).claimedChunks.room()).toMatchObject({ limit: 1 });
});

test('a full node takes only work that ranks before the last it is asking about', () => {
  const { claimedChunks, chunks } = filledWith(80);
  expect(claimedChunks.room()).toMatchObject({ limit: 8, accounts: [{ minRank: -78 }] });
  chunks[79]!.stop();
  expect(claimedChunks.room()).toMatchObject({ limit: 8, accounts: [{ minRank: -77 }] });
  for (const one of chunks) one.stop();
  expect(claimedChunks.room()).toBeNull();
});

test('above 50,000 addresses the chunks that rank last are given up', () => {
  const { claimedChunks, chunks } = filledWith(200);
  expect(claimedChunks.tooMuch()).toEqual([]);
  claimedChunks.add(chunkOf(2, 0));
  claimedChunks.add(chunkOf(2, 1));
  expect(claimedChunks.tooMuch()).toEqual([chunks[199], chunks[198]]);
});

test('a dropped chunk makes room once, and its list is forgotten with its last chunk', () => {
  const { claimedChunks, chunks } = filledWith(80);
  claimedChunks.drop(chunks[0]!);
  claimedChunks.drop(chunks[0]!);
  expect(claimedChunks.size).toBe(79);
  expect(claimedChunks.ofList(chunks[0]!.listId)).toEqual(chunks.slice(1));
  expect(claimedChunks.room()).toMatchObject({ limit: 1 });
  for (const one of chunks) claimedChunks.drop(one);
  expect(claimedChunks.listIds()).toEqual([]);
});

test("a list that is over stops its own chunks and no other list's", () => {
  const { claimedChunks, chunks } = filledWith(2);
  const other = chunkOf(2, 0);
  claimedChunks.add(other);
  claimedChunks.stopList(1);
  expect([...chunks, other].map(({ isStopping }) => isStopping)).toEqual([true, true, false]);
});

test('2,000 claims of one account keep no other account out, and it has no more until the others have their share', () => {
  const claimedChunks = createClaimedChunks();
  const greedy = tinyLists(2_000, 1);
  for (const chunk of greedy) claimedChunks.add(chunk);
  // Accounts that are not named may have anything; this one's single checks have a place of their own.
  expect(claimedChunks.room()).toMatchObject({
    limit: 8,
    accounts: [{ accountId: 1, minRank: SINGLE_RANK }],
  });
  const modest = tinyLists(8, 2);
  for (const chunk of modest) claimedChunks.add(chunk);
  expect(minRanks(claimedChunks)).toEqual({ 1: SINGLE_RANK, 2: null });
  const given = claimedChunks.tooMuch();
  expect(given).toHaveLength(8);
  expect(given.every(({ accountId }) => accountId === 1)).toBe(true);
  for (const chunk of given) chunk.stop();
  expect(claimedChunks.tooMuch()).toEqual([]);
  expect(claimedChunks.size).toBe(2_008);
});

test('a node that holds 20,000 addresses of one account takes chunks of another up to an equal share', () => {
  const { claimedChunks } = filledWith(80);
  for (let n = 0; n < 39; n++) claimedChunks.add(chunkOf(2, n, { accountId: 2 }));
  expect(minRanks(claimedChunks)).toEqual({ 1: -78, 2: null });
  claimedChunks.add(chunkOf(2, 39, { accountId: 2 }));
  expect(minRanks(claimedChunks)).toEqual({ 1: -78, 2: -38 });
});

test('above 50,000 addresses it is the account that holds most that gives up its last chunks', () => {
  const { claimedChunks, chunks } = filledWith(150);
  for (let n = 0; n < 52; n++) claimedChunks.add(chunkOf(2, n + 1_000, { accountId: 2 }));
  expect(claimedChunks.tooMuch()).toEqual([chunks[149], chunks[148]]);
});

test('claims that wait for a mail server after they were told to stop are bounded too', () => {
  const claimedChunks = createClaimedChunks();
  for (const chunk of tinyLists(2_000, 1)) claimedChunks.add(chunk);
  for (const chunk of claimedChunks.all()) chunk.stop();
  expect(claimedChunks.room()).toBeNull();
  for (const chunk of tinyLists(1_999, 2)) claimedChunks.add(chunk);
  expect(claimedChunks.room()).not.toBeNull();
  claimedChunks.add(chunkOf(9, 0, { accountId: 3 }));
  expect(claimedChunks.room()).toBeNull();
});
