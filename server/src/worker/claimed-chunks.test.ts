import { expect, test } from 'vitest';
import { addresses } from '../../test/service.ts';
import { SINGLE_RANK } from '../rules/fair-rank.ts';
import { createClaimedChunks } from './claimed-chunks.ts';
import { HeldChunk } from './held-chunk.ts';

const EMAILS = JSON.stringify(addresses(250));

function hold(listId: number, n: number, { accountId = 1, size = 250, single = false } = {}): HeldChunk {
  const job = { listId, accountId, n, ...(single && { single }) };
  const claimed = { claim: { jobId: listId * 1_000 + n, number: 1 }, job };
  return new HeldChunk(
    claimed,
    { listId, accountId, n, size, emails: EMAILS, results: null, owners: null, testName: null },
    0,
  );
}

/** Lists of one address each. */
function tinyLists(count: number, accountId: number): HeldChunk[] {
  return Array.from({ length: count }, (_, index) =>
    hold(1_000 * accountId + index, 0, { accountId, size: 1 }),
  );
}

const minRanks = (claimedChunks: ReturnType<typeof createClaimedChunks>) =>
  Object.fromEntries(claimedChunks.room()!.accounts.map(({ accountId, minRank }) => [accountId, minRank]));

function filledWith(count: number) {
  const claimedChunks = createClaimedChunks();
  const held = Array.from({ length: count }, (_, n) => hold(1, n));
  for (const one of held) claimedChunks.add(one);
  return { claimedChunks, held };
}

test('20,000 addresses are held, at most 40 chunks per claim', () => {
  expect(filledWith(0).claimedChunks.room()).toEqual({ limit: 40, accounts: [] });
  expect(filledWith(75).claimedChunks.room()).toMatchObject({
    limit: 5,
    accounts: [{ lists: 75, minRank: null }],
  });
  expect(filledWith(79).claimedChunks.room()).toMatchObject({ limit: 1 });
});

test('a full node takes only work that ranks before the last it is asking about', () => {
  const { claimedChunks, held } = filledWith(80);
  expect(claimedChunks.room()).toMatchObject({ limit: 8, accounts: [{ minRank: -78 }] });
  held[79]!.stop();
  expect(claimedChunks.room()).toMatchObject({ limit: 8, accounts: [{ minRank: -77 }] });
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
  expect(claimedChunks.size).toBe(79);
  expect(claimedChunks.ofList(held[0]!.listId)).toEqual(held.slice(1));
  expect(claimedChunks.room()).toMatchObject({ limit: 1 });
  for (const one of held) claimedChunks.drop(one);
  expect(claimedChunks.listIds()).toEqual([]);
});

test("a list that is over stops its own chunks and no other list's", () => {
  const { claimedChunks, held } = filledWith(2);
  const other = hold(2, 0);
  claimedChunks.add(other);
  claimedChunks.stopList(1);
  expect([...held, other].map(({ isStopping }) => isStopping)).toEqual([true, true, false]);
});

test('2,000 claims of one account keep no other account out, and it has no more until the others have their share', () => {
  const claimedChunks = createClaimedChunks();
  const greedy = tinyLists(2_000, 1);
  for (const held of greedy) claimedChunks.add(held);
  // Accounts that are not named may have anything; this one's single checks have a place of their own.
  expect(claimedChunks.room()).toMatchObject({
    limit: 8,
    accounts: [{ accountId: 1, minRank: SINGLE_RANK }],
  });
  const modest = tinyLists(8, 2);
  for (const held of modest) claimedChunks.add(held);
  expect(minRanks(claimedChunks)).toEqual({ 1: SINGLE_RANK, 2: null });
  const given = claimedChunks.tooMuch();
  expect(given).toHaveLength(8);
  expect(given.every(({ accountId }) => accountId === 1)).toBe(true);
  for (const held of given) held.stop();
  expect(claimedChunks.tooMuch()).toEqual([]);
  expect(claimedChunks.size).toBe(2_008);
});

test('a node that holds 20,000 addresses of one account takes chunks of another up to an equal share', () => {
  const { claimedChunks } = filledWith(80);
  for (let n = 0; n < 39; n++) claimedChunks.add(hold(2, n, { accountId: 2 }));
  expect(minRanks(claimedChunks)).toEqual({ 1: -78, 2: null });
  claimedChunks.add(hold(2, 39, { accountId: 2 }));
  expect(minRanks(claimedChunks)).toEqual({ 1: -78, 2: -38 });
});

test('above 50,000 addresses it is the account that holds most that gives up its last chunks', () => {
  const { claimedChunks, held } = filledWith(150);
  for (let n = 0; n < 52; n++) claimedChunks.add(hold(2, n + 1_000, { accountId: 2 }));
  expect(claimedChunks.tooMuch()).toEqual([held[149], held[148]]);
});

test('claims that wait for a mail server after they were told to stop are bounded too', () => {
  const claimedChunks = createClaimedChunks();
  for (const held of tinyLists(2_000, 1)) claimedChunks.add(held);
  for (const held of claimedChunks.all()) held.stop();
  expect(claimedChunks.room()).toBeNull();
  for (const held of tinyLists(1_999, 2)) claimedChunks.add(held);
  expect(claimedChunks.room()).not.toBeNull();
  claimedChunks.add(hold(9, 0, { accountId: 3 }));
  expect(claimedChunks.room()).toBeNull();
});
