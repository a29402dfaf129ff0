// One row that cannot be read or changed in each table that a loop goes through: a neighbour's is handled all the same. What such
// rows do to erasures and to late lists is in routes.test.ts of features/erasure and in sweeps.test.ts; to what requests and nodes
// ask together, in poisoned-queues.test.ts.

import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { startReceiver } from '../../test/receiver.ts';
import { refuse as refuseIn } from '../../test/refuse.ts';
import { quiet, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { until } from '../../test/until.ts';
import { raiseAlerts } from '../features/alerts/raise-alerts.ts';
import { readAlerts } from '../features/alerts/stored-alerts.ts';
import { writeDisk } from '../features/alerts/stored-readings.ts';
import { FEATURES } from '../features/features.ts';
import { deleteWithUndo } from '../flow/delete-with-undo.ts';
import { pauseList } from '../flow/pause-list.ts';
import { verifyOne } from '../flow/verify-one.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { findCallback } from '../store/callbacks.ts';
import { listsToRemove } from '../store/deleted-lists.ts';
import { lateLists, oldTestLists } from '../store/lists.ts';
import { createIsolation } from './isolate.ts';
import { startNotifications } from './notifications.ts';
import { startRetention } from './retention.ts';
import { createSingleChecks } from './single-checks.ts';
import { startCallbacks } from './start-callbacks.ts';
import { startSweeps } from './sweeps.ts';

let s: TestService;
let neighbour: number;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  s = await startTestService();
  neighbour = await s.open();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await s.close();
});

const EMAILS = ['ok@example.com', 'no@example.com'];
const both = async (more = {}) => {
  const bad = await s.submit(EMAILS, more);
  const good = await s.submit(EMAILS, { ...more, accountId: neighbour });
  return { bad: bad.id, good: good.id };
};

const refuse = (operation: 'UPDATE' | 'DELETE', table: string, id: string, value: number) =>
  refuseIn(s.db, operation, table, id, value);

function sweep(log = quiet) {
  const sweeps = startSweeps({
    context: s.context,
    listLimitMs: 1e9,
    keepEvidence: true,
    log,
    sweeps: FEATURES.flatMap((feature) => feature.sweeps ?? []),
  });
  closers.push(() => sweeps.stop());
}

/** Both accounts are now those of test keys. */
const makeTwins = () =>
  s.db.query('UPDATE mxproof.accounts a SET test_of = b.id FROM mxproof.accounts b WHERE b.id <> a.id');

const isThere = async (table: string, listId: number) =>
  (await s.db.query(`SELECT FROM mxproof.${table} = $1`, [listId])).length > 0;

test.each([
  ['jobs: a place that is no number', `jobs SET data = data || '{"owner": "x"}' WHERE list_id`],
  ['jobs: a list that is no number', `jobs SET data = data || '{"listId": "x"}' WHERE list_id`],
  ['chunks: addresses that are not JSON', `chunks SET emails = 'x' WHERE list_id`],
  ['chunks: results that are not JSON', `chunks SET results = 'x' WHERE list_id`],
  ['lists: a name that is not JSON', `lists SET name_json = 'x' WHERE id`],
])('%s: a neighbour’s list is checked', async (_, poison) => {
  const { bad, good } = await both();
  await s.db.query(`UPDATE mxproof.${poison} = $1`, [bad]);
  await s.node(createFakeChecker());
  await s.done(good);
});

test('chunks: one that cannot be written: a neighbour’s single check, written with it, is answered', async () => {
  const checker = createFakeChecker();
  const notifications = startNotifications(s.db, quiet);
  const singles = createSingleChecks({
    context: s.context,
    checker,
    keepEvidence: true,
    log: quiet,
    notifications,
    stopGraceMs: 100,
  });
  closers.push(notifications.stop, singles.stop);
  const verify = (accountId: number, waitMs: number) => {
    const asked = { ...submission(accountId, [], { single: true }), emails: ['slow@example.com'] as const };
    return verifyOne(s.context, singles, { ...asked, isTest: false }, waitMs);
  };
  const [bad, good] = [verify(s.accountId, 10), verify(neighbour, 10_000)];
  await until(() => expect(checker.asked.get('slow@example.com')).toBe(2));
  const [list] = await s.db.query<{ id: number }>('SELECT id FROM mxproof.lists WHERE account_id = $1', [
    s.accountId,
  ]);
  await refuse('UPDATE', 'chunks', 'list_id', list!.id);
  checker.release();
  expect([(await bad).kind, (await good).kind]).toEqual(['pending', 'checked']);
});

test.each([
  ['callbacks: an attempt that cannot be written', null],
  ['callbacks: attempts that are no array', `callbacks SET attempts = '3' WHERE list_id = $1`],
  ['callbacks: a URL that does not parse', `callbacks SET url = 'x' WHERE list_id = $1`],
  [
    'accounts: a secret that does not open',
    `accounts SET webhook_secret = 'x' FROM mxproof.lists l WHERE l.id = $1 AND l.account_id = accounts.id`,
  ],
])('%s: a neighbour’s callback is delivered', async (_, poison) => {
  const receiver = await startReceiver((response) => response.end());
  closers.push(receiver.close);
  await s.node(createFakeChecker());
  const { bad, good } = await both({ callbackUrl: receiver.url });
  await s.done(bad);
  await s.done(good);
  if (poison) await s.db.query(`UPDATE mxproof.${poison}`, [bad]);
  else await refuse('UPDATE', 'callbacks', 'list_id', bad);
  const notifications = startNotifications(s.db, quiet);
  const callbacks = startCallbacks({
    context: s.context,
    box: s.box,
    log: quiet,
    notifications,
    stopGraceMs: 100,
    settings: { retryMs: [10], isAllowed: () => true, dnsServers: [], ca: receiver.ca },
  });
  closers.push(notifications.stop, callbacks.stop);
  await until(async () => expect((await findCallback(s.db, good))?.state).toBe('delivered'));
});

test('lists: a deleted one that cannot be removed: a neighbour’s is', async () => {
  const node = await s.node(createFakeChecker());
  const { bad, good } = await both();
  for (const id of [bad, good]) await s.done(id);
  await node.stop();
  await deleteWithUndo(s.context, THE_SERVICE, bad, s.accountId, 1);
  await deleteWithUndo(s.context, THE_SERVICE, good, neighbour, 1);
  await s.db.query('UPDATE mxproof.lists SET remove_at = now()');
  await refuse('DELETE', 'lists', 'id', bad);
  sweep();
  await until(async () => expect(await isThere('lists WHERE id', good)).toBe(false));
  expect(await isThere('lists WHERE id', bad)).toBe(true);
});

test('lists: one that was paused for too long and cannot be ended: a neighbour’s is', async () => {
  const { bad, good } = await both();
  await pauseList(s.context, bad, s.accountId);
  await pauseList(s.context, good, neighbour);
  await s.db.query(`UPDATE mxproof.lists SET paused_at = now() - interval '1 year'`);
  await refuse('UPDATE', 'lists', 'id', bad);
  sweep();
  await until(async () => expect(await s.list(good)).toMatchObject({ status: 'failed' }));
  expect(await s.list(bad)).toMatchObject({ failure: null });
});

test('lists: an old test list that cannot be removed: a neighbour’s is', async () => {
  const node = await s.node(createFakeChecker());
  const { bad, good } = await both();
  for (const id of [bad, good]) await s.done(id);
  await node.stop();
  await makeTwins();
  await s.db.query(`UPDATE mxproof.lists SET created_at = now() - interval '30 days'`);
  await refuse('DELETE', 'lists', 'id', bad);
  sweep();
  await until(async () => expect(await isThere('lists WHERE id', good)).toBe(false));
});

test.each([
  'asked_domains',
  'callback_targets',
  'catch_alls',
  'deferred',
  'doctor_reports',
  'http_nodes',
  'idempotency',
  'invitations',
  'node_health',
  'node_looks',
  'nodes',
  'operator_links',
  'operator_sessions',
  'parked_jobs',
  'recipient_windows',
  'sessions',
  'shown_callbacks',
  'sign_in_attempts',
  'sign_in_links',
  'source_days',
  'warm_ups',
])('%s: what is too old and cannot be removed is logged once, and what is swept after it goes', async (table) => {
  const node = await s.node(createFakeChecker());
  const { good } = await both();
  await s.done(good);
  await node.stop();
  await makeTwins();
  await s.db.query(`UPDATE mxproof.lists SET created_at = now() - interval '30 days'`);
  await s.db.query(`CREATE FUNCTION mxproof.refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'damaged'; END $$`);
  // Not what goes with a list that is removed.
  await s.db.query(`CREATE TRIGGER refuse BEFORE DELETE ON mxproof.${table}
    WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION mxproof.refuse()`);
  const lines: string[] = [];
  sweep(pino({}, { write: (line: string) => lines.push(line) }));
  await until(async () => expect(await isThere('lists WHERE id', good)).toBe(false));
  expect(lines.filter((line) => line.includes('"loop":"sweep"') && line.includes('damaged'))).toHaveLength(1);
});

test('chunks: results that are too old and cannot be removed: those of all neighbours are', async () => {
  const node = await s.node(createFakeChecker());
  const { bad, good } = await both();
  const lists = [bad, good];
  // They have their turns in no order.
  for (let n = 0; n < 6; n++) lists.push((await s.submit(EMAILS, { accountId: await s.open() })).id);
  for (const id of lists) await s.done(id);
  await node.stop();
  await s.db.query(`UPDATE mxproof.lists SET finished_at = now() - interval '30 days'`);
  await refuse('DELETE', 'chunks', 'list_id', bad);
  const kept = { results: 1, evidence: null, callbacks: null, single_checks: null };
  const retention = startRetention({ db: s.db, retention: kept, log: quiet });
  closers.push(() => retention.stop());
  await until(async () => {
    const left = await s.db.query('SELECT DISTINCT list_id FROM mxproof.chunks');
    expect(left).toEqual([{ list_id: bad }]);
  });
});

test.each([
  ['doctor_reports', `doctor_reports (machine, ran_at, is_ok, checks) VALUES ('a', now(), false, '3')`],
  ['node_health', `node_health (node, said_at, health) VALUES (gen_random_uuid(), now(), 'x')`],
])('%s: a report that cannot be read: other alerts are raised', async (_, poison) => {
  await s.db.query(`INSERT INTO mxproof.${poison}`);
  await writeDisk(s.db, 'machine', 1);
  const isolation = createIsolation<string>({ name: 'alerts', log: quiet });
  await raiseAlerts(s.db, ['post'], { unknownPercent: 30, queueMs: 3_600_000 }, isolation);
  expect((await readAlerts(s.db)).map(({ condition }) => condition)).toContain('disk_low');
});

const AS_MANY = 1_000;

test('behind a thousand lists of one account that are late or to be removed, another’s one is among the first', async () => {
  const insert = (accountId: number, count: number) =>
    s.db.query(
      `INSERT INTO mxproof.lists (account_id, single, name_json, total, duplicates_removed, created_at)
       SELECT $1, false, '""', 1, 0, now() - interval '30 days' + make_interval(secs => n) FROM generate_series(1, $2) AS n`,
      [accountId, count],
    );
  await insert(s.accountId, AS_MANY);
  await insert(neighbour, 1);
  const [last] = await s.db.query<{ id: number }>('SELECT max(id) AS id FROM mxproof.lists');
  const place = (ids: readonly number[]) => ids.indexOf(last!.id);
  expect(place((await lateLists(s.db, 1)).map(({ id }) => id))).toBe(1);
  await s.db.query(`UPDATE mxproof.lists SET status = 'done', finished_at = now()`);
  await makeTwins();
  expect(place(await oldTestLists(s.db, 7))).toBe(1);
  await s.db.query(
    'UPDATE mxproof.lists SET deleted_of = account_id, account_id = NULL, remove_at = created_at',
  );
  expect(place(await listsToRemove(s.db))).toBe(1);
});
