import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../test/service.ts';
import type { Tx } from './database.ts';
import { type Claim, type ClaimedJob, createJobs, waitingPositions } from './jobs.ts';
import { leaveNodes, meetNodes } from './nodes.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('a job is enqueued, counted, renewed and finished; a node that lost it changes nothing', async () => {
  const { db, context } = service;
  const { jobs } = context;
  await db.transaction((tx) =>
    jobs.enqueueLists(tx, [{ listId: 7, accountId: 1, chunkCount: 1, single: false }]),
  );
  expect(await jobs.countChunks()).toEqual({ ready: 1, claimed: 0 });
  const [claimed] = await jobs.claimChunks({ limit: 1, notFrom: [] });
  expect(await jobs.countChunks()).toEqual({ ready: 0, claimed: 1 });
  const { claim } = claimed as ClaimedJob<unknown>;
  const lost = { ...claim, number: claim.number + 1 };
  expect(await jobs.renewIn(db, [claim])).toEqual(new Set([claim.jobId]));
  expect(await jobs.finish(db, [lost])).toEqual(new Set());
  expect(await jobs.finish(db, [claim])).toEqual(new Set([claim.jobId]));
  expect(await jobs.countChunks()).toEqual({ ready: 0, claimed: 0 });
});

test('a claim that lapsed is renewed and finished as before, until the job is claimed again', async () => {
  const { db, context } = service;
  const { jobs } = context;
  await db.transaction((tx) =>
    jobs.enqueueLists(tx, [{ listId: 7, accountId: 1, chunkCount: 1, single: false }]),
  );
  const claimOne = async () => (await jobs.claimChunks({ limit: 1, notFrom: [] }))[0]?.claim;
  // What supervision does to it.
  const lapse = () => db.query(`UPDATE mxproof.jobs SET is_claimed = false`);
  const first = (await claimOne())!;
  const ways = [
    (claim: Claim) => jobs.renewIn(db, [claim]),
    (claim: Claim) => jobs.renew([claim]),
    (claim: Claim) => jobs.finish(db, [claim]),
  ];
  for (const way of ways.slice(0, 2)) {
    await lapse();
    expect(await way(first)).toEqual(new Set([first.jobId]));
    expect(await claimOne()).toBeUndefined();
  }
  await lapse();
  const second = (await claimOne())!;
  for (const lapsed of [false, true]) {
    if (lapsed) await lapse();
    for (const way of ways) expect(await way(first)).toEqual(new Set());
  }
  expect(await jobs.finish(db, [second])).toEqual(new Set([second.jobId]));
  expect(await jobs.countChunks()).toEqual({ ready: 0, claimed: 0 });
});

test('what waits of one list is found without reading the jobs of others', async () => {
  const { db, context } = service;
  const waitingJob = (listId: number) => ({
    job: { listId, accountId: 1, n: 0, owner: 1, waiting: [{ position: listId % 250 }] },
    group: { positions: [], source: null, afterMs: 3_600_000 },
  });
  await db.transaction((tx) =>
    context.jobs.enqueueWaiting(
      tx,
      Array.from({ length: 2_000 }, (_, n) => waitingJob(1_000 + n)),
    ),
  );
  expect(await waitingPositions(db, 1_234)).toEqual(new Map([['0 234', undefined]]));
  await db.query('ANALYZE mxproof.jobs');
  const explaining = {
    async query(text: string, values: readonly unknown[]) {
      const rows = await db.query(`EXPLAIN ${text}`, values);
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Scan');
      return [];
    },
  } as Partial<Tx> as Tx;
  await waitingPositions(explaining, 1_234);
});

/** A node that has claimed the only job, and then fell silent for longer than a claim lasts. */
async function silentNode(fate: 'lives' | 'left' | 'dead', listId: number): Promise<void> {
  const { db } = service;
  const jobs = createJobs(db, { safetyNetSeconds: 15 });
  await meetNodes(db, jobs.nodeId, []);
  const claimed = await jobs.claimChunks({ limit: 1, notFrom: [] });
  expect(claimed.map(({ job }) => job.listId)).toEqual([listId]);
  await db.query(`UPDATE mxproof.jobs SET renewed_at = now() - interval '1 minute' WHERE is_claimed`);
  if (fate === 'left') await leaveNodes(db, jobs.nodeId);
  if (fate !== 'lives')
    await db.query(`UPDATE mxproof.nodes SET seen_at = now() - interval '1 minute' WHERE id = $1`, [
      jobs.nodeId,
    ]);
}

test('a chunk that was claimed at two deaths goes on alone; lapses of nodes that live or have left are no deaths', async () => {
  const { db, context } = service;
  const { jobs } = context;
  await db.query('DELETE FROM mxproof.jobs');
  await jobs.enqueueLists(db, [{ listId: 7, accountId: 1, chunkCount: 1, single: false }]);
  const moved = [];
  for (const fate of ['lives', 'dead', 'left', 'lives', 'dead'] as const) {
    await silentNode(fate, 7);
    moved.push(await jobs.giveBackLapsed());
  }
  expect(moved.map(({ alone }) => alone)).toEqual([
    ...[[], [], [], []],
    [{ listId: 7, accountId: 1, n: 0, alone: 0 }],
  ]);
  expect(moved.map(({ dead }) => [...dead.values()])).toEqual([[], [1], [], [], [1]]);
  expect(await jobs.claimChunks({ limit: 1, notFrom: [] })).toEqual([]);
  const [alone] = await jobs.claimAlone({ limit: 1, accounts: [], notFrom: [] });
  // What becomes of it goes on alone too.
  const group = { positions: [], source: null, afterMs: 0 };
  await jobs.enqueueWaiting(db, [{ job: { ...alone!.job, owner: 1 }, group }]);
  expect(await jobs.claimChunks({ limit: 1, notFrom: [] })).toEqual([]);
  expect(await jobs.claimAlone({ limit: 1, accounts: [], notFrom: [] })).toMatchObject([
    { job: { owner: 1, alone: 0 } },
  ]);
});

test('the node that began a single check counts, although it never claimed it', async () => {
  const { db, context } = service;
  await db.query('DELETE FROM mxproof.jobs');
  const dead = createJobs(db, { safetyNetSeconds: 15 });
  await dead.enqueueLists(db, [{ listId: 8, accountId: 1, chunkCount: 1, single: true }]);
  await db.query('UPDATE mxproof.jobs SET due_at = now()');
  await silentNode('dead', 8);
  expect(await context.jobs.giveBackLapsed()).toMatchObject({ alone: [{ listId: 8, alone: 0 }] });
});
