import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { atOnce, sameRows } from '../../test/reading.ts';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { deleteList } from '../flow/delete-list.ts';
import { endLateList } from '../flow/end-late-list.ts';
import { readPage } from '../flow/read-results.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { verifyLedger } from '../store/verify-ledger.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

test('while nothing is reachable lists wait: nothing is counted or ended', async () => {
  const checker = createFakeChecker();
  checker.reachable = false;
  await service.node(checker);
  const list = await service.submit(addresses(1_000));
  // One chunk is tried, for the engine to learn by; the others stay where they are.
  await until(() => expect(checker.asked.size).toBeGreaterThanOrEqual(250));
  await until(async () => expect(await service.waitingJobs()).not.toEqual([]));
  expect(await service.list(list.id)).toMatchObject({ checked: 0, status: 'checking' });
  checker.reachable = true;
  await service.hurryDelayedJobs();
  await service.done(list.id);
});

test('when its time is over, what is left of a list is unknown, refunded, and said why', async () => {
  const checker = createFakeChecker({ laterMs: 3_600_000 });
  await service.node(checker);
  const list = await service.submit([...addresses(3), ...addresses(2, 'wait'), 'slow@example.com']);
  await until(() => expect(checker.asked.size).toBe(6));
  await until(async () => expect(await service.waitingJobs()).toHaveLength(1));
  await endLateList(service.context, list);
  await service.done(list.id);
  expect(await service.list(list.id)).toMatchObject({ checked: 6, deliverable: 3, unknown: 3 });
  const reasons: string[] = [];
  for await (const rows of readPage(service.db, atOnce, list, { offset: 3, limit: 3 }, sameRows))
    reasons.push(...rows.map(({ verdict }) => verdict!.reason));
  expect(reasons).toEqual(['unavailable_smtp', 'unavailable_smtp', 'no_connect']);
  checker.release();
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test('a small list does not wait behind the rest of a large one', async () => {
  const checker = createFakeChecker({ width: 200 });
  await service.node(checker);
  const large = await service.submit(addresses(20_000, 'slow'));
  await until(() => expect(checker.queued).toBe(19_800));
  const emails = addresses(100, 'small');
  const small = await service.submit(emails);
  await until(() => expect(checker.queued).toBe(19_900));
  const isAsked = () => emails.every((email) => checker.asked.has(email));
  for (let released = 0; !isAsked() && released < 20_000; released += 200) checker.release();
  expect(isAsked()).toBe(true);
  expect(checker.asked.size).toBeLessThan(10_000);
  await service.done(small.id);
  expect((await service.list(large.id))?.status).toBe('checking');
  await deleteList(service.context, THE_SERVICE, large.id, service.accountId);
  await until(() => expect(checker.queued).toBe(0));
  checker.release();
});
