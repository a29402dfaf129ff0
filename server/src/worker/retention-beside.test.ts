// What runs, reads and erases beside a step of retention.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { addresses, quiet, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { until } from '../../test/until.ts';
import { requestErasure, runErasure } from '../features/erasure/erase-address.ts';
import { scanList } from '../flow/read-results.ts';
import { createReadingTurns } from '../flow/reading-turns.ts';
import { readOpen } from '../flow/retry-list.ts';
import { submitList } from '../flow/submit-list.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { NOTHING_EXPIRES, RETENTION_KINDS, type Retention } from '../rules/retention.ts';
import type { Tx } from '../store/database.ts';
import { findList, renameList } from '../store/lists.ts';
import { dueRetentions, expireStep } from '../store/retention.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { startRetention } from './retention.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const DAY_SECONDS = 86_400;
const ONE_DAY: Retention = { results: 1, evidence: 1, callbacks: 1, single_checks: 1 };
const reading = () => createReadingTurns().begin(service.accountId, new AbortController().signal)!;

/** Lists of this account that ended two days ago. */
async function ended(...ids: readonly number[]): Promise<void> {
  for (const id of ids) await service.done(id);
  await service.db.query(
    `UPDATE mxproof.lists SET finished_at = now() - interval '2 days' WHERE id = ANY($1)`,
    [ids],
  );
}

/** A step of every kind, as a transaction that goes on for as long as `meanwhile`. */
async function duringSteps(meanwhile: () => Promise<void>): Promise<void> {
  await service.db.transaction(async (tx) => {
    for (const kind of RETENTION_KINDS)
      await expireStep(tx, { accountId: service.accountId, kind, keptSeconds: DAY_SECONDS });
    await meanwhile();
  });
}

async function chunksOf(id: number): Promise<number> {
  const list = await findList(service.db, id, service.accountId);
  let chunks = 0;
  await scanList(service.db, reading(), list!, () => chunks++);
  return chunks;
}

const rowsOf = async (tx: Tx, table: string, id: number) =>
  (await tx.query(`SELECT FROM mxproof.${table} WHERE list_id = $1`, [id])).length;

const aLockIsWaitedFor = () =>
  until(async () => {
    const waiting = await service.db.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting).toHaveLength(1);
  });

test('while steps hold all their locks, lists are made, checked, settled, read and retried', async () => {
  const { context, db, accountId } = service;
  const checker = createFakeChecker({ width: 1_000 });
  await service.node(checker);
  const old = await service.submit([...addresses(400), ...addresses(30, 'unknown')], {
    callbackUrl: 'https://a.test/',
  });
  const single = await service.submit(['one@example.com']);
  // Under way when the steps begin.
  const running = await service.submit([...addresses(300), ...addresses(300, 'slow')], {
    callbackUrl: 'https://a.test/',
  });
  await ended(old.id, single.id);
  await db.query('UPDATE mxproof.lists SET single = true WHERE id = $1', [single.id]);
  await db.query(`UPDATE mxproof.callbacks SET state = 'delivered' WHERE list_id = $1`, [old.id]);
  const summary = await service.list(old.id);

  await duringSteps(async () => {
    const list = (await findList(db, old.id, accountId))!;
    const emails = await readOpen(db, reading(), list, []);
    expect([emails.total, await chunksOf(old.id)]).toEqual([30, 2]);
    const retried = await submitList(context, {
      ...submission(accountId, addresses(30, 'unknown')),
      retry: { of: list, earlier: [] },
    });
    const made = await service.submit(addresses(300, 'no'), { callbackUrl: 'https://a.test/' });
    // What has come to wait is released until the list is done.
    await until(async () => {
      checker.release();
      expect(await service.list(running.id)).toMatchObject({ status: 'done', deliverable: 600 });
    });
    await service.done(made.id);
    if (retried.kind === 'created') await service.done(retried.list.id);
    expect(retried).toMatchObject({ kind: 'created', list: { retryOf: old.id } });
    for (const { id } of [running, made]) expect(await rowsOf(db, 'callbacks', id)).toBe(1);
    expect(await chunksOf(made.id)).toBe(2);
    expect((await verifyLedger(db)).differences).toEqual([]);
  });

  expect(await service.list(old.id)).toEqual(summary);
  for (const id of [old.id, single.id])
    for (const table of ['chunks', 'evidence', 'callbacks']) expect(await rowsOf(db, table, id)).toBe(0);
  expect(await verifyLedger(db)).toEqual({ accounts: 1, lists: 5, differences: [] });
});

test('a step takes 500 lists at most, and 50,000 addresses or one list', async () => {
  const { db, accountId } = service;
  /** Finished lists without anything to check; their ends are in the order they are made. */
  const make = (count: number, total: number, single: boolean) =>
    db.query(
      `WITH made AS (
         INSERT INTO mxproof.lists (account_id, single, name_json, status, total, duplicates_removed, checked, deliverable, finished_at)
         SELECT $1, $4, '""', 'done', $3::int, 0, $3, $3, now() - interval '2 days' FROM generate_series(1, $2) RETURNING id)
       INSERT INTO mxproof.chunks (list_id, n, size, emails) SELECT id, 0, 1, '["a@b.test"]' FROM made`,
      [accountId, count, total, single],
    );
  const step = async (kind: 'results' | 'single_checks') => {
    const [{ before }] = (await db.query('SELECT count(*) AS before FROM mxproof.chunks')) as [
      { before: number },
    ];
    const { more } = await expireStep(db, { accountId, kind, keptSeconds: DAY_SECONDS });
    const [{ after }] = (await db.query('SELECT count(*) AS after FROM mxproof.chunks')) as [
      { after: number },
    ];
    return more && before - after;
  };
  await make(1_200, 1, true);
  expect([await step('single_checks'), await step('single_checks')]).toEqual([500, 500]);
  expect([await step('single_checks'), await step('single_checks')]).toEqual([200, false]);
  await db.query('DELETE FROM mxproof.lists');
  await make(3, 20_000, false);
  await make(1, 100_000, false);
  await make(1, 20_000, false);
  const taken = [];
  for (let number = 0; number < 5; number++) taken.push(await step('results'));
  expect(taken).toEqual([2, 1, 1, 1, false]);
});

test('a step that would wait for a lock gives way, and everything else has its turn', async () => {
  const { db, accountId } = service;
  await service.node(createFakeChecker());
  const other = await service.open();
  const [held, free] = [
    await service.submit(addresses(2)),
    await service.submit(addresses(2), { accountId: other }),
  ];
  await ended(held.id, free.id);
  const failed: unknown[] = [];
  const log = Object.assign(Object.create(quiet), {
    error: (line: unknown) => failed.push(line),
    warn: (line: unknown) => failed.push(line),
  }) as typeof quiet;
  const sweeps = async (gone: number, waits: boolean) => {
    const sweep = startRetention({ db, retention: ONE_DAY, log });
    if (waits) await aLockIsWaitedFor();
    await until(async () => expect(await rowsOf(db, 'chunks', gone)).toBe(0));
    await sweep.stop();
    await db.query('DELETE FROM mxproof.turns');
  };
  await db.transaction(async (tx) => {
    await tx.query('SELECT FROM mxproof.lists WHERE id = $1 FOR UPDATE', [held.id]);
    await sweeps(free.id, true);
    // The step has let go of what it had: nothing waits behind it.
    expect(await dueRetentions(db, ONE_DAY)).toContainEqual(
      expect.objectContaining({ accountId, kind: 'results' }),
    );
    expect(await rowsOf(tx, 'chunks', held.id)).toBe(1);
  });
  await sweeps(held.id, false);
  expect(failed).toEqual([]);
});

test('an address is erased beside expired results: rows that are left count, texts go, money is exact', async () => {
  const { context, box, db, accountId } = service;
  await service.node(createFakeChecker({ namesRecipients: true }));
  const emails = ['anna@example.com', ...addresses(20, 'unknown')];
  const make = () => service.submit(emails, { name: 'for anna@example.com', callbackUrl: 'https://a.test/' });
  const [expired, expiring, kept] = [await make(), await make(), await make()];
  await ended(expired.id);
  for (const due of await dueRetentions(db, { ...NOTHING_EXPIRES, results: 1 })) await expireStep(db, due);
  await ended(expiring.id);
  await service.done(kept.id);
  const summaries = await Promise.all([expired, expiring, kept].map(({ id }) => service.list(id)));

  const erasure = await requestErasure(db, THE_SERVICE, box, {
    email: 'anna@example.com',
    accountId,
    isMine: true,
  });
  let erased: ReturnType<typeof runErasure> | null = null;
  await duringSteps(async () => {
    // It has found the address in the list whose results are going, and waits for them.
    erased = runErasure(context, box, erasure);
    await aLockIsWaitedFor();
  });
  expect(await erased).toMatchObject({ isDone: true, lists: 1, rows: 1 });
  expect(await Promise.all([expired, expiring, kept].map(({ id }) => service.list(id)))).toEqual(summaries);
  for (const { id } of [expired, expiring, kept])
    expect((await findList(db, id, accountId))!.name).toBe('for [erased]');
  const traces = await db.query(
    `SELECT emails AS text FROM mxproof.chunks WHERE emails LIKE '%anna%'
     UNION ALL SELECT body FROM mxproof.callbacks WHERE body LIKE '%anna%'`,
  );
  expect(traces).toEqual([]);
  expect((await verifyLedger(db)).differences).toEqual([]);
  expect((await renameList(db, expired.id, accountId, 'old'))?.name).toBe('old');
});
