import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { addresses, quiet, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { deleteWithUndo } from '../flow/delete-with-undo.ts';
import { NOTHING_EXPIRES, type Retention } from '../rules/retention.ts';
import { findTestTwin, insertTestTwin } from '../store/accounts.ts';
import { insertCallback } from '../store/callbacks.ts';
import type { Tx } from '../store/database.ts';
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
  const { id, accountId } = await service.submit(emails, { callbackUrl: single ? null : 'https://a.test/' });
  await service.done(id);
  await service.db.query(
    `UPDATE mxproof.lists SET single = $3, created_at = now() - make_interval(days => $2),
       finished_at = now() - make_interval(days => $2) WHERE id = $1`,
    [id, daysAgo, single],
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
  // What the ledger and the summary still can disagree about is found.
  await service.db.query('UPDATE mxproof.lists SET unknown = unknown - 1, risky = risky + 1 WHERE id = $1', [
    old,
  ]);
  expect((await verifyLedger(service.db)).differences).toEqual([
    { what: `list ${old}: refunded`, stored: 20, recomputed: 19 },
  ]);
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
  const { id } = await service.submit(addresses(1));
  await service.done(id);
  // More than a step takes, all of them with one end.
  await db.query(
    `WITH copies AS (
       INSERT INTO mxproof.lists (account_id, single, name_json, status, total, duplicates_removed, checked, deliverable, finished_at)
       SELECT account_id, true, name_json, status, total, 0, checked, deliverable, now() - interval '2 days'
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

  const plan = await db.transaction(async (tx) => {
    await tx.query('SET LOCAL enable_seqscan = off');
    const lines: string[] = [];
    const explaining = {
      async query(text: string, values: readonly unknown[]) {
        for (const row of await tx.query(`EXPLAIN ${text}`, values)) lines.push(String(row['QUERY PLAN']));
        return [];
      },
    } as unknown as Tx;
    await expireStep(explaining, {
      accountId: service.accountId,
      kind: 'single_checks',
      keptSeconds: 86_400,
    });
    return lines;
  });
  expect(plan, 'what is before the mark is not read again').toContainEqual(
    expect.stringMatching(/Index Cond: .*ROW\(finished_at, id\) > /),
  );
});

test('after 365 days the tables are not twice as large as after 30, with 30 days for every kind', async () => {
  const { db, accountId } = service;
  const sizes = new Map<number, readonly number[]>();
  for (let day = 1; day <= DAYS; day++) {
    await db.query(A_DAY, [accountId, DAYS - day]);
    await db.query('DELETE FROM mxproof.jobs');
    // Of what is kept for 30 days, autovacuum's threshold is reached in six.
    if (day % 6 !== 0 && day !== DAYS) continue;
    // `now` is day 365: on an earlier one, what is 30 days old then is older now.
    const days = KEPT + DAYS - day;
    await expireAll({ results: days, evidence: days, callbacks: days, single_checks: days });
    for (const table of GROWING) await db.query(`VACUUM mxproof.${table}`);
    sizes.set(day, await sizesOf(GROWING));
  }
  const [first, last] = [sizes.get(KEPT)!, sizes.get(DAYS)!];
  for (const [index, table] of GROWING.entries()) {
    expect(first[index], table).toBeGreaterThan(0);
    expect(last[index]! / first[index]!, table).toBeLessThanOrEqual(2);
  }
  const [rows] = await db.query('SELECT count(*) AS lists FROM mxproof.lists');
  expect(rows).toEqual({ lists: DAYS * LISTS_A_DAY });
});

const DAYS = 365;
const KEPT = 30;
const LISTS_A_DAY = 9;
const GROWING = ['chunks', 'evidence', 'callbacks', 'jobs'] as const;

/** With indexes and what is kept out of line. */
async function sizesOf(tables: readonly string[]): Promise<number[]> {
  const rows = await service.db.query<{ bytes: number }>(
    `SELECT pg_total_relation_size('mxproof.' || name) AS bytes FROM unnest($1::text[]) WITH ORDINALITY AS t (name, n) ORDER BY n`,
    [tables],
  );
  return rows.map(({ bytes }) => bytes);
}

/** What a day leaves behind, so many days ago: lists of two chunks with a callback, single checks, and jobs. */
const A_DAY = `
  WITH list AS (
    INSERT INTO mxproof.lists (account_id, single, name_json, status, total, duplicates_removed, checked, deliverable,
      callback_url, created_at, finished_at)
    SELECT $1, n % 3 = 0, '""', 'done', 500, 0, 500, 500, CASE WHEN n % 3 > 0 THEN 'https://a.test/' END, at, at
    FROM generate_series(1, ${LISTS_A_DAY}) AS n, LATERAL (SELECT now() - make_interval(days => $2) AS at) AS day
    RETURNING id, single),
  chunk AS (
    INSERT INTO mxproof.chunks (list_id, n, size, emails, results)
    SELECT id, n, 250, (SELECT string_agg(md5(id::text || i), ',') FROM generate_series(1, 20) AS i), repeat('result', 50)
    FROM list, generate_series(0, 1) AS n WHERE n = 0 OR NOT single RETURNING list_id, n),
  reasons AS (
    INSERT INTO mxproof.evidence (list_id, n, data)
    SELECT list_id, n, convert_to(repeat(md5(list_id::text), 100), 'UTF8') FROM chunk),
  sent AS (
    INSERT INTO mxproof.callbacks (list_id, account_id, url, body, state)
    SELECT id, $1, 'https://a.test/', repeat('{}', 100), 'delivered' FROM list WHERE NOT single)
  INSERT INTO mxproof.jobs (queue, account_id, list_id, rank, data)
  SELECT 'chunk', $1, list_id, 0, '{}' FROM chunk`;
