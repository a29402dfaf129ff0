import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { atOnce, sameRows } from '../../test/reading.ts';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { deleteList } from '../flow/delete-list.ts';
import { readPage } from '../flow/read-results.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { verifyLedger } from '../store/verify-ledger.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

async function states(listId: number, total: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const page = { offset: 0, limit: 10_000 };
  for await (const rows of readPage(service.db, atOnce, { id: listId, total }, page, sameRows))
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
    total: 750,
    checked: 750,
    deliverable: 600,
    risky: 0,
    undeliverable: 100,
    unknown: 50,
  });
  const found = await states(list.id, 750);
  expect(found.get('ok3@example.com')).toBe('deliverable');
  expect(found.get('no99@example.com')).toBe('undeliverable');
  expect([...checker.asked.values()].every((times) => times === 1)).toBe(true);
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  await until(async () => {
    const [left] = await service.db.query('SELECT count(*) FROM mxproof.jobs');
    expect(left).toEqual({ count: 0 });
  });
});

/** Until every node has looked around after the last one has said that it is there. */
async function haveMet(count: number): Promise<void> {
  const nodes = () => service.db.query<{ seen: string }>('SELECT seen_at::text AS seen FROM mxproof.nodes');
  await until(async () => expect(await nodes()).toHaveLength(count));
  const [last] = await service.db.query<{ seen: string }>(
    'SELECT max(seen_at)::text AS seen FROM mxproof.nodes',
  );
  await until(async () =>
    expect(
      await service.db.query('SELECT id FROM mxproof.nodes WHERE seen_at >= $1::timestamptz', [last!.seen]),
    ).toHaveLength(count),
  );
}

test('an address that must wait leaves its chunk, and is asked again from the source that asked first', async () => {
  const [one, other] = [
    createFakeChecker({ source: '127.0.0.7' }),
    createFakeChecker({ source: '127.0.0.9' }),
  ];
  await service.node(one, ['127.0.0.7']);
  await service.node(other, ['127.0.0.9']);
  await haveMet(2);
  const lists = [];
  for (let n = 0; n < 6; n++) lists.push(await service.submit(addresses(20, `wait${n}x`)));
  for (const { id } of lists)
    await until(async () =>
      expect(await service.list(id)).toMatchObject({ status: 'done', deliverable: 20 }),
    );
  for (const [mine, theirs] of [
    [one, other],
    [other, one],
  ] as const)
    for (const [email, times] of mine.asked)
      expect([email, times, theirs.asked.get(email)]).toEqual([email, 2, undefined]);
});

test('when no node that owns the source lives any more, another goes on', async () => {
  const first = createFakeChecker({ source: '127.0.0.7', laterMs: 500 });
  const node = await service.node(first, ['127.0.0.7']);
  const list = await service.submit(addresses(5, 'wait'));
  await until(() => expect(first.asked.size).toBe(5));
  await node.stop();
  await node.close();
  // Longer ago than a restart takes.
  await service.db.query(`UPDATE mxproof.nodes SET seen_at = now() - interval '3 minutes'`);
  const second = createFakeChecker({ source: '127.0.0.9' });
  await service.node(second, ['127.0.0.9']);
  await until(async () =>
    expect(await service.list(list.id)).toMatchObject({ status: 'done', deliverable: 5 }),
  );
  expect([...second.resumed.values()]).toEqual(Array.from({ length: 5 }, () => '127.0.0.7'));
});

test('a deleted list stops: nothing more is asked, unknown and never-checked addresses are refunded', async () => {
  const checker = createFakeChecker({ width: 20 });
  await service.node(checker);
  const list = await service.submit(addresses(2_000, 'slow'));
  await until(() => expect(checker.asked.size).toBe(20));
  expect(await deleteList(service.context, THE_SERVICE, list.id, service.accountId)).toBe(true);
  // The node hears of it and gives up what it has not asked: only then are the twenty answered.
  await until(() => expect(checker.queued).toBe(0));
  checker.release();
  await until(async () => {
    const [left] = await service.db.query('SELECT count(*) FROM mxproof.jobs');
    expect(left).toEqual({ count: 0 });
  });
  expect(checker.asked.size).toBe(20);
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});
