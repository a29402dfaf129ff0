// In which order a single check's end locks its rows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../test/service.ts';
import { until } from '../../test/until.ts';
import { finishSingles } from './singles.ts';
import { COUNT_RESULTS } from './usage.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('an account is locked before its day is counted, so that the holder of that lock may count', async () => {
  const { db, accountId } = service;
  const { id: listId } = await service.submit(['someone@example.com'], { single: true });
  let finished: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await tx.query('SELECT id FROM mxproof.accounts WHERE id = $1 FOR UPDATE', [accountId]);
    finished = finishSingles(db, [{ listId, state: 'unknown', results: ['[', ']'], evidence: null }]);
    const pid = await until(async () => {
      const [row] = await db.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(row).toBeDefined();
      return row!.pid;
    });
    // In its slot; waiting for that would end in a deadlock.
    const count = `${COUNT_RESULTS.into} $1::bigint, 1, 0, 0, 0 ${COUNT_RESULTS.onConflict}`;
    await tx.query(count.replace('pg_backend_pid()', String(pid)), [accountId]);
  });
  await finished;
  const days = await db.query('SELECT deliverable, unknown FROM mxproof.result_days WHERE account_id = $1', [
    accountId,
  ]);
  expect(days).toEqual([{ deliverable: 1, unknown: 1 }]);
});
