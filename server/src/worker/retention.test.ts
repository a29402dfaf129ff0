import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { addresses, quiet, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { deleteWithUndo } from '../flow/delete-with-undo.ts';
import { THE_SERVICE } from '../rules/audit.ts';
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
async function expireAll(kept: Retention, tx: Tx = service.db): Promise<void> {
  for (const due of await dueRetentions(tx, kept)) while ((await expireStep(tx, due)).more);
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
  await deleteWithUndo(service.context, THE_SERVICE, list, service.accountId, 3_600);
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
  const { db } = service;
  await service.node(createFakeChecker({ width: 1_000 }));
  const many = await service.submit([...addresses(490), ...addresses(10, 'unknown')], {
    callbackUrl: 'https://a.test/',
  });
  const one = await service.submit(['one@example.com']);
  for (const { id } of [many, one]) await service.done(id);
  await db.query('UPDATE mxproof.lists SET single = true WHERE id = $1', [one.id]);
  await db.query(`UPDATE mxproof.callbacks SET state = 'delivered'`);
  const templates = [many.id, one.id];

  const dead = new Map<Table, number>();
  const sizes = new Map<number, Sizes>();
  for (let day = 1; day <= DAYS; day++) {
    await db.transaction(async (tx) => {
      await tx.query(A_DAY, [templates, DAYS - day]);
      await tx.query(ITS_RESULTS, [templates]);
      await tx.query('UPDATE mxproof.jobs SET is_claimed = true');
      await tx.query('DELETE FROM mxproof.jobs');
      if (day % SWEPT_EVERY !== 0) return;
      // `now` is day 365: on an earlier one, what is 30 days old then is older now.
      const days = KEPT + DAYS - day;
      await expireAll({ results: days, evidence: days, callbacks: days, single_checks: days }, tx);
    });
    for (const table of BOUNDED) {
      const { rows, rewritten, isKept } = A_DAYS_ROWS[table];
      const gone = !isKept ? rows : day > KEPT && day % SWEPT_EVERY === 0 ? rows * SWEPT_EVERY : 0;
      dead.set(table, (dead.get(table) ?? 0) + gone + rewritten);
      // When autovacuum comes, as PostgreSQL is set by default. It does the same, at a time that no test can wait for.
      if (dead.get(table)! <= 50 + 0.2 * (isKept ? rows * Math.min(day, KEPT) : 0)) continue;
      await db.query(`VACUUM mxproof.${table}`);
      dead.set(table, 0);
    }
    if (day === KEPT || day === DAYS) sizes.set(day, await sizesNow());
  }

  const [first, last] = [sizes.get(KEPT)!, sizes.get(DAYS)!];
  const grown = (table: Table) => last.get(table)!.bytes / first.get(table)!.bytes;
  for (const table of BOUNDED) {
    expect(first.get(table)!.bytes, table).toBeGreaterThan(PAGE_BYTES);
    expect(grown(table), table).toBeLessThanOrEqual(2);
  }
  for (const table of ['chunks', 'evidence', 'callbacks'] as const) {
    const kept = first.get(table)!.rows;
    expect(kept, table).toBeGreaterThan(KEPT * A_DAYS_ROWS[table].rows);
    expect(last.get(table)!.rows, table).toBe(kept);
  }
  // Summaries and ledger: a row is as large as it was.
  expect(last.get('lists')!.rows).toBe(DAYS * LISTS_A_DAY + templates.length);
  expect(last.get('ledger')!.rows).toBe(DAYS * ENTRIES_A_DAY + ENTRIES_OF_TEMPLATES);
  for (const table of GROWING)
    expect(grown(table), table).toBeLessThan(1.25 * (last.get(table)!.rows / first.get(table)!.rows));
  expect((await verifyLedger(db)).differences).toEqual([]);
});

const DAYS = 365;
const KEPT = 30;
/** Rather than every minute, for the test's time: what is there in between only makes the tables larger. */
const SWEPT_EVERY = 5;
/** Of each template: lists of two chunks with a callback and a refund, and single checks. */
const LISTS_A_DAY = 8;
const ENTRIES_A_DAY = 4 * 2 + 4;
const ENTRIES_OF_TEMPLATES = 4;
const PAGE_BYTES = 8_192;
const BOUNDED = ['chunks', 'evidence', 'callbacks', 'jobs'] as const;
const GROWING = ['lists', 'ledger'] as const;
/** Chunks are written again with their results, jobs when they are claimed; jobs last no longer than their list. */
const A_DAYS_ROWS = {
  chunks: { rows: 12, rewritten: 12, isKept: true },
  evidence: { rows: 12, rewritten: 0, isKept: true },
  callbacks: { rows: 4, rewritten: 0, isKept: true },
  jobs: { rows: 12, rewritten: 12, isKept: false },
} as const;
type Table = (typeof BOUNDED | typeof GROWING)[number];
type Sizes = ReadonlyMap<Table, { readonly bytes: number; readonly rows: number }>;

/** With indexes and what is kept out of line. */
async function sizesNow(): Promise<Sizes> {
  const rows = await service.db.query<{ table: Table; bytes: number; rows: number }>(
    [...BOUNDED, ...GROWING]
      .map(
        (table) =>
          `SELECT '${table}' AS table, pg_total_relation_size('mxproof.${table}') AS bytes, count(*) AS rows FROM mxproof.${table}`,
      )
      .join(' UNION ALL '),
  );
  return new Map(rows.map((row) => [row.table, row]));
}

/** What a day leaves behind, so many days ago: copies of lists that the service has checked, charged and refunded. */
const A_DAY = `
  WITH template AS (SELECT * FROM mxproof.lists WHERE id = ANY($1)),
  list AS (
    INSERT INTO mxproof.lists (account_id, single, name_json, status, total, duplicates_removed, checked, deliverable, unknown,
      callback_url, created_at, finished_at)
    SELECT account_id, single, name_json, status, total, duplicates_removed, checked, deliverable, unknown, callback_url, at, at
    FROM template, generate_series(1, ${LISTS_A_DAY / 2}), LATERAL (SELECT now() - make_interval(days => $2) AS at) AS day
    RETURNING id, account_id, single, total, unknown),
  chunk AS (
    INSERT INTO mxproof.chunks (list_id, n, size, emails)
    SELECT list.id, c.n, c.size, c.emails
    FROM list JOIN template t USING (single) JOIN mxproof.chunks c ON c.list_id = t.id RETURNING list_id, n),
  reasons AS (
    INSERT INTO mxproof.evidence (list_id, n, data)
    SELECT list.id, e.n, e.data FROM list JOIN template t USING (single) JOIN mxproof.evidence e ON e.list_id = t.id),
  sent AS (
    INSERT INTO mxproof.callbacks (list_id, account_id, url, body, state)
    SELECT list.id, c.account_id, c.url, c.body, c.state
    FROM list JOIN template t USING (single) JOIN mxproof.callbacks c ON c.list_id = t.id),
  entries AS (
    INSERT INTO mxproof.ledger (account_id, kind, amount, list_id)
    SELECT account_id, 'charge', total, id FROM list
    UNION ALL SELECT account_id, 'refund', unknown, id FROM list WHERE unknown > 0),
  paid AS (
    UPDATE mxproof.accounts a SET credits = credits - sums.used, used = a.used + sums.used, lists = a.lists + sums.lists
    FROM (SELECT account_id, sum(total - unknown) AS used, count(*) AS lists FROM list GROUP BY 1) AS sums
    WHERE a.id = sums.account_id)
  INSERT INTO mxproof.jobs (queue, account_id, list_id, rank, data)
  SELECT 'chunk', account_id, list_id, 0, '{}' FROM chunk JOIN list ON list.id = list_id`;

const ITS_RESULTS = `
  UPDATE mxproof.chunks c SET results = t.results
  FROM mxproof.chunks t JOIN mxproof.lists l ON l.id = t.list_id, mxproof.lists own
  WHERE c.results IS NULL AND t.list_id = ANY($1) AND t.n = c.n AND own.id = c.list_id AND own.single = l.single
    AND own.results_expired_at IS NULL`;
