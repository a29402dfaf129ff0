// Databases of 0.1.0 and of a version between it and 0.2.0, each with lists under way when its only node was killed: one whose
// callback waits, one with greylisted addresses, one that the node held, one not begun, and a single check.
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { readListWaiting } from '../src/flow/read-waiting.ts';
import { readKey } from '../src/rules/api-key.ts';
import { OperatorError } from '../src/rules/operator-error.ts';
import { findCallback } from '../src/store/callbacks.ts';
import { openDatabase } from '../src/store/database.ts';
import { recall } from '../src/store/idempotency.ts';
import { findKeyOwners } from '../src/store/keys.ts';
import { migrate, newestVersion } from '../src/store/migrate.ts';
import { createSecretBox } from '../src/store/secret-box.ts';
import { verifyLedger } from '../src/store/verify-ledger.ts';
import { readWebhookSecrets } from '../src/store/webhook-secrets.ts';
import { EXPANDING_MIGRATION } from './expanding-migration.ts';
import { createFakeChecker } from './fake-checker.ts';
import { addresses, startTestService, type TestService } from './service.ts';
import { until } from './until.ts';

const DUMP = readFileSync(new URL('./fixtures/store-between-0.1-and-0.2.sql', import.meta.url), 'utf8');
/** As if it had been dumped just now: the greylisted addresses are due in an hour. */
const OLDER = `${DUMP};
  UPDATE mxproof.lists SET created_at = now();
  UPDATE mxproof.deferred SET not_before = now() + interval '1 hour';
  UPDATE mxproof_jobs.job SET created_on = now(), heartbeat_on = now() WHERE state = 'active';
  UPDATE mxproof_jobs.job SET start_after = now() + interval '1 hour' WHERE group_id = '192.0.2.1'`;
const DONE = 1;
const GREYLISTED = 2;
const HELD = 3;
const NOT_BEGUN = 4;
const SINGLE = 5;
const OWNER = 1;

const STORE_0_1 = readFileSync(new URL('./fixtures/store-0.1.0.sql', import.meta.url), 'utf8');
const [, SECRET_KEY_0_1, API_KEY_0_1] = /Secret key: "(.+?)".*?API key.*?"(.+?)"/s.exec(STORE_0_1)!;
/** Of both accounts, as 0.1.0 answered just before it was dumped. */
const CREDITS_0_1 = [
  { id: 1, name: 'first account', credits: 5970 },
  { id: 2, name: 'Second', credits: 1348 },
];
/** What its service has of each list: number, status, addresses, checked. */
const LISTS_0_1 = [
  [1, 'done', 15, 15],
  [2, 'done', 20, 20],
  [3, 'done', 5, 5],
  [4, 'done', 1, 1],
  [5, 'checking', 31, 25],
  [6, 'failed', 4, 0],
  [7, 'checking', 12, 6],
  [8, 'checking', 1, 0],
  [9, 'processing', 600, 0],
];

let service: TestService;
afterEach(() => service.close());

test('lists of the version before go on after the upgrade, and nothing is asked twice', async () => {
  service = await startTestService(OLDER);
  const checker = createFakeChecker({ source: '192.0.2.1' });
  await service.node(checker, ['192.0.2.1']);
  await service.done(NOT_BEGUN);
  await until(() => expect(checker.asked.has('slow5@example.com')).toBe(true));
  checker.release();
  await service.done(HELD);
  expect(await service.list(GREYLISTED)).toMatchObject({ status: 'checking', checked: 4 });
  await service.hurryDelayedJobs();
  await service.done(GREYLISTED);
  await service.done(SINGLE);
  expect(await service.list(NOT_BEGUN)).toMatchObject({ total: 600, deliverable: 600 });
  // Of the list that the dead node held, the six it had not written; the three that were greylisted.
  expect(checker.asked.size).toBe(6 + 600 + 3);
  const twice = [...checker.asked].filter(([, times]) => times > 1);
  // In a list and a single check.
  expect(twice).toEqual([['ok9@example.com', 2]]);
  expect(checker.resumed.get('wait0@example.com')).toBe('192.0.2.1');
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test('a store of 0.1.0 keeps its money, keys, secrets and results, and its lists end', async () => {
  service = await startTestService(
    `${STORE_0_1};
     UPDATE mxproof.lists SET created_at = now() WHERE finished_at IS NULL;
     UPDATE mxproof.idempotency SET created_at = now();
     UPDATE mxproof_jobs.job SET start_after = now() + interval '1 hour' WHERE data ? 'waiting'`,
  );
  const { db } = service;
  const accounts = () =>
    db.query<{ id: number; name: string; credits: number }>(
      'SELECT id, name, credits FROM mxproof.accounts WHERE id <= 2 ORDER BY id',
    );
  const rows = await db.query<{ id: number; status: string; total: number; checked: number }>(
    'SELECT id, status, total, checked FROM mxproof.lists ORDER BY id',
  );
  expect(rows.map(({ id, status, total, checked }) => [id, status, total, checked])).toEqual(LISTS_0_1);
  expect(await accounts()).toEqual(CREDITS_0_1);
  expect((await verifyLedger(db)).differences).toEqual([]);
  for (const { id } of CREDITS_0_1)
    expect(await readWebhookSecrets(db, id, createSecretBox(SECRET_KEY_0_1!))).toEqual([
      expect.stringMatching(/^whsec_/),
    ]);
  expect(await findKeyOwners(db, [readKey(API_KEY_0_1!)!])).toMatchObject([{ accountId: 2, test: false }]);
  const submittedOnce = { accountId: 1, route: 'lists', key: 'order-1', bodyHash: Buffer.alloc(32) } as const;
  expect(await recall(db, submittedOnce)).toMatchObject({ listId: 3, response: { status: 201 } });

  const checker = createFakeChecker();
  await service.node(checker);
  for (const id of [7, 9]) await service.done(id);
  await service.hurryDelayedJobs();
  for (const id of [5, 8]) await service.done(id);
  // Of the list that the node held the six it had not written, three greylisted and three that did not connect.
  expect(checker.asked.size).toBe(6 + 600 + 6 + 1);
  expect(await service.list(6)).toMatchObject({ status: 'failed' });
  expect(await service.list(1)).toMatchObject({ deliverable: 9, undeliverable: 3, unknown: 3 });
  // All that was charged for in advance had an answer.
  expect(await accounts()).toEqual(CREDITS_0_1);
  expect((await verifyLedger(db)).differences).toEqual([]);
});

test('a callback that waited in the version before is still to be sent', async () => {
  service = await startTestService(OLDER);
  const claimed = await service.context.jobs.claimCallbacks({ limit: 10, notFor: [] });
  expect(claimed.map(({ job }) => [job.listId, job.accountId])).toEqual([[DONE, OWNER]]);
  expect((await findCallback(service.db, DONE))?.state).toBe('pending');
});

test('the older version can neither take nor add a job any more', async () => {
  service = await startTestService(OLDER);
  await expect(service.db.query('SELECT FROM mxproof_jobs.job')).rejects.toThrow('does not exist');
});

test('jobs that waited in a database of an even older version say what for', async () => {
  service = await startTestService(
    `${OLDER}; DROP TABLE mxproof.deferred, mxproof.node_waiting, mxproof.node_looks;
     DELETE FROM mxproof.migrations WHERE version = 7`,
  );
  await until(async () =>
    expect(await readListWaiting(service.db, GREYLISTED, OWNER, 3_600_000)).toMatchObject({
      pending: 3,
      groups: [
        { why: 'greylisted', host: null, addresses: 3, attempt: 2, nextAttemptAt: expect.any(Number) },
      ],
    }),
  );
});

test('a node that runs goes on when the next version adds to every table, and none is started on it', async () => {
  service = await startTestService();
  const checker = createFakeChecker();
  await service.node(checker);
  const first = await service.submit([...addresses(1_000), ...addresses(20, 'slow')]);
  await until(async () => expect((await service.list(first.id))?.checked).toBeGreaterThan(0));
  const other = openDatabase({ url: service.url, poolSize: 1, onError: () => {} });
  try {
    await other.query(EXPANDING_MIGRATION);
    await other.query('INSERT INTO mxproof.migrations (version) VALUES ($1)', [newestVersion() + 1]);
    expect((await service.list(first.id))?.status).toBe('checking');
    checker.release();
    const second = await service.submit([...addresses(300, 'no'), ...addresses(20, 'unknown')]);
    for (const { id } of [first, second]) await service.done(id);
    expect(await service.list(second.id)).toMatchObject({ undeliverable: 300, unknown: 20 });
    expect((await verifyLedger(service.db)).differences).toEqual([]);
    await expect(migrate(other)).rejects.toThrow(OperatorError);
    await expect(migrate(other)).rejects.toThrow('start the MXProof that migrated it, or a newer one.');
  } finally {
    await other.close();
  }
});
