import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { startTestService, type TestService } from '../../test/service.ts';
import { endLateList } from '../flow/end-late-list.ts';
import { readPage } from '../flow/read-results.ts';
import { verifyLedger } from '../store/ledger.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const until = (what: () => Promise<void> | void) => vi.waitFor(what, { timeout: 20_000, interval: 25 });
const addresses = (count: number, kind = 'ok') =>
  Array.from({ length: count }, (_, index) => `${kind}${index}@example.com`);
const isDone = async (listId: number) => expect((await service.list(listId))?.status).toBe('done');

/** As if their node had been silent for longer than a heartbeat. */
async function silence(): Promise<void> {
  await service.db.query(
    `UPDATE mxproof_jobs.job SET heartbeat_on = now() - interval '1 minute' WHERE state = 'active'`,
  );
}
async function hurryDelayedJobs(): Promise<void> {
  await service.db.query(`UPDATE mxproof_jobs.job SET start_after = now() WHERE state < 'active'`);
}

test("a dead node's chunks are taken over, and its death counts as nobody's failure", async () => {
  const list = await service.submit(addresses(600));
  const taken = await service.context.jobs.claimChunks({ limit: 2, notFrom: [], sharers: 1 });
  expect(taken).toHaveLength(2);
  await silence();
  const checker = createFakeChecker();
  await service.node(checker);
  await until(() => isDone(list.id));
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
  await service.db.query(`UPDATE mxproof_jobs.job SET retry_count = retry_count + 1 WHERE state = 'active'`);
  zombie.reachable = false;
  await silence();
  const other = createFakeChecker();
  await service.node(other);
  await until(() => expect(other.asked.size).toBe(30));
  zombie.release();
  await until(() => {
    other.release();
    return isDone(list.id);
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
  await until(() => isDone(list.id));
  for (const [email, times] of other.asked)
    expect([email, times + (stopping.asked.get(email) ?? 0)]).toEqual([email, 1]);
});

test('a defect is tried again three times, counted by us, then the list is failed with its cause', async () => {
  await service.node(createFakeChecker({ defectiveFor: (email) => email.startsWith('bad') }));
  const list = await service.submit([...addresses(250), 'bad@example.com']);
  const failures = async () =>
    (await service.db.query<{ failures: number }>('SELECT failures FROM mxproof.chunks WHERE n = 1'))[0]
      ?.failures;
  for (const tries of [1, 2, 3]) {
    await until(async () => expect(await failures()).toBe(tries));
    expect((await service.list(list.id))?.status).toBe('checking');
    await hurryDelayedJobs();
  }
  await until(async () => expect((await service.list(list.id))?.status).toBe('failed'));
  expect((await service.list(list.id))?.failure).toBe('chunk 1: Error: a defect in the checker');
  expect(await service.list(list.id)).toMatchObject({ checked: 250, deliverable: 250 });
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test('a stored chunk that cannot be read is such a defect too', async () => {
  const list = await service.submit(addresses(3));
  await service.db.query(`UPDATE mxproof.chunks SET emails = 'no JSON'`);
  await service.node(createFakeChecker());
  for (const _ of [1, 2, 3, 4]) {
    await hurryDelayedJobs();
    await new Promise((resolve) => setTimeout(resolve, 600));
  }
  await until(async () => expect((await service.list(list.id))?.status).toBe('failed'));
});

test('while nothing is reachable lists wait: nothing is counted or ended', async () => {
  const checker = createFakeChecker();
  checker.reachable = false;
  await service.node(checker);
  const list = await service.submit(addresses(1_000));
  // One chunk is tried, for the engine to learn by; the others stay where they are.
  await until(() => expect(checker.asked.size).toBe(250));
  await until(async () => {
    const jobs = await service.db.query(`SELECT id FROM mxproof_jobs.job WHERE data ? 'waiting'`);
    expect(jobs).toHaveLength(1);
  });
  expect(checker.asked.size).toBe(250);
  expect(await service.list(list.id)).toMatchObject({ checked: 0, status: 'checking' });
  checker.reachable = true;
  await hurryDelayedJobs();
  await until(() => isDone(list.id));
});

test('when its time is over, what is left of a list is unknown, refunded, and said why', async () => {
  const checker = createFakeChecker({ laterMs: 3_600_000 });
  await service.node(checker);
  const list = await service.submit([...addresses(3), ...addresses(2, 'wait'), 'slow@example.com']);
  await until(() => expect(checker.asked.size).toBe(6));
  await until(async () => {
    const jobs = await service.db.query(`SELECT id FROM mxproof_jobs.job WHERE data ? 'waiting'`);
    expect(jobs).toHaveLength(1);
  });
  await endLateList(service.context, list);
  await until(() => isDone(list.id));
  expect(await service.list(list.id)).toMatchObject({ checked: 6, deliverable: 3, unknown: 3 });
  const reasons: string[] = [];
  for await (const rows of readPage(service.db, list, { offset: 3, limit: 3 }))
    reasons.push(...rows.map(({ verdict }) => verdict!.reason));
  expect(reasons).toEqual(['unavailable_smtp', 'unavailable_smtp', 'no_connect']);
  checker.release();
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test('a small list does not wait behind the rest of a large one', async () => {
  const checker = createFakeChecker({ width: 200, replyMs: 20 });
  await service.node(checker);
  const large = await service.submit(addresses(20_000));
  await until(() => expect(checker.asked.size).toBeGreaterThan(200));
  const small = await service.submit(addresses(100, 'small'));
  await until(() => isDone(small.id));
  expect(Number((await service.list(large.id))?.checked)).toBeLessThan(20_000);
});

test('cut connections cost time and nothing else', async () => {
  const checker = createFakeChecker({ width: 100, replyMs: 10 });
  await service.node(checker);
  const list = await service.submit([...addresses(3_000), ...addresses(50, 'unknown')]);
  for (let cut = 0; cut < 5; cut++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    await service.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  }
  await until(() => isDone(list.id));
  expect(await service.list(list.id)).toMatchObject({ checked: 3_050, deliverable: 3_000, unknown: 50 });
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});
