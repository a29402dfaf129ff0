import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { startTestService, type TestService } from '../../test/service.ts';
import { deleteList } from '../flow/delete-list.ts';
import { readPage } from '../flow/read-results.ts';
import { verifyLedger } from '../store/ledger.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const PATIENCE = { timeout: 20_000, interval: 25 };
const until = (what: () => Promise<void> | void) => vi.waitFor(what, PATIENCE);

function addresses(count: number, kind = 'ok'): string[] {
  return Array.from({ length: count }, (_, index) => `${kind}${index}@example.com`);
}

async function states(listId: number, total: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const rows of readPage(service.db, { id: listId, total }, { offset: 0, limit: 10_000 }))
    for (const { email, verdict } of rows) found.set(email, verdict?.state ?? 'pending');
  return found;
}

test('a list is checked to its end: rows, counters and credits agree, unknown ones are refunded', async () => {
  const checker = createFakeChecker();
  await service.node(checker);
  const emails = [...addresses(600), ...addresses(100, 'no'), ...addresses(50, 'unknown')];
  const list = await service.submit(emails);
  await until(async () => expect((await service.list(list.id))?.status).toBe('done'));
  expect(await service.list(list.id)).toMatchObject({
    ...{ total: 750, checked: 750, deliverable: 600, risky: 0, undeliverable: 100, unknown: 50 },
  });
  const found = await states(list.id, 750);
  expect(found.get('ok3@example.com')).toBe('deliverable');
  expect(found.get('no99@example.com')).toBe('undeliverable');
  expect([...checker.asked.values()].every((times) => times === 1)).toBe(true);
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  await until(async () => {
    const [left] = await service.db.query('SELECT count(*) FROM mxproof_jobs.job');
    expect(left).toEqual({ count: 0 });
  });
});

test('an address that must wait leaves its chunk, and is asked again from the source that asked first', async () => {
  const other = createFakeChecker();
  await service.node(other, ['127.0.0.9']);
  const checker = createFakeChecker({ source: '127.0.0.7' });
  const list = await service.submit([...addresses(300), ...addresses(5, 'wait')]);
  await service.node(checker, ['127.0.0.7']);
  await until(async () => expect((await service.list(list.id))?.status).toBe('done'));
  expect(await service.list(list.id)).toMatchObject({ checked: 305, deliverable: 305 });
});

test('a deleted list stops: nothing more is asked, unknown and never-checked addresses are refunded', async () => {
  const checker = createFakeChecker({ width: 20 });
  await service.node(checker);
  const list = await service.submit(addresses(2_000, 'slow'));
  await until(() => expect(checker.asked.size).toBe(20));
  expect(await deleteList(service.context, list.id, service.accountId)).toBe(true);
  await until(() => {
    checker.release();
    expect(checker.asked.size).toBeLessThan(2_000);
  });
  await until(async () => {
    checker.release();
    const [left] = await service.db.query('SELECT count(*) FROM mxproof_jobs.job');
    expect(left).toEqual({ count: 0 });
  });
  expect(checker.asked.size).toBeLessThan(100);
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});
