import { steadyNow } from '@mxproof/common/steady-now';
import type { Evidence, Finding } from '@mxproof/engine';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { addresses, quiet, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { accepted } from '../../test/verdicts.ts';
import { createContext } from '../flow/context.ts';
import { deleteList } from '../flow/delete-list.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { readClaimed } from '../store/chunks.ts';
import { createJobs } from '../store/jobs.ts';
import { lockList } from '../store/lists.ts';
import { ClaimedChunk } from './claimed-chunk.ts';
import { createClaimedChunks } from './claimed-chunks.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createWriter } from './writer.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const realNow = performance.now.bind(performance);
const CLAIMED_SINCE_MS = 5_000;
const FINDING = {
  ...accepted,
  email: 'ok0@example.com',
  evidence: { dialogue: [], session: [] } as Partial<Evidence>,
} as Finding;

function nodeOf(sources: readonly string[] = []) {
  const claimedChunks = createClaimedChunks();
  const checker = createFakeChecker();
  const stop = new AbortController();
  let met = 0;
  let warned = 0;
  const unfinished: number[][] = [];
  const jobs = createJobs(service.db, { safetyNetSeconds: 0 });
  const heartbeat = createHeartbeat({
    context: createContext(service.db, jobs, service.box),
    claimedChunks,
    checker,
    sources,
    stopping: stop.signal,
    log: Object.assign(Object.create(quiet), { warn: () => warned++ }),
    onMet: () => met++,
    onUnfinished: (listIds) => unfinished.push([...listIds]),
  });
  return { heartbeat, claimedChunks, checker, stop, unfinished, met: () => met, warned: () => warned };
}

/** Claims all chunks of a new list of so many. */
async function claim({ claimedChunks }: ReturnType<typeof nodeOf>, count: number): Promise<ClaimedChunk[]> {
  const list = await service.submit(addresses(count * 250));
  const claimed = await service.context.jobs.claimChunks({ limit: count, notFrom: [] });
  const rows = await readClaimed(
    service.db,
    claimed.map(({ job }) => job),
  );
  const chunks = claimed.map((one) => {
    const row = rows.find(({ listId, n }) => listId === list.id && n === one.job.n)!;
    return new ClaimedChunk(one, row, CLAIMED_SINCE_MS);
  });
  for (const one of chunks) claimedChunks.add(one);
  return chunks;
}

const isLost = (chunks: readonly ClaimedChunk[]) => chunks.map((one) => one.isLost);
const isStopping = (chunks: readonly ClaimedChunk[]) => chunks.map((one) => one.isStopping);
const takenOver = (one: ClaimedChunk) =>
  service.db.query('UPDATE mxproof.jobs SET claims = claims + 1 WHERE id = $1', [one.jobId]);

/** As if the last renewal were long past. */
const age = () => service.db.query(`UPDATE mxproof.jobs SET renewed_at = now() - interval '1 hour'`);

/** What every node does with each beat: claims that were not renewed can be claimed by any node. */
const supervise = () => service.context.jobs.giveBackLapsed();

/** Whether each is still this node's, once more as supervision and the next beat see it. */
async function fate(chunks: readonly ClaimedChunk[]): Promise<string[]> {
  const ours = await service.context.jobs.renewIn(
    service.db,
    chunks.map(({ claimed }) => claimed.claim),
  );
  return chunks.map((one) => (!one.isLost && ours.has(one.jobId) ? 'claimed' : 'lost'));
}

async function renewed(): Promise<number[]> {
  const jobs = await service.db.query<{ id: number }>(
    `SELECT id FROM mxproof.jobs WHERE renewed_at > now() - interval '30 minutes'`,
  );
  return jobs.map(({ id }) => id).sort();
}

test('the first beat makes the other nodes known, to the checker too, and a node that leaves takes no share', async () => {
  const one = nodeOf(['192.0.2.1']);
  const other = nodeOf(['192.0.2.2']);
  expect(one.heartbeat.others).toBeNull();
  await one.heartbeat.beat();
  await other.heartbeat.beat();
  await one.heartbeat.beat();
  expect(one.heartbeat.others).toEqual({ count: 1, sources: ['192.0.2.2'] });
  expect([one.met(), other.met()]).toEqual([1, 1]);
  expect(one.checker.liveNodes).toBe(2);
  // One that was never known does not become known while it stops.
  for (const leaving of [other, nodeOf(['192.0.2.3'])]) {
    leaving.stop.abort();
    await leaving.heartbeat.leave();
    await leaving.heartbeat.beat();
  }
  await one.heartbeat.beat();
  expect(one.heartbeat.others).toEqual({ count: 0, sources: ['192.0.2.2'] });
  expect(one.checker.liveNodes).toBe(1);
});

test('the checker knows whether one account asks or several; a test account is not counted', async () => {
  const { heartbeat, checker } = nodeOf();
  const beat = async () => {
    await heartbeat.beat();
    return checker.hasSeveralPayers;
  };
  const one = await service.db.query<{ id: number }>('SELECT id FROM mxproof.accounts WHERE test_of IS NULL');
  expect([one.length, await beat()]).toEqual([1, false]);
  await service.open();
  expect(await beat()).toBe(true);
});

test('claims are renewed; one that another node has taken is lost, and only that one', async () => {
  const node = nodeOf();
  const chunks = await claim(node, 3);
  await age();
  await takenOver(chunks[1]!);
  await node.heartbeat.beat();
  expect(isLost(chunks)).toEqual([false, true, false]);
  // Of the claim, and of the node that has it, which was never heard of.
  expect(node.warned()).toBe(2);
  expect(await renewed()).toEqual([chunks[0]!.jobId, chunks[2]!.jobId].sort());
});

test('a claim is renewed while the findings of its chunk are being written, however long that takes', async () => {
  const node = nodeOf();
  const chunks = await claim(node, 2);
  const writer = createWriter({
    context: service.context,
    claimedChunks: node.claimedChunks,
    checker: createFakeChecker(),
    keepEvidence: true,
    log: quiet,
    onMadeRoom() {},
    onDeferred() {},
  });
  await age();
  for (const one of chunks) one.keepOutcome(0, { kind: 'final', finding: FINDING }, steadyNow);
  await service.db.transaction(async (tx) => {
    // The write has begun, and waits for the list.
    await lockList(tx, chunks[0]!.listId);
    writer.tick(steadyNow());
    expect(writer.idle).toBe(false);
    await node.heartbeat.beat();
    expect(await renewed()).toEqual(chunks.map(({ jobId }) => jobId).sort());
  });
  await until(() => expect(writer.idle).toBe(true));
  expect(await fate(chunks)).toEqual(['claimed', 'claimed']);
});

test('a renewal does not wait for a transaction that has a claim, and the claim is not lost', async () => {
  const node = nodeOf();
  const chunks = await claim(node, 2);
  await age();
  await service.db.transaction(async (tx) => {
    await service.context.jobs.renewIn(tx, [chunks[0]!.claimed.claim]);
    await node.heartbeat.beat();
    expect(await renewed()).toEqual([chunks[1]!.jobId]);
  });
  expect(await fate(chunks)).toEqual(['claimed', 'claimed']);
});

test('a claim that lapsed is taken back, unless another node has taken it', async () => {
  const node = nodeOf();
  const chunks = await claim(node, 2);
  await age();
  await supervise();
  const [taken] = await service.context.jobs.claimChunks({ limit: 1, notFrom: [] });
  await node.heartbeat.beat();
  expect(chunks.filter((one) => one.isLost).map(({ jobId }) => jobId)).toEqual([taken!.claim.jobId]);
  expect(await service.context.jobs.claimChunks({ limit: 2, notFrom: [] })).toEqual([]);
  await supervise();
  expect(await fate(chunks)).toEqual(
    chunks.map(({ jobId }) => (jobId === taken!.claim.jobId ? 'lost' : 'claimed')),
  );
});

test('a chunk whose job this node has ended is not taken for lost', async () => {
  const node = nodeOf();
  const chunks = await claim(node, 2);
  // As between the end of its transaction and the writer hearing of it.
  chunks[0]!.handBackOpen(steadyNow());
  await service.context.jobs.finish(service.db, [chunks[0]!.claimed.claim]);
  await node.heartbeat.beat();
  expect(isLost(chunks)).toEqual([false, false]);
  expect(node.warned()).toBe(0);
});

test('a list that is gone stops, and the lists that go on are told', async () => {
  const node = nodeOf();
  const gone = await claim(node, 1);
  const going = await claim(node, 1);
  await deleteList(service.context, THE_SERVICE, gone[0]!.listId, service.accountId);
  await node.heartbeat.beat();
  expect(isStopping([...gone, ...going])).toEqual([true, false]);
  expect(node.unfinished).toEqual([[going[0]!.listId]]);
});

test('ten seconds without a renewal stop what was claimed that long ago, and nothing newer', async () => {
  const node = nodeOf();
  const chunks = await claim(node, 1);
  const beforeMs = steadyNow();
  await node.heartbeat.beat();
  const afterMs = steadyNow();
  node.heartbeat.checkLease(beforeMs + 10_000);
  expect(isStopping(chunks)).toEqual([false]);
  const [row] = await readClaimed(service.db, [chunks[0]!.claimed.job]);
  const fresh = new ClaimedChunk(chunks[0]!.claimed, row!, afterMs + 1);
  node.claimedChunks.add(fresh);
  node.heartbeat.checkLease(afterMs + 10_001);
  expect(isStopping([...chunks, fresh])).toEqual([true, false]);
});

test('a node that the database was lost to gives nothing back until the others had time to be heard again', async () => {
  const node = nodeOf();
  await node.heartbeat.beat();
  await claim(nodeOf(), 1);
  await age();
  const isClaimed = async () => {
    const [job] = await service.db.query('SELECT is_claimed FROM mxproof.jobs');
    return job!.is_claimed;
  };
  let aheadMs = 11_000;
  const spied = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + aheadMs);
  try {
    await node.heartbeat.beat();
    expect(await isClaimed()).toBe(true);
    aheadMs += 5_000;
    await node.heartbeat.beat();
    expect(await isClaimed()).toBe(true);
    aheadMs += 5_000;
    await node.heartbeat.beat();
    expect(await isClaimed()).toBe(false);
  } finally {
    spied.mockRestore();
  }
});
