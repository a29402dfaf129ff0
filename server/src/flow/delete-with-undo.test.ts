import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockWaits } from '../../test/lock-waits.ts';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { accepted } from '../../test/verdicts.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { findAccount } from '../store/accounts.ts';
import { removeDeletedLists, restoreList } from '../store/deleted-lists.ts';
import { findList, findLists, lockList } from '../store/lists.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { deleteList } from './delete-list.ts';
import { deleteWithUndo, undeleteList } from './delete-with-undo.ts';
import { recordFindings } from './record-findings.ts';

const ADDRESSES = 600;
const CHUNKS = 3;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  await service.close();
});

async function finishedList(): Promise<number> {
  const { id } = await service.submit(addresses(ADDRESSES));
  const findings = [250, 250, 100].map((size, n) => ({
    n,
    verdicts: new Map(Array.from({ length: size }, (_, position) => [position, accepted] as const)),
    evidence: [Buffer.from('why')],
    claimed: null,
    over: false,
    deferred: [],
  }));
  await recordFindings(service.context, id, findings);
  return id;
}

async function deletedList(): Promise<number> {
  const id = await finishedList();
  expect(await deleteWithUndo(service.context, THE_SERVICE, id, service.accountId, 3_600)).toBe('deleted');
  return id;
}

/** Its undo ends now: for a transaction that has begun it is not over, for the next one it is. */
const endUndoNow = (id: number) =>
  service.db.query(
    'UPDATE mxproof.lists SET remove_at = clock_timestamp() WHERE id = $1 AND remove_at > now()',
    [id],
  );

const rowsOf = async (id: number) => {
  const [row] = await service.db.query<Record<string, number>>(
    `SELECT (SELECT count(*) FROM mxproof.lists WHERE id = $1) AS lists,
            (SELECT count(*) FROM mxproof.chunks WHERE list_id = $1) AS chunks,
            (SELECT count(*) FROM mxproof.evidence WHERE list_id = $1) AS evidence`,
    [id],
  );
  return row;
};
const WHOLE = { lists: 1, chunks: CHUNKS, evidence: CHUNKS };
const NOTHING = { lists: 0, chunks: 0, evidence: 0 };
const listCount = async () => (await findAccount(service.db, service.accountId))!.lists;

/** Until another statement waits for a lock. */
const someoneWaits = () => until(async () => expect(await lockWaits(service.db)).toBe(1));

test('a hidden list is gone for everything that looks by its id', async () => {
  const id = await deletedList();
  expect(await findLists(service.db, [id])).toEqual(new Map());
  expect(await service.db.transaction((tx) => lockList(tx, id))).toBeNull();
  expect(await deleteList(service.context, THE_SERVICE, id, service.accountId)).toBe(false);
  expect(await rowsOf(id)).toEqual(WHOLE);
  await undeleteList(service.context, THE_SERVICE, id, service.accountId);
});

test('brought back while the sweep is about to remove it, a list is back whole', async () => {
  const id = await deletedList();
  const before = await listCount();
  let sweep: Promise<unknown> = Promise.resolve();
  await service.db.transaction(async (tx) => {
    await endUndoNow(id);
    await restoreList(tx, id, service.accountId);
    sweep = removeDeletedLists(service.db, [id]);
    await someoneWaits();
  });
  await sweep;
  expect(await rowsOf(id)).toEqual(WHOLE);
  expect(await findList(service.db, id, service.accountId)).toMatchObject({ id, checked: ADDRESSES });
  expect(await listCount()).toBe(before + 1);
});

test('deleted anew while the sweep is about to remove it, a list has its whole undo', async () => {
  const id = await deletedList();
  let sweep: Promise<unknown> = Promise.resolve();
  await service.db.transaction(async (tx) => {
    await endUndoNow(id);
    await tx.query(`UPDATE mxproof.lists SET remove_at = now() + interval '1 hour' WHERE id = $1`, [id]);
    sweep = removeDeletedLists(service.db, [id]);
    await someoneWaits();
  });
  await sweep;
  expect(await undeleteList(service.context, THE_SERVICE, id, service.accountId)).toMatchObject({ id });
});

test('asked for while the sweep removes it, a list is gone whole', async () => {
  const id = await deletedList();
  const before = await listCount();
  const asked = service.db.transaction(async (tx) => {
    await endUndoNow(id);
    let restored = Promise.resolve(false);
    await service.db.transaction(async (sweeping) => {
      await removeDeletedLists(sweeping, [id]);
      restored = restoreList(tx, id, service.accountId);
      await someoneWaits();
    });
    expect(await restored).toBe(false);
    return findList(tx, id, service.accountId);
  });
  expect(await asked).toBeNull();
  expect(await rowsOf(id)).toEqual(NOTHING);
  expect(await listCount()).toBe(before);
});

test('however an undo and the sweep meet, the list is back whole or gone whole, and counted as it is', async () => {
  for (let round = 0; round < 20; round++) {
    const id = await deletedList();
    const before = await listCount();
    const [back] = await Promise.all([
      undeleteList(service.context, THE_SERVICE, id, service.accountId),
      endUndoNow(id).then(() => removeDeletedLists(service.db, [id])),
    ]);
    expect(await listCount()).toBe(back ? before + 1 : before);
    expect(await rowsOf(id)).toEqual(back ? WHOLE : NOTHING);
  }
});

test('deleted ten times at once, a list is deleted once', async () => {
  const id = await finishedList();
  const before = await listCount();
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => deleteWithUndo(service.context, THE_SERVICE, id, service.accountId, 60)),
  );
  expect(outcomes.filter((outcome) => outcome === 'deleted')).toHaveLength(1);
  expect(await listCount()).toBe(before - 1);
});
