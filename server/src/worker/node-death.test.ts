import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { verifyLedger } from '../store/verify-ledger.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

/** As if their node had been silent for longer than a heartbeat. */
async function silence(): Promise<void> {
  await service.db.query(`UPDATE mxproof.jobs SET renewed_at = now() - interval '1 minute' WHERE is_claimed`);
}

test("a dead node's chunks are taken over, and its death is not counted as a failure of the chunk", async () => {
  const list = await service.submit(addresses(600));
  const taken = await service.context.jobs.claimChunks({ limit: 2, notFrom: [] });
  expect(taken).toHaveLength(2);
  await silence();
  const checker = createFakeChecker();
  await service.node(checker);
  await service.done(list.id);
  const failures = await service.db.query('SELECT DISTINCT failures FROM mxproof.chunks');
  expect(failures).toEqual([{ failures: 0 }]);
  expect([...checker.asked.values()].every((times) => times === 1)).toBe(true);
});

test('a node thought dead writes late: positions become final once, and only one owner goes on', async () => {
  const zombie = createFakeChecker({ width: 5 });
  const first = await service.node(zombie);
  const list = await service.submit([...addresses(5, 'slow'), ...addresses(20), ...addresses(5, 'unknown')]);
  await until(() => expect(zombie.asked.size).toBe(5));
  // As if another node had claimed it meanwhile, and died.
  await service.db.query(`UPDATE mxproof.jobs SET claims = claims + 1 WHERE is_claimed`);
  zombie.reachable = false;
  await silence();
  const other = createFakeChecker();
  await service.node(other);
  await until(() => expect(other.asked.size).toBe(30));
  zombie.release();
  await until(async () => {
    other.release();
    return (await service.list(list.id))?.status === 'done';
  });
  await first.stop();
  await first.close();
  expect(zombie.asked.size).toBe(5);
  expect(await service.list(list.id)).toMatchObject({ checked: 30, deliverable: 25, unknown: 5 });
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test('a node that stops hands back what is unasked at once, and writes what is in flight', async () => {
  const stopping = createFakeChecker({ width: 10 });
  const node = await service.node(stopping);
  const list = await service.submit(addresses(1_010, 'slow'));
  await until(() => expect(stopping.asked.size).toBe(10));
  const stopped = node.stop();
  const other = createFakeChecker({ width: 2_000 });
  await service.node(other);
  // The unasked ones are asked by the other node while the ten are still in flight here.
  await until(() => expect(other.asked.size).toBe(1_000));
  other.release();
  stopping.release();
  await stopped;
  await node.close();
  await service.done(list.id);
  for (const [email, times] of other.asked)
    expect([email, times + (stopping.asked.get(email) ?? 0)]).toEqual([email, 1]);
});

test('cut connections cost time and nothing else', async () => {
  const checker = createFakeChecker({ width: 100, replyMs: 10 });
  await service.node(checker);
  const list = await service.submit([...addresses(3_000), ...addresses(50, 'unknown')]);
  for (const asked of [500, 1_000, 1_500, 2_000, 2_500]) {
    await until(() => checker.asked.size >= asked);
    // The connection that cuts the others may be one that the last cut broke.
    await until(() =>
      service.db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      ),
    );
  }
  await service.done(list.id);
  expect(await service.list(list.id)).toMatchObject({ checked: 3_050, deliverable: 3_000, unknown: 50 });
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});
