import { afterEach, beforeEach, expect, test } from 'vitest';
import { Crash, flakyDatabase } from '../../test/flaky-database.ts';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { createContext } from './context.ts';
import { DiedAlone, failChunk } from './fail-chunk.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const claim = async () => (await service.context.jobs.claimChunks({ limit: 1, notFrom: [] }))[0]!;

test('whatever dies while the last failure is counted, the list fails or its work is still there', async () => {
  const list = await service.submit(addresses(3));
  await service.db.query('UPDATE mxproof.chunks SET failures = 3');
  let crashes = 0;
  for (let n = 0; (await service.list(list.id))?.status !== 'failed'; n++) {
    const claimed = await claim();
    const flaky = flakyDatabase(service.db, { kind: 'before_statement', n });
    try {
      await failChunk(
        createContext(flaky, service.context.jobs, service.box),
        claimed,
        new Error('a defect'),
      );
    } catch (error) {
      expect(error).toBeInstanceOf(Crash);
      crashes++;
      // The node is dead, its claim lapses: another node must find the work again.
      const lapsed = await service.db.query(
        `UPDATE mxproof.jobs SET is_claimed = false WHERE is_claimed RETURNING id`,
      );
      expect(lapsed).toHaveLength(1);
    }
  }
  expect(crashes).toBeGreaterThan(3);
  expect((await service.list(list.id))?.failure).toBe('chunk 0: Error: a defect');
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});

test('a failure of a list that is gone counts nothing and leaves no job', async () => {
  const list = await service.submit(addresses(3));
  const claimed = await claim();
  await service.db.query('DELETE FROM mxproof.lists WHERE id = $1', [list.id]);
  expect(await failChunk(service.context, claimed, new Error('late'))).toBe('again');
  expect(await service.db.query('SELECT id FROM mxproof.jobs')).toEqual([]);
});

test('the third death of a process of its own fails the list, and deaths are no failures of the chunk', async () => {
  const list = await service.submit(addresses(3));
  await service.db.query(`UPDATE mxproof.jobs SET queue = 'alone', data = data || '{"alone": 0}'`);
  const ends: string[] = [];
  for (let death = 1; death <= 3; death++) {
    await service.hurryDelayedJobs();
    const [claimed] = await service.context.jobs.claimAlone({ limit: 1, accounts: [], notFrom: [] });
    ends.push(await failChunk(service.context, claimed!, new DiedAlone('SIGKILL')));
  }
  expect(ends).toEqual(['again', 'again', 'failed']);
  expect((await service.list(list.id))?.failure).toContain('died (SIGKILL)');
  expect(await service.db.query('SELECT failures FROM mxproof.chunks')).toEqual([{ failures: 0 }]);
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});
