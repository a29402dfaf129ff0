import { steadyNow } from '@mxproof/common/steady-now';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker, type FakeOptions } from '../../test/fake-checker.ts';
import { addresses, quiet, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import type { OtherNodes } from '../store/nodes.ts';
import { createChunkClaimer } from './claim-chunks.ts';
import { createClaimedChunks } from './claimed-chunks.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const ALONE: OtherNodes = { count: 0, sources: [] };

function claimerOf(others: OtherNodes | null = ALONE, fake: FakeOptions = {}) {
  const checker = createFakeChecker({ width: 10_000, ...fake });
  const claimedChunks = createClaimedChunks();
  const stop = new AbortController();
  const over: number[] = [];
  const claimer = createChunkClaimer({
    context: service.context,
    checker,
    claimedChunks,
    others: () => others,
    stopping: stop.signal,
    log: quiet,
    onOver: (listId) => over.push(listId),
    onResumed() {},
  });
  return { claimer, checker, claimedChunks, stop, over };
}

const statusOf = async (listId: number) => (await service.list(listId))?.status;

test('nothing is claimed before the other nodes are known, nor by a node that stops', async () => {
  await service.submit(addresses(10));
  const early = claimerOf(null);
  await early.claimer.claim();
  const stopped = claimerOf();
  stopped.stop.abort();
  await stopped.claimer.claim();
  expect([early.claimedChunks.size, stopped.claimedChunks.size]).toEqual([0, 0]);
  expect(await service.context.jobs.countChunks()).toEqual({ ready: 1, claimed: 0 });
});

test('a list is shown as checking when its first chunk is claimed; a chunk that is over is reported', async () => {
  const { claimer, checker, claimedChunks, over } = claimerOf();
  const list = await service.submit(addresses(500, 'slow'));
  expect(await statusOf(list.id)).toBe('processing');
  await claimer.claim();
  expect(await statusOf(list.id)).toBe('checking');
  expect([claimedChunks.size, checker.asked.size, over]).toEqual([2, 500, []]);
  checker.release();
  await until(() => expect(over).toEqual([list.id, list.id]));
});

test('a lapsed claim that comes back to its node goes on; only what another node had is asked again', async () => {
  const { claimer, checker, claimedChunks } = claimerOf();
  await service.submit(addresses(500, 'slow'));
  await claimer.claim();
  const chunks = claimedChunks.all().sort((one, other) => one.n - other.n);
  // What supervision does to it. One of them was another node's meanwhile.
  await service.db.query(`UPDATE mxproof.jobs SET is_claimed = false`);
  await service.db.query(`UPDATE mxproof.jobs SET claims = claims + 1 WHERE (data->>'n')::int = 1`);
  await claimer.claim();
  expect(
    claimedChunks
      .all()
      .map(({ n }) => n)
      .sort(),
  ).toEqual([0, 1, 1]);
  const ours = await service.context.jobs.renew([chunks[0]!.claimed.claim]);
  expect(ours).toEqual(new Set([chunks[0]!.jobId]));
  const askedTwice = [...checker.asked.values()].filter((times) => times > 1);
  expect(askedTwice).toHaveLength(250);
});

test('a node holds 20,000 addresses and leaves the rest where others can claim it', async () => {
  const { claimer, claimedChunks } = claimerOf();
  await service.submit(addresses(25_000, 'slow'));
  await claimer.claim();
  expect(claimedChunks.size).toBe(80);
  expect(await service.context.jobs.countChunks()).toEqual({ ready: 20, claimed: 80 });
});

// The larger list is more than is counted at first.
test.each([5_000, 25_000])('a node beside another takes its half of %d addresses', async (count) => {
  const { claimer, claimedChunks } = claimerOf({ count: 1, sources: [] });
  await service.submit(addresses(count, 'slow'));
  await claimer.claim();
  expect(claimedChunks.size).toBe(count / 250 / 2);
});

test('work bound to the source address of another node is left to it', async () => {
  const { claimer, claimedChunks } = claimerOf({ count: 1, sources: ['192.0.2.2'] });
  await service.submit(addresses(10, 'slow'));
  await service.db.query(`UPDATE mxproof.jobs SET bound_to = '192.0.2.2'`);
  await claimer.claim();
  expect(claimedChunks.size).toBe(0);
});

test('while nothing is reachable one chunk is tried, and none before the interval has passed again', async () => {
  const { claimer, checker, claimedChunks } = claimerOf();
  checker.reachable = false;
  await service.submit(addresses(1_000, 'slow'));
  claimer.delayNextTry(steadyNow() + 60_000);
  await claimer.claim();
  expect(claimedChunks.size).toBe(0);
  claimer.delayNextTry(steadyNow() - 5_000);
  await claimer.claim();
  expect(claimedChunks.size).toBe(1);
  claimer.delayNextTry(steadyNow() - 5_000);
  await claimer.claim();
  expect(claimedChunks.size).toBe(1);
});

test('a chunk with nothing left to ask is finished, and one that cannot be read is a counted failure', async () => {
  const { claimer, claimedChunks } = claimerOf();
  const gone = await service.submit(addresses(1));
  await service.db.query('DELETE FROM mxproof.lists WHERE id = $1', [gone.id]);
  await service.submit(addresses(1));
  await service.db.query(`UPDATE mxproof.chunks SET emails = 'no JSON'`);
  await claimer.claim();
  expect(claimedChunks.size).toBe(0);
  expect(await service.db.query('SELECT failures FROM mxproof.chunks')).toEqual([{ failures: 1 }]);
  expect(await service.db.query('SELECT id FROM mxproof.jobs')).toHaveLength(1);
});
