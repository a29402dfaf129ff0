import { afterAll, beforeAll, expect, test } from 'vitest';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { accepted } from '../../test/verdicts.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { findAccount } from '../store/accounts.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { deleteList } from './delete-list.ts';
import { openAccount } from './open-account.ts';
import { recordFindings } from './record-findings.ts';
import { submitList } from './submit-list.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  await service.close();
});

const unknown = { ...accepted, state: 'unknown', reason: 'no_connect', score: 0 } as const;

async function listOf(count: number, callbackUrl: string | null = null) {
  const { accountId } = await openAccount(service.db, THE_SERVICE, service.box, { name: 'a', credits: 100 });
  const submitted = await submitList(
    service.context,
    submission(accountId, addresses(count), { callbackUrl }),
  );
  if (submitted.kind !== 'created') throw new Error(submitted.kind);
  return { accountId, id: submitted.list.id };
}
const find = (listId: number, verdicts: readonly (typeof accepted | typeof unknown)[]) =>
  recordFindings(service.context, listId, [
    { n: 0, verdicts: new Map(verdicts.entries()), evidence: [], claimed: null, over: false, deferred: [] },
  ]);
const balance = async (accountId: number) => {
  const { credits, used, lists } = (await findAccount(service.db, accountId))!;
  return { credits, used, lists };
};

test('an unfinished list stops: unknown and never-checked addresses are refunded, and nothing is left but the ledger', async () => {
  const { accountId, id } = await listOf(5, 'https://b.test/');
  await find(id, [accepted, accepted, unknown]);
  expect(await deleteList(service.context, THE_SERVICE, id, accountId)).toBe(true);
  expect(await balance(accountId)).toEqual({ credits: 98, used: 2, lists: 0 });
  for (const table of ['lists WHERE id', 'chunks WHERE list_id', 'callbacks WHERE list_id'])
    expect(await service.db.query(`SELECT 1 FROM mxproof.${table} = $1`, [id])).toEqual([]);
  expect(
    await service.db.query('SELECT kind, amount FROM mxproof.ledger WHERE list_id = $1 ORDER BY id', [id]),
  ).toEqual([
    { kind: 'charge', amount: 5 },
    { kind: 'refund', amount: 3 },
  ]);
  expect(await find(id, [accepted])).toMatchObject({ list: 'gone' });
});

test('a finished list was settled when it finished', async () => {
  const { accountId, id } = await listOf(2);
  await find(id, [accepted, unknown]);
  expect(await balance(accountId)).toEqual({ credits: 99, used: 1, lists: 1 });
  expect(await deleteList(service.context, THE_SERVICE, id, accountId)).toBe(true);
  expect(await balance(accountId)).toEqual({ credits: 99, used: 1, lists: 0 });
});

test("another account's list, and one that is gone, are not there", async () => {
  const { accountId, id } = await listOf(2);
  expect(await deleteList(service.context, THE_SERVICE, id, accountId + 1)).toBe(false);
  expect(await balance(accountId)).toEqual({ credits: 98, used: 2, lists: 1 });
  expect(await deleteList(service.context, THE_SERVICE, 999_999, accountId)).toBe(false);
});

test('deleted ten times at once, a list is refunded once', async () => {
  const { accountId, id } = await listOf(5);
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => deleteList(service.context, THE_SERVICE, id, accountId)),
  );
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  expect(await balance(accountId)).toEqual({ credits: 100, used: 0, lists: 0 });
});

test('deleted while it finishes, a list is refunded once', async () => {
  for (let n = 0; n < 10; n++) {
    const { accountId, id } = await listOf(3);
    await Promise.all([
      find(id, [accepted, unknown, unknown]),
      deleteList(service.context, THE_SERVICE, id, accountId),
    ]);
    const { credits, used, lists } = await balance(accountId);
    expect([credits + used, lists]).toEqual([100, 0]);
    expect([0, 1]).toContain(used);
  }
});
