import { randomUUID } from 'node:crypto';
import type { WaitingGroup } from '@mxproof/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { addresses, quiet, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { until } from '../../test/until.ts';
import { cancelList } from '../flow/cancel-list.ts';
import { deleteList } from '../flow/delete-list.ts';
import { endLateList } from '../flow/end-late-list.ts';
import { readListWaiting, type WaitingNow } from '../flow/read-waiting.ts';
import { verifyOne } from '../flow/verify-one.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { partOfNode } from '../rules/list-waiting.ts';
import { removeDeferred } from '../store/deferred.ts';
import { reportWaiting, sweepReports } from '../store/node-waiting.ts';
import { startNode } from './node.ts';
import { startNotifications } from './notifications.ts';
import { createSingleChecks } from './single-checks.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const LIMIT_MS = 3_600_000;
const NOTHING = { pending: 0, checking: 0, groups: [], doneBy: null };

const waitingOf = (listId: number) => readListWaiting(service.db, listId, service.accountId, LIMIT_MS);
/** [why, host, addresses, attempt] of each group. */
const groupsIn = ({ groups }: WaitingNow) =>
  groups.map(({ why, host, addresses: count, attempt }) => [why, host, count, attempt]);
const rows = async (table: string) =>
  (await service.db.query<{ count: number }>(`SELECT count(*) FROM mxproof.${table}`))[0]!.count;
/** As if no node had said anything for longer than it counts. */
const age = () =>
  service.db.query(`UPDATE mxproof.node_looks SET looked_at = looked_at - interval '1 minute'`);

const HOLDUPS: Readonly<Record<string, Pick<WaitingGroup, 'why' | 'host'>>> = {
  slowpace: { why: 'rate_limited', host: 'mx.pace.test' },
  slowdead: { why: 'timeout', host: 'mx.dead.test' },
};
const slowFor = (email: string) =>
  HOLDUPS[email.replace(/\d*@.*/, '')] ?? { why: 'checking' as const, host: null };

test('a list says what its addresses wait for: in the engine, in jobs, and unclaimed', async () => {
  const list = await service.submit([
    ...addresses(3),
    ...addresses(6, 'wait'),
    ...addresses(4, 'slowpace'),
    ...addresses(2, 'slowdead'),
    ...addresses(1, 'slow'),
  ]);
  expect(groupsIn((await waitingOf(list.id))!)).toEqual([['queued', null, 16, 1]]);
  const checker = createFakeChecker({ laterMs: 3_600_000, slowFor });
  await service.node(checker);
  await until(async () => expect(await service.waitingJobs()).toHaveLength(1));
  const now = await until(async () => {
    const answer = (await waitingOf(list.id))!;
    expect(answer).toMatchObject({ pending: 13, checking: 1 });
    expect(groupsIn(answer)).toEqual([
      ['greylisted', null, 6, 2],
      ['rate_limited', 'mx.pace.test', 4, 1],
      ['timeout', 'mx.dead.test', 2, 1],
    ]);
    return answer;
  });
  expect(now.doneBy! - list.createdAtSeconds).toBeOneOf([3_600, 3_601]);
  const { nextAttemptAt } = now.groups[0]!;
  expect(nextAttemptAt).toBeGreaterThan(list.createdAtSeconds + 3_500);
  checker.release();
});

test('what is deferred and not written yet is told as well', async () => {
  const list = await service.submit([...addresses(2, 'wait'), 'slow@example.com']);
  const checker = createFakeChecker({ laterMs: 3_600_000 });
  await service.node(checker);
  await until(async () =>
    expect(groupsIn((await waitingOf(list.id))!)).toEqual([['greylisted', null, 2, 2]]),
  );
  // The node keeps them together for a few seconds.
  expect(await rows('deferred')).toBe(0);
  checker.release();
});

test('two nodes that work on a list speak with one voice', async () => {
  const checkers = [
    createFakeChecker({ width: 10_000, slowFor }),
    createFakeChecker({ width: 10_000, slowFor }),
  ];
  for (const checker of checkers) await service.node(checker);
  await until(async () => expect(await rows('nodes')).toBe(2));
  // Each has looked for others since: neither takes everything.
  const [now] = await service.db.query<{ at: string }>('SELECT clock_timestamp()::text AS at');
  await until(async () => {
    const [met] = await service.db.query<{ all: boolean }>(
      'SELECT bool_and(seen_at > $1::timestamptz) AS all FROM mxproof.nodes',
      [now!.at],
    );
    return met!.all;
  });
  const list = await service.submit(addresses(2_000, 'slowpace'));
  await until(() => expect(checkers[0]!.asked.size + checkers[1]!.asked.size).toBe(2_000));
  expect(checkers.every(({ asked }) => asked.size > 0)).toBe(true);
  await until(async () =>
    expect(await waitingOf(list.id)).toMatchObject({
      pending: 2_000,
      checking: 0,
      groups: [{ why: 'rate_limited', host: 'mx.pace.test', addresses: 2_000 }],
    }),
  );
  expect(await rows('node_waiting')).toBe(2);
  for (const checker of checkers) checker.release();
  await service.done(list.id);
  expect(await waitingOf(list.id)).toEqual(NOTHING);
  await until(async () => expect(await rows('node_waiting')).toBe(0));
});

test('what a dead node said does not count: its addresses are queued until another node has them', async () => {
  const list = await service.submit(addresses(5, 'slowpace'));
  // A node that claimed the list, spoke once, and was killed.
  await service.context.jobs.claimChunks({ limit: 1, notFrom: [] });
  const said = partOfNode(
    [{ lot: list.id, ...HOLDUPS.slowpace!, provider: '', addresses: 5, attempt: 1, nextAttemptAtMs: null }],
    [],
    0,
  );
  await reportWaiting(service.db, randomUUID(), new Map([[list.id, JSON.stringify(said)]]), []);
  expect(groupsIn((await waitingOf(list.id))!)).toEqual([['rate_limited', 'mx.pace.test', 5, 1]]);
  await age();
  expect(groupsIn((await waitingOf(list.id))!)).toEqual([['queued', null, 5, 1]]);
  await sweepReports(service.db);
  expect([await rows('node_looks'), await rows('node_waiting')]).toEqual([0, 0]);
});

test('a waiting job that is claimed is told of once: by its row, then by its node', async () => {
  const checker = createFakeChecker({
    laterMs: 3_600_000,
    slowFor: () => ({ why: 'timeout', host: 'mx.mute.test' }),
  });
  await service.node(checker);
  const list = await service.submit(addresses(4, 'mute'));
  await until(() => expect(checker.asked.size).toBe(4));
  checker.release();
  await until(async () => expect(await rows('deferred')).toBe(1));
  await until(async () => expect(groupsIn((await waitingOf(list.id))!)).toEqual([['timeout', null, 4, 2]]));
  await service.hurryDelayedJobs();
  await until(async () =>
    expect(groupsIn((await waitingOf(list.id))!)).toEqual([['timeout', 'mx.mute.test', 4, 2]]),
  );
  expect(await rows('deferred')).toBe(0);
  checker.release();
  await service.done(list.id);
});

test('a node killed right after a claim leaves nothing that must be mended', async () => {
  const checker = createFakeChecker({ laterMs: 3_600_000 });
  const node = await service.node(checker);
  const list = await service.submit(addresses(4, 'wait'));
  await until(async () => expect(await rows('deferred')).toBe(1));
  await node.stop();
  await node.close();
  await service.hurryDelayedJobs();
  const [claimed] = await service.context.jobs.claimChunks({ limit: 1, notFrom: [] });
  await removeDeferred(service.db, [claimed!.job]);
  expect(groupsIn((await waitingOf(list.id))!)).toEqual([['queued', null, 4, 1]]);
  // As if it had been silent for longer than a heartbeat: another node takes over.
  await service.db.query(`UPDATE mxproof.jobs SET renewed_at = now() - interval '1 minute'`);
  await service.node(createFakeChecker());
  await service.done(list.id);
});

test('a job that is due and not claimed waits for nothing but its turn', async () => {
  const checker = createFakeChecker({ laterMs: 3_600_000 });
  const node = await service.node(checker);
  const list = await service.submit(addresses(3, 'wait'));
  await until(async () => expect(await rows('deferred')).toBe(1));
  await node.stop();
  await service.db.query(`UPDATE mxproof.deferred SET not_before = now() - interval '1 second'`);
  const { groups } = (await waitingOf(list.id))!;
  expect(groups).toEqual([
    { why: 'queued', host: null, provider: null, addresses: 3, attempt: 2, nextAttemptAt: null },
  ]);
  await node.close();
});

test('however a list ends, it waits for nothing, and leaves no row', async () => {
  const checker = createFakeChecker({ laterMs: 3_600_000 });
  await service.node(checker);
  const [late, cancelled, deleted] = await Promise.all(
    Array.from({ length: 3 }, () => service.submit(addresses(2, 'wait'))),
  );
  await until(async () => expect(await rows('deferred')).toBe(3));
  await endLateList(service.context, late!);
  await cancelList(service.context, THE_SERVICE, cancelled!.id, service.accountId);
  await deleteList(service.context, THE_SERVICE, deleted!.id, service.accountId);
  expect(await rows('deferred')).toBe(0);
  expect(await waitingOf(late!.id)).toEqual(NOTHING);
  expect(await waitingOf(cancelled!.id)).toEqual(NOTHING);
  expect(await waitingOf(deleted!.id)).toBeNull();
});

test("another account's list is not found", async () => {
  const list = await service.submit(addresses(1));
  const other = await service.open();
  expect(await readListWaiting(service.db, list.id, other, LIMIT_MS)).toBeNull();
});

test('what the database has lost is told again', async () => {
  const checker = createFakeChecker({ slowFor });
  await service.node(checker);
  const list = await service.submit(addresses(2, 'slowpace'));
  const isTold = () =>
    until(async () => expect(groupsIn((await waitingOf(list.id))!)[0]).toContain('rate_limited'));
  await isTold();
  await service.db.query('TRUNCATE mxproof.node_looks CASCADE');
  await isTold();
  checker.release();
});

test('what has not changed is not written again', async () => {
  const checker = createFakeChecker({ slowFor });
  await service.node(checker);
  const list = await service.submit(addresses(2, 'slowpace'));
  await until(async () => expect(groupsIn((await waitingOf(list.id))!)[0]).toContain('rate_limited'));
  const told = async () => {
    const [row] = await service.db.query<{ written: string; looked: string }>(
      'SELECT w.xmin::text AS written, k.looked_at::text AS looked FROM mxproof.node_waiting w JOIN mxproof.node_looks k USING (node)',
    );
    return row!;
  };
  const first = await told();
  const later = await until(async () => {
    const now = await told();
    expect(now.looked).not.toBe(first.looked);
    return now;
  });
  expect(later.written).toBe(first.written);
  checker.release();
});

test('a node that stops takes its word with it, and one that holds nothing says nothing', async () => {
  const checker = createFakeChecker();
  const node = await service.node(checker);
  const list = await service.submit(addresses(5));
  await service.done(list.id);
  const busy = await service.submit(addresses(2, 'slow'));
  await until(async () => expect((await waitingOf(busy.id))!.checking).toBe(2));
  checker.release();
  await service.done(busy.id);
  await node.stop();
  await node.close();
  expect(await rows('node_looks')).toBe(0);
});

test('a single check that takes its time tells as well, running and waiting', async () => {
  const checker = createFakeChecker({
    laterMs: 3_600_000,
    slowFor: () => ({ why: 'timeout', host: 'mx.mute.test' }),
  });
  const notifications = startNotifications(service.db, quiet);
  const { context } = service;
  const singles = createSingleChecks({ context, checker, keepEvidence: false, log: quiet, notifications });
  const node = startNode({
    ...{ context, checker, sources: [], keepEvidence: false, log: quiet, notifications },
    singleLists: () => singles.longRunning(),
  });
  const asked = submission(service.accountId, [], { single: true });
  const verified = await verifyOne(
    context,
    singles,
    { ...asked, emails: ['mute@example.com'], isTest: false },
    0,
  );
  if (verified.kind !== 'pending') throw new Error(verified.kind);
  const now = () => waitingOf(verified.listId).then((answer) => groupsIn(answer!));
  await until(async () => expect(await now()).toEqual([['timeout', 'mx.mute.test', 1, 1]]));
  checker.release();
  await until(async () => expect(await now()).toEqual([['timeout', null, 1, 2]]));
  await singles.stop();
  await node.stop();
  await notifications.stop();
});
