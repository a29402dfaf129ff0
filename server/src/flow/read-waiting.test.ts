import { afterEach, beforeEach, expect, test } from 'vitest';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { sweepDeferred } from '../store/deferred.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const deferred = () =>
  service.db.query<{ groups: object[] }>('SELECT groups FROM mxproof.deferred ORDER BY list_id, n, owner');

test('rows of a list that ended at a node of an older version are swept', async () => {
  const list = await service.submit(addresses(2));
  await service.db.query(
    `INSERT INTO mxproof.deferred (list_id, n, owner, not_before, groups) VALUES ($1, 0, 1, now(), '[]')`,
    [list.id],
  );
  await sweepDeferred(service.db);
  expect(await deferred()).toHaveLength(1);
  await service.db.query(`UPDATE mxproof.lists SET status = 'failed', finished_at = now() WHERE id = $1`, [
    list.id,
  ]);
  await sweepDeferred(service.db);
  expect(await deferred()).toEqual([]);
});
