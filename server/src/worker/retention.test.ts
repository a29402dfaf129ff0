import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { addresses, quiet, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { deleteWithUndo } from '../flow/delete-with-undo.ts';
import { NOTHING_EXPIRES, type Retention } from '../rules/retention.ts';
import { findTestTwin, insertTestTwin } from '../store/accounts.ts';
import { insertCallback } from '../store/callbacks.ts';
import { restoreList } from '../store/deleted-lists.ts';
import { dueRetentions, expireStep, setRetention } from '../store/retention.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { startRetention } from './retention.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const THIRTY: Retention = { results: 30, evidence: 30, callbacks: 30, single_checks: 30 };

/** Everything that is due, without the pauses. */
async function expireAll(kept: Retention): Promise<void> {
  for (const due of await dueRetentions(service.db, kept)) while ((await expireStep(service.db, due)).more);
}

/** A list that ended so many days ago, with a callback that was delivered. */
async function ended(daysAgo: number, emails: readonly string[], single = false): Promise<number> {
  const { id, accountId } = await service.submit(emails, { single, callbackUrl: single ? null : 'https://a.test/' });
  await service.done(id);
  await service.db.query(
    `UPDATE mxproof.lists SET finished_at = now() - make_interval(days => $2), created_at = now() - make_interval(days => $2)
     WHERE id = $1`,
    [id, daysAgo],
  );
  await service.db.query('DELETE FROM mxproof.callbacks WHERE list_id = $1', [id]);
  if (!single) {
    await insertCallback(service.db, { listId: id, accountId, url: 'https://a.test/', body: '{}' });
    await service.db.query(`UPDATE mxproof.callbacks SET state = 'delivered' WHERE list_id = $1`, [id]);
  }
  return id;
}

/** What there is of a list. */
async function left(id: number): Promise<string> {
  const [row] = await service.db.query<Record<string, boolean>>(
    `SELECT EXISTS (SELECT FROM mxproof.chunks WHERE list_id = l.id) AS results,
            EXISTS (SELECT FROM mxproof.evidence WHERE list_id = l.id) AS evidence,
            EXISTS (SELECT FROM mxproof.callbacks WHERE list_id = l.id) AS callback,
            results_expired_at IS NOT NULL AS told FROM mxproof.lists l WHERE id = $1`,
    [id],
  );
  return Object.keys(row!)
    .filter((name) => row![name])
    .join(' ');
}

test('each kind goes when its days are over, money and summaries stay', async () => {
  await service.node(createFakeChecker());
  const old = await ended(31, [...addresses(300), ...addresses(20, 'unknown')]);
  const single = await ended(31, ['one@example.com'], true);
  const young = await ended(29, addresses(2));
  const before = await service.list(old);
  await expireAll(NOTHING_EXPIRES);
  expect(await left(old)).toBe('results evidence callback');

  await expireAll({ ...NOTHING_EXPIRES, evidence: 30 });
  expect([await left(old), await left(single), await left(young)]).toEqual([
    'results callback',
    'results',
    'results evidence callback',
  ]);
  await expireAll({ ...NOTHING_EXPIRES, callbacks: 30 });
  expect(await left(old)).toBe('results');
  await expireAll({ ...NOTHING_EXPIRES, results: 30 });
  expect([await left(old), await left(single)]).toEqual(['told', 'results']);
  await expireAll({ ...NOTHING_EXPIRES, single_checks: 30 });
  expect([await left(single), await left(young)]).toEqual(['told', 'results evidence callback']);

  expect(await service.list(old)).toEqual(before);
  expect(await verifyLedger(service.db)).toEqual({ accounts: 1, lists: 3, differences: [] });
  // It would still find what does not agree.
  await service.db.query('UPDATE mxproof.lists SET unknown = unknown - 1, checked = checked - 1 WHERE id = $1', [old]);
  expect((await verifyLedger(service.db)).differences.map(({ what }) => what)).toEqual([]);
});

test('an account keeps its data as long as it says, and its test lists with it', async () => {
  await service.node(createFakeChecker());
  const { db, accountId } = service;
  const list = await ended(10, addresses(2));
  await setRetention(db, accountId, { ...NOTHING_EXPIRES, results: 11 });
  await expireAll({ ...NOTHING_EXPIRES, results: 1 });
  expect(await left(list)).toBe('results evidence callback');
  await setRetention(db, accountId, { ...NOTHING_EXPIRES, results: 5, callbacks: 5 });
  await expireAll(NOTHING_EXPIRES);
  expect(await left(list)).toBe('told');

  const twin = (await insertTestTwin(db, accountId)) ?? (await findTestTwin(db, accountId))!;
  const tested = await ended(6, addresses(2));
  await db.query('UPDATE mxproof.lists SET account_id = $2 WHERE id = $1', [tested, twin]);
  await expireAll(NOTHING_EXPIRES);
  expect(await left(tested)).toBe('told');
});

test('a callback that is still to be sent stays until it was', async () => {
  await service.node(createFakeChecker());
  const { db } = service;
  const first = await ended(40, addresses(1));
  const pending = await ended(39, addresses(1));
  const last = await ended(38, addresses(1));
  await db.query(`UPDATE mxproof.callbacks SET state = 'pending' WHERE list_id = $1`, [pending]);
  const kept = { ...NOTHING_EXPIRES, callbacks: 30 };
  await expireAll(kept);
  expect(await Promise.all([first, pending, last].map(left))).toEqual([
    'results evidence',
    'results evidence callback',
    'results evidence callback',
  ]);
  await db.query(`UPDATE mxproof.callbacks SET state = 'failed' WHERE list_id = $1`, [pending]);
  await expireAll(kept);
  expect(await Promise.all([pending, last].map(left))).toEqual(['results evidence', 'results evidence']);
});

test('a deleted list expires before it is brought back', async () => {
  await service.node(createFakeChecker());
  const list = await ended(31, addresses(2));
  await deleteWithUndo(service.context, list, service.accountId, 3_600);
  await expireAll(THIRTY);
  await restoreList(service.db, list, service.accountId);
  expect(await left(list)).toBe('told');
});

test('the service expires by itself, in steps, whatever lists ended in the same moment', async () => {
  await service.node(createFakeChecker({ width: 1_000 }));
  const { db } = service;
  const { id } = await service.submit(addresses(1), { single: true });
  await service.done(id);
  // More than a step takes, all of them with one end.
  await db.query(
    `WITH copies AS (
       INSERT INTO mxproof.lists (account_id, single, name_json, status, total, duplicates_removed, checked, deliverable, finished_at)
       SELECT account_id, single, name_json, status, total, 0, checked, deliverable, now() - interval '2 days'
       FROM mxproof.lists, generate_series(1, 1200) WHERE id = $1 RETURNING id)
     INSERT INTO mxproof.chunks (list_id, n, size, emails, results)
     SELECT copies.id, n, size, emails, results FROM mxproof.chunks, copies WHERE list_id = $1`,
    [id],
  );
  const sweep = startRetention({ db, retention: { ...NOTHING_EXPIRES, single_checks: 1 }, log: quiet });
  await until(async () => {
    expect(await db.query('SELECT list_id AS id FROM mxproof.chunks')).toEqual([{ id }]);
  });
  await sweep.stop();
});
