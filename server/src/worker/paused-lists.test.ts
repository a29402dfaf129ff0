// Pausing against nodes that check, die and come back: nothing of a paused list is asked, nothing of it is lost.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker, type FakeChecker } from '../../test/fake-checker.ts';
import { addresses, quiet, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { oldestJobSeconds } from '../features/alerts/stored-readings.ts';
import { deleteList } from '../flow/delete-list.ts';
import { pauseList, resumeList } from '../flow/pause-list.ts';
import { readListWaiting } from '../flow/read-waiting.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import type { List } from '../rules/list.ts';
import { MAX_PAUSE_DAYS } from '../rules/long-pause.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { startSweeps } from './sweeps.ts';

const LIST_LIMIT_MS = 4 * 3_600_000;

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(async () => {
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  await service.close();
});

const pause = async ({ id }: List) =>
  expect(await pauseList(service.context, id, service.accountId)).toMatchObject({ kind: 'changed' });
const resume = async ({ id }: List) =>
  expect(await resumeList(service.context, id, service.accountId)).toMatchObject({ kind: 'changed' });
const waitingOf = ({ id }: List) => readListWaiting(service.db, id, service.accountId, LIST_LIMIT_MS);
const credits = async () =>
  (
    await service.db.query('SELECT credits, used FROM mxproof.accounts WHERE id = $1', [service.accountId])
  )[0];
const count = async (what: string) =>
  (await service.db.query<{ count: number }>(`SELECT count(*) FROM mxproof.${what}`))[0]!.count;
const sum = (checker: FakeChecker) => [...checker.asked.values()].reduce((all, times) => all + times, 0);
/** As if the pause had begun so much earlier. */
async function goBack(interval: string): Promise<void> {
  const back = `- interval '${interval}'`;
  await service.db.query(
    `UPDATE mxproof.lists SET paused_at = paused_at ${back}, created_at = created_at ${back}`,
  );
  await service.db.query(
    `UPDATE mxproof.parked_jobs SET parked_at = parked_at ${back},
       due_at = due_at ${back}`,
  );
}
const sweeps = () =>
  startSweeps({ context: service.context, listLimitMs: LIST_LIMIT_MS, keepEvidence: true, log: quiet });
/** Every node has looked at its lists, and every sweep has run once. */
async function afterSweeps(): Promise<void> {
  await service.db.query(`DELETE FROM mxproof.turns`);
  const running = sweeps();
  await until(async () => expect(await count(`turns WHERE duty = 'old rows'`)).toBe(1));
  await running.stop();
}

test('what is at a mail server ends first, nothing more is asked until the list is resumed, and no credit moves', async () => {
  const checker = createFakeChecker({ width: 5 });
  await service.node(checker);
  const list = await service.submit([
    ...addresses(5, 'slow'),
    ...addresses(600),
    ...addresses(20, 'wait'),
    ...addresses(20, 'unknown'),
  ]);
  await until(() => expect(checker.asked.size).toBe(5));
  const before = await credits();
  await pause(list);
  // What was handed back is parked while five are still being asked.
  await until(async () => expect(await count('jobs WHERE NOT is_claimed')).toBe(0));
  await until(async () =>
    expect(await waitingOf(list)).toMatchObject({
      pending: 645,
      checking: 5,
      doneBy: null,
      groups: [
        { why: 'paused', host: null, provider: null, addresses: 640, attempt: 1, nextAttemptAt: null },
      ],
    }),
  );
  checker.release();
  await until(async () => expect(await service.list(list.id)).toMatchObject({ checked: 5 }));
  await until(async () => expect(await count('jobs')).toBe(0));
  expect(await waitingOf(list)).toMatchObject({ pending: 640, checking: 0, groups: [{ addresses: 640 }] });
  await afterSweeps();
  expect([checker.asked.size, await credits()]).toEqual([5, before]);
  expect(await oldestJobSeconds(service.db)).toBeNull();

  await resume(list);
  await service.done(list.id);
  // Those that wait are asked twice, and all others once.
  expect(sum(checker)).toBe(645 + 20);
  expect(await service.list(list.id)).toMatchObject({ checked: 645, deliverable: 625, unknown: 20 });
  expect(await credits()).toEqual({ credits: 1_000_000 - 625, used: 625 });
  expect(await count('parked_jobs')).toBe(0);
});

test('a list whose last addresses end while it is paused is done', async () => {
  const checker = createFakeChecker();
  await service.node(checker);
  const list = await service.submit(addresses(3, 'slow'));
  await until(() => expect(checker.asked.size).toBe(3));
  await pause(list);
  checker.release();
  await service.done(list.id);
  expect(await resumeList(service.context, list.id, service.accountId)).toEqual({ kind: 'list_finished' });
  expect(await count('lists WHERE paused_at IS NOT NULL')).toBe(0);
});

test('paused time counts neither in waits nor in the hours of a list', async () => {
  await service.node(createFakeChecker({ laterMs: 3_600_000 }));
  const list = await service.submit([...addresses(1), ...addresses(3, 'wait')]);
  await until(async () => expect(await count('deferred')).toBe(1));
  const doneBy = (await waitingOf(list))!.doneBy!;
  await until(async () => expect(await count('jobs WHERE is_claimed')).toBe(0));
  const due = (table: string) =>
    service.db.query<{ due: number }>(
      `SELECT extract(epoch FROM due_at)::float8 AS due FROM mxproof.${table}`,
    );
  await pause(list);
  await goBack('5 hours');
  const [before] = await due('parked_jobs');
  await afterSweeps();
  expect(await service.list(list.id)).toMatchObject({ status: 'checking', checked: 1 });
  await resume(list);
  const [row] = await service.db.query<{ paused: number; shown: number }>(
    `SELECT extract(epoch FROM paused_for)::float8 AS paused,
       (SELECT extract(epoch FROM not_before)::float8 FROM mxproof.deferred) AS shown FROM mxproof.lists`,
  );
  const [after] = await due('jobs');
  expect(row!.paused).toBeGreaterThan(5 * 3_600);
  expect(after!.due - before!.due).toBeCloseTo(row!.paused, 4);
  expect(row!.shown).toBe(after!.due);
  // It was made five hours earlier, and paused for a little longer than that.
  expect((await waitingOf(list))!.doneBy! - doneBy).toBeCloseTo(row!.paused - 5 * 3_600, -1);
  await afterSweeps();
  expect(await service.list(list.id)).toMatchObject({ status: 'checking', checked: 1 });
});

test('a list that ran for too long before and after its pause ends as late, also where it is resumed late', async () => {
  const list = await service.submit(addresses(3));
  await pause(list);
  await service.db.query(`UPDATE mxproof.lists SET created_at = now() - interval '5 hours'`);
  await afterSweeps();
  expect(await service.list(list.id)).toMatchObject({ status: 'processing' });
  await resume(list);
  await afterSweeps();
  expect(await service.list(list.id)).toMatchObject({ status: 'done', unknown: 3 });
});

test(`paused for ${MAX_PAUSE_DAYS} days it ends as if it were cancelled, and not before`, async () => {
  const [list, other] = [await service.submit(addresses(300)), await service.submit(addresses(2))];
  for (const one of [list, other]) await pause(one);
  await goBack(`${MAX_PAUSE_DAYS - 1} days`);
  await afterSweeps();
  expect(await count('lists WHERE finished_at IS NULL')).toBe(2);
  await service.db.query(`UPDATE mxproof.lists SET paused_at = paused_at - interval '1 day' WHERE id = $1`, [
    list.id,
  ]);
  await afterSweeps();
  expect(await service.list(list.id)).toMatchObject({
    status: 'failed',
    failure: `paused for ${MAX_PAUSE_DAYS} days`,
  });
  expect(await service.list(other.id)).toMatchObject({ status: 'processing' });
  expect(await credits()).toEqual({ credits: 1_000_000 - 2, used: 2 });
  expect(await count('parked_jobs')).toBe(1);
});

test('what a node that was killed had of a paused list is parked, and asked when the list is resumed', async () => {
  const list = await service.submit(addresses(600));
  const other = await service.submit(addresses(4));
  expect(await service.context.jobs.claimChunks({ limit: 2, notFrom: [] })).toHaveLength(2);
  await pause(list);
  expect([await count('parked_jobs'), await count('jobs WHERE is_claimed')]).toEqual([2, 2]);
  await service.db.query(`UPDATE mxproof.jobs SET renewed_at = now() - interval '1 minute' WHERE is_claimed`);
  const checker = createFakeChecker();
  await service.node(checker);
  await service.done(other.id);
  await until(async () => expect(await count('jobs')).toBe(0));
  expect(await count('parked_jobs')).toBeGreaterThanOrEqual(2);
  expect([...checker.asked.keys()]).toEqual(addresses(4));
  expect(await service.list(list.id)).toMatchObject({ status: 'processing', checked: 0 });
  await resume(list);
  await service.done(list.id);
  expect(sum(checker)).toBe(604);
});

test('jobs that come to be claimable of a paused list are parked, whichever node wrote them', async () => {
  const list = await service.submit(addresses(600));
  await pause(list);
  const [job] = await service.db.query('SELECT id, queue, rank, data FROM mxproof.parked_jobs ORDER BY id');
  // As a node of 0.2 writes back what it has been told to hand back.
  const stray = () =>
    service.db.query(
      `INSERT INTO mxproof.jobs (queue, account_id, list_id, rank, data) VALUES ('chunk', $1, $2, 0, $3)`,
      [service.accountId, list.id, JSON.stringify(job!.data)],
    );
  await service.db.query('DELETE FROM mxproof.parked_jobs WHERE id = $1', [job!.id]);
  await stray();
  await afterSweeps();
  expect([await count('jobs'), await count('parked_jobs')]).toEqual([0, 3]);
  // And where a node has claimed it before.
  await service.db.query(`DELETE FROM mxproof.parked_jobs WHERE data->>'n' = '0'`);
  await stray();
  const checker = createFakeChecker();
  await service.node(checker);
  await until(async () => expect(await count('parked_jobs')).toBe(3));
  expect([checker.asked.size, await count('jobs')]).toEqual([0, 0]);
  await resume(list);
  await service.done(list.id);
  expect(sum(checker)).toBe(600);
});

test('the age of the queue says nothing of pauses, neither during nor after them', async () => {
  const list = await service.submit(addresses(3));
  await service.db.query(`UPDATE mxproof.lists SET created_at = now() - interval '10 minutes'`);
  await pause(list);
  expect(await oldestJobSeconds(service.db)).toBeNull();
  await goBack('2 hours');
  await resume(list);
  expect(await oldestJobSeconds(service.db)).toBeGreaterThan(590);
  expect(await oldestJobSeconds(service.db)).toBeLessThan(3_000);
});

test('a paused list is deleted with what is parked of it, and refunded', async () => {
  const list = await service.submit(addresses(300));
  await pause(list);
  expect(await deleteList(service.context, THE_SERVICE, list.id, service.accountId)).toBe(true);
  expect([await count('parked_jobs'), await count('jobs')]).toEqual([0, 0]);
  expect(await credits()).toEqual({ credits: 1_000_000, used: 0 });
});
