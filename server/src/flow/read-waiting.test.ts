import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { sweepDeferred } from '../store/deferred.ts';
import { readListWaiting } from './read-waiting.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const LIMIT_MS = 3_600_000;
const MIGRATION = new URL('../store/migrations/0007-what-lists-wait-for.sql', import.meta.url);
const migrate = () => service.db.query(readFileSync(MIGRATION, 'utf8'));
const deferred = () =>
  service.db.query<{ groups: object[] }>('SELECT groups FROM mxproof.deferred ORDER BY list_id, n, owner');

/** Two greylisted addresses and an unasked one that wait as jobs, in a database of the version before these rows. */
async function waitInOlderDatabase() {
  const checker = createFakeChecker({ laterMs: 3_600_000, width: 2 });
  const node = await service.node(checker);
  const list = await service.submit([...addresses(2, 'wait'), ...addresses(2, 'slow'), 'ok@example.com']);
  await until(async () => expect(await deferred()).toHaveLength(1));
  const stopped = node.stop();
  await until(async () => expect((await deferred()).length).toBeGreaterThan(1));
  checker.release();
  await stopped;
  await node.close();
  await service.db.query('DROP TABLE mxproof.deferred, mxproof.node_waiting, mxproof.node_looks');
  return list;
}

test('jobs that waited before this version say what for, and are claimed as any', async () => {
  const list = await waitInOlderDatabase();
  await migrate();
  expect(await readListWaiting(service.db, list.id, service.accountId, LIMIT_MS)).toMatchObject({
    pending: 3,
    checking: 0,
    groups: [
      { why: 'greylisted', host: null, addresses: 2, attempt: 2, nextAttemptAt: expect.any(Number) },
      { why: 'queued', host: null, addresses: 1, attempt: 1, nextAttemptAt: null },
    ],
  });
  await service.hurryDelayedJobs();
  await service.node(createFakeChecker());
  await service.done(list.id);
  expect(await deferred()).toEqual([]);
});

test('a database without jobs is migrated too', async () => {
  await service.db.query('DROP TABLE mxproof.deferred, mxproof.node_waiting, mxproof.node_looks');
  await service.db.query('ALTER SCHEMA mxproof_jobs RENAME TO elsewhere');
  await migrate();
  expect(await deferred()).toEqual([]);
  await service.db.query('ALTER SCHEMA elsewhere RENAME TO mxproof_jobs');
});

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
