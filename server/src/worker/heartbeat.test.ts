import { steadyNow } from '@mxproof/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addresses, quiet, startTestService, type TestService } from '../../test/service.ts';
import { deleteList } from '../flow/delete-list.ts';
import { readClaimed } from '../store/chunks.ts';
import { createClaimedChunks } from './claimed-chunks.ts';
import { createHeartbeat } from './heartbeat.ts';
import { HeldChunk } from './held-chunk.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const HELD_SINCE_MS = 5_000;

function nodeOf(sources: readonly string[] = []) {
  const claimedChunks = createClaimedChunks();
  const stop = new AbortController();
  let met = 0;
  const unfinished: number[][] = [];
  const heartbeat = createHeartbeat({
    context: service.context,
    claimedChunks,
    sources,
    stopping: stop.signal,
    log: quiet,
    onMet: () => met++,
    onUnfinished: (listIds) => unfinished.push([...listIds]),
  });
  return { heartbeat, claimedChunks, stop, unfinished, met: () => met };
}

/** Claims all chunks of a new list of so many. */
async function claim({ claimedChunks }: ReturnType<typeof nodeOf>, chunks: number): Promise<HeldChunk[]> {
  const list = await service.submit(addresses(chunks * 250));
  const claimed = await service.context.jobs.claimChunks({ limit: chunks, notFrom: [] });
  const rows = await readClaimed(
    service.db,
    claimed.map(({ job }) => job),
  );
  const held = claimed.map((one) => {
    const row = rows.find(({ listId, n }) => listId === list.id && n === one.job.n)!;
    return new HeldChunk(one, row, HELD_SINCE_MS);
  });
  for (const one of held) claimedChunks.add(one);
  return held;
}

const isLost = (held: readonly HeldChunk[]) => held.map((one) => one.isLost);
const isStopping = (held: readonly HeldChunk[]) => held.map((one) => one.isStopping);
const takenOver = (one: HeldChunk) =>
  service.db.query('UPDATE mxproof_jobs.job SET retry_count = retry_count + 1 WHERE id = $1', [one.claimId]);

async function renewed(): Promise<string[]> {
  const jobs = await service.db.query<{ id: string }>(
    `SELECT id FROM mxproof_jobs.job WHERE heartbeat_on > now() - interval '30 minutes'`,
  );
  return jobs.map(({ id }) => id).sort();
}

test('the first beat makes the other nodes known, and a node that leaves takes no share', async () => {
  const one = nodeOf(['192.0.2.1']);
  const other = nodeOf(['192.0.2.2']);
  expect(one.heartbeat.others).toBeNull();
  await one.heartbeat.beat();
  await other.heartbeat.beat();
  await one.heartbeat.beat();
  expect(one.heartbeat.others).toEqual({ count: 1, sources: ['192.0.2.2'] });
  expect([one.met(), other.met()]).toEqual([1, 1]);
  // One that was never known does not become known while it stops.
  for (const leaving of [other, nodeOf(['192.0.2.3'])]) {
    leaving.stop.abort();
    await leaving.heartbeat.leave();
    await leaving.heartbeat.beat();
  }
  await one.heartbeat.beat();
  expect(one.heartbeat.others).toEqual({ count: 0, sources: ['192.0.2.2'] });
});

test('claims are renewed; one that another node has taken is lost, and only that one', async () => {
  const node = nodeOf();
  const held = await claim(node, 3);
  await service.db.query(`UPDATE mxproof_jobs.job SET heartbeat_on = now() - interval '1 hour'`);
  await takenOver(held[1]!);
  await node.heartbeat.beat();
  expect(isLost(held)).toEqual([false, true, false]);
  expect(await renewed()).toEqual([held[0]!.claimId, held[2]!.claimId].sort());
});

test('a claim that the writer has in its transaction is left to it', async () => {
  const node = nodeOf();
  const held = await claim(node, 2);
  await service.db.query(`UPDATE mxproof_jobs.job SET heartbeat_on = now() - interval '1 hour'`);
  held[0]!.beginWrite();
  await node.heartbeat.beat();
  expect(await renewed()).toEqual([held[1]!.claimId]);
  for (const one of held) await takenOver(one);
  await node.heartbeat.beat();
  expect(isLost(held)).toEqual([false, true]);
  held[0]!.endWrite();
  await node.heartbeat.beat();
  expect(isLost(held)).toEqual([true, true]);
});

test('a list that is gone stops, and the lists that go on are told', async () => {
  const node = nodeOf();
  const gone = await claim(node, 1);
  const going = await claim(node, 1);
  await deleteList(service.context, gone[0]!.listId, service.accountId);
  await node.heartbeat.beat();
  expect(isStopping([...gone, ...going])).toEqual([true, false]);
  expect(node.unfinished).toEqual([[going[0]!.listId]]);
});

test('ten seconds without a renewal stop what has been held for so long, and nothing newer', async () => {
  const node = nodeOf();
  const held = await claim(node, 1);
  const beforeMs = steadyNow();
  await node.heartbeat.beat();
  const afterMs = steadyNow();
  node.heartbeat.checkLease(beforeMs + 10_000);
  expect(isStopping(held)).toEqual([false]);
  const [row] = await readClaimed(service.db, [held[0]!.claimed.job]);
  const fresh = new HeldChunk(held[0]!.claimed, row!, afterMs + 1);
  node.claimedChunks.add(fresh);
  node.heartbeat.checkLease(afterMs + 10_001);
  expect(isStopping([...held, fresh])).toEqual([true, false]);
});
