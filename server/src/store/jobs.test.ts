// What our statements rest on in pg-boss's own tables, which are no interface of it: an update that changes any of this
// must fail here, not in a running service.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../test/service.ts';
import type { Tx } from './database.ts';
import { type Claim, type Claimed, QUEUE, waitingPositions } from './jobs.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('the job table has the columns that our statements name, and their types', async () => {
  const columns = await service.db.query<{ column_name: string; type: string }>(
    `SELECT column_name, udt_name AS type FROM information_schema.columns
     WHERE table_schema = 'mxproof_jobs' AND table_name = 'job'`,
  );
  const types = Object.fromEntries(columns.map(({ column_name, type }) => [column_name, type]));
  expect(types).toMatchObject({
    id: 'uuid',
    name: 'text',
    data: 'jsonb',
    state: 'job_state',
    start_after: 'timestamptz',
    retry_count: 'int4',
    heartbeat_on: 'timestamptz',
    priority: 'int4',
    group_id: 'text',
    blocked: 'bool',
    created_on: 'timestamptz',
    started_on: 'timestamptz',
  });
});

test('states that come before "active" are the ones a job waits in', async () => {
  const states = await service.db.query<{ state: string }>(
    'SELECT unnest(enum_range(NULL::mxproof_jobs.job_state)) AS state',
  );
  expect(states.map(({ state }) => state)).toEqual([
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed',
  ]);
});

test('a job is enqueued, counted, held and finished; whoever lost it changes nothing', async () => {
  const { db, context } = service;
  const { jobs } = context;
  await db.transaction((tx) =>
    jobs.enqueueLists(tx, [{ listId: 7, accountId: 1, chunkCount: 1, single: false }]),
  );
  expect(await jobs.countChunks()).toEqual({ ready: 1, held: 0 });
  const [claimed] = await jobs.claimChunks({ limit: 1, notFrom: [] });
  expect(await jobs.countChunks()).toEqual({ ready: 0, held: 1 });
  const { claim } = claimed as Claimed<unknown>;
  const lost = { ...claim, retryCount: claim.retryCount + 1 };
  expect(await jobs.hold(db, QUEUE.chunk, [claim])).toEqual(new Set([claim.id]));
  expect(await jobs.finish(db, QUEUE.chunk, [lost])).toEqual(new Set());
  expect(await jobs.finish(db, QUEUE.chunk, [claim])).toEqual(new Set([claim.id]));
  expect(await jobs.countChunks()).toEqual({ ready: 0, held: 0 });
});

test('a claim that lapsed is held, renewed and finished as before, until the job is claimed again', async () => {
  const { db, context } = service;
  const { jobs } = context;
  await db.transaction((tx) =>
    jobs.enqueueLists(tx, [{ listId: 7, accountId: 1, chunkCount: 1, single: false }]),
  );
  const claimOne = async () => (await jobs.claimChunks({ limit: 1, notFrom: [] }))[0]?.claim;
  // What supervision does to it.
  const lapse = () => db.query(`UPDATE mxproof_jobs.job SET state = 'retry', heartbeat_on = NULL`);
  const first = (await claimOne())!;
  const ways = [
    (claim: Claim) => jobs.hold(db, QUEUE.chunk, [claim]),
    (claim: Claim) => jobs.renew(QUEUE.chunk, [claim]),
    (claim: Claim) => jobs.finish(db, QUEUE.chunk, [claim]),
  ];
  for (const way of ways.slice(0, 2)) {
    await lapse();
    expect(await way(first)).toEqual(new Set([first.id]));
    expect(await claimOne()).toBeUndefined();
  }
  await lapse();
  const second = (await claimOne())!;
  for (const lapsed of [false, true]) {
    if (lapsed) await lapse();
    for (const way of ways) expect(await way(first)).toEqual(new Set());
  }
  expect(await jobs.finish(db, QUEUE.chunk, [second])).toEqual(new Set([second.id]));
  expect(await jobs.countChunks()).toEqual({ ready: 0, held: 0 });
});

test('what waits of one list is found without reading the jobs of others', async () => {
  const { db, context } = service;
  const waitingJob = (listId: number) => ({
    job: { listId, n: 0, owner: 1, waiting: [{ position: listId % 250 }] },
    group: { positions: [], source: null, afterMs: 3_600_000 },
  });
  await db.transaction((tx) =>
    context.jobs.enqueueWaiting(
      tx,
      Array.from({ length: 2_000 }, (_, n) => waitingJob(1_000 + n)),
    ),
  );
  expect(await waitingPositions(db, 1_234)).toEqual(new Map([['0 234', undefined]]));
  await db.query('ANALYZE mxproof_jobs.job');
  const explaining = {
    async query(text: string, values: readonly unknown[]) {
      const rows = await db.query(`EXPLAIN ${text}`, values);
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Scan');
      return [];
    },
  } as Partial<Tx> as Tx;
  await waitingPositions(explaining, 1_234);
});
