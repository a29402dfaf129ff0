import { afterAll, beforeAll, expect, test } from 'vitest';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { cancelList } from './cancel-list.ts';
import { listsOfAllAccounts } from './lists-of-all.ts';
import { pauseList } from './pause-list.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const PAGE = { accountId: null, isStuck: false, status: null, offset: 0, limit: 50 } as const;

test('the operator sees the lists of every account, and of the unfinished ones those that nothing happens to', async () => {
  const { db, context } = service;
  const stuck = await service.submit(addresses(3), { accountId: await service.open() });
  const over = await service.submit(addresses(2, 'over'));
  const greylisted = await service.submit(addresses(4, 'later'));
  await cancelList(context, THE_SERVICE, over.id, over.accountId);
  await db.query(
    `INSERT INTO mxproof.deferred (list_id, n, owner, not_before, groups)
     VALUES ($1, 0, 1, now() + interval '1 hour',
       '[{"why": "greylisted", "host": "mx.example", "provider": "", "addresses": 4, "attempt": 1}]')`,
    [greylisted.id],
  );
  const all = await listsOfAllAccounts(db, PAGE);
  expect(all.map(({ list, pending }) => [list.id, pending])).toEqual([
    [greylisted.id, 4],
    [over.id, 0],
    [stuck.id, 3],
  ]);
  expect(all[0]!.groups[0]).toMatchObject({ why: 'greylisted', host: 'mx.example', addresses: 4 });
  expect(new Set(all.map(({ list }) => list.accountId)).size).toBe(2);
  const ids = async (page: { isStuck?: boolean; limit?: number; offset?: number }) =>
    (await listsOfAllAccounts(db, { ...PAGE, ...page })).map(({ list }) => list.id);
  expect(await ids({ isStuck: true })).toEqual([stuck.id]);
  expect(await ids({ limit: 1, offset: 1 })).toEqual([over.id]);
});

test('a paused list waits for nothing else, and is not stuck', async () => {
  const { db, context } = service;
  const paused = await service.submit(addresses(5, 'paused'));
  expect(await pauseList(context, paused.id, paused.accountId)).toMatchObject({ kind: 'changed' });
  const [newest] = await listsOfAllAccounts(db, PAGE);
  expect(newest).toMatchObject({ list: { id: paused.id }, groups: [{ why: 'paused', addresses: 5 }] });
  const stuck = await listsOfAllAccounts(db, { ...PAGE, isStuck: true });
  expect(stuck.map(({ list }) => list.id)).not.toContain(paused.id);
});
