// Whose job is next.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../test/service.ts';
import type { AccountClaims } from './claim-jobs.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const GREEDY = 1;
const MODEST = 2;

/** Lists of one chunk unless told, single checks without their delay. */
async function enqueue(
  accountId: number,
  listIds: readonly number[],
  { chunkCount = 1, single = false } = {},
): Promise<void> {
  const { db, context } = service;
  await db.transaction((tx) =>
    context.jobs.enqueueLists(
      tx,
      listIds.map((listId) => ({ listId, accountId, chunkCount, single })),
    ),
  );
  await db.query('UPDATE mxproof.jobs SET due_at = now()');
}

async function claim(limit: number, accounts: readonly AccountClaims[] = []): Promise<string[]> {
  const claimed = await service.context.jobs.claimChunks({ limit, accounts, notFrom: [] });
  return claimed.map(({ job }) => `${job.listId}/${job.n}`).sort();
}

const range = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

test('a list of another account goes before the second of one that has thousands', async () => {
  await enqueue(GREEDY, range(1, 300));
  await enqueue(MODEST, [1000], { chunkCount: 3 });
  expect(await claim(2)).toEqual(['1/0', '1000/0']);
  expect(await claim(4)).toEqual(['1000/1', '1000/2', '2/0', '3/0']);
  expect(await claim(3)).toEqual(['4/0', '5/0', '6/0']);
});

test('the account that holds least is next', async () => {
  await enqueue(GREEDY, range(1, 10));
  await enqueue(MODEST, [1000], { chunkCount: 9 });
  const held = { accountId: GREEDY, lists: 5, singles: 0, minRank: null };
  expect(await claim(5, [held])).toEqual(['1000/0', '1000/1', '1000/2', '1000/3', '1000/4']);
});

test('callbacks are shared by the same rule', async () => {
  const { db, context } = service;
  const enqueueCallback = (accountId: number, listId: number) =>
    db.transaction((tx) =>
      context.jobs.enqueueCallback(tx, { listId, accountId, receiver: `receiver ${listId}` }, 0),
    );
  for (const listId of range(1, 10)) await enqueueCallback(GREEDY, listId);
  await enqueueCallback(MODEST, 1000);
  const claimed = await context.jobs.claimCallbacks({ limit: 2, notFor: [] });
  expect(claimed.map(({ job }) => job.listId).sort()).toEqual([1, 1000]);
});

test('with one account the order is that of its lists: every first chunk before any second', async () => {
  await enqueue(GREEDY, [1], { chunkCount: 400 });
  await enqueue(GREEDY, [2, 3]);
  expect(await claim(3)).toEqual(['1/0', '2/0', '3/0']);
  expect(await claim(2)).toEqual(['1/1', '1/2']);
});

test('single checks go before lists, and the accounts take turns among them too', async () => {
  await enqueue(GREEDY, range(1, 20), { single: true });
  await enqueue(MODEST, [1000]);
  await enqueue(MODEST, [1001], { single: true });
  expect(await claim(2)).toEqual(['1/0', '1001/0']);
  expect(await claim(20)).toContain('1000/0');
});

test('only what ranks high enough is taken of an account that has enough', async () => {
  await enqueue(GREEDY, [1], { chunkCount: 5 });
  await enqueue(MODEST, [1000], { chunkCount: 3 });
  const held = { accountId: GREEDY, lists: 1, singles: 0, minRank: -1 };
  expect(await claim(9, [held])).toEqual(['1/0', '1/1', '1000/0', '1000/1', '1000/2']);
});

test('a hundred accounts that hold unequally fill every place, those with least first', async () => {
  for (const accountId of range(1, 100)) await enqueue(accountId, [accountId], { chunkCount: 3 });
  const accounts = range(1, 99).map((accountId) => ({ accountId, lists: 7, singles: 0, minRank: null }));
  const claimed = await claim(40, accounts);
  expect(claimed).toHaveLength(40);
  expect(claimed.filter((place) => place.startsWith('100/'))).toEqual(['100/0', '100/1', '100/2']);
});

test('nodes that claim at the same moment get different jobs, and what is left waits for the next', async () => {
  await enqueue(GREEDY, range(1, 40));
  const claims = await Promise.all(Array.from({ length: 4 }, () => claim(10)));
  const all = claims.flat();
  expect(new Set(all).size).toBe(all.length);
  const rest = await claim(40);
  expect(new Set([...all, ...rest]).size).toBe(40);
});
