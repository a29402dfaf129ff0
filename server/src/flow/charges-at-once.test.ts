// Charges and refunds of one account at the same moment, in the order in which they used to wait for each other for ever.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockWaits } from '../../test/lock-waits.ts';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { until } from '../../test/until.ts';
import { verdictOf } from '../../test/verdicts.ts';
import { singleResults } from '../rules/chunk-results.ts';
import { toChunks } from '../rules/clean-emails.ts';
import type { List } from '../rules/list.ts';
import type { Tx } from '../store/database.ts';
import { removeLists } from '../store/lists.ts';
import { finishSingles } from '../store/singles.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { chargeLists } from './charge-lists.ts';

let s: TestService;
beforeAll(async () => {
  s = await startTestService();
});
afterAll(async () => {
  expect((await verifyLedger(s.db)).differences).toEqual([]);
  await s.close();
});

/**
 * The account's row has a version before the last, which a transaction that goes on refers to: others wait at that version
 * first, one behind the other. `work` begins while the last one is not committed; how often each began is told.
 */
async function behindAnUpdate(accountId: number, works: ((tx: Tx) => Promise<unknown>)[]): Promise<number[]> {
  const begun = works.map(() => 0);
  const referring = Promise.withResolvers<void>();
  const updating = Promise.withResolvers<void>();
  const refers = s.db.transaction(async (tx) => {
    await tx.query('SELECT FROM mxproof.accounts WHERE id = $1 FOR KEY SHARE', [accountId]);
    await referring.promise;
  });
  const updates = s.db.transaction(async (tx) => {
    await tx.query('UPDATE mxproof.accounts SET low_credits = 1 WHERE id = $1', [accountId]);
    await updating.promise;
  });
  await until(async () => {
    const [row] = await s.db.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
       HAVING count(*) = 2`,
    );
    expect(row).toBeDefined();
  });
  const running: Promise<unknown>[] = [];
  for (const [at, work] of works.entries()) {
    running.push(
      s.db.transaction((tx) => {
        begun[at]! += 1;
        return work(tx);
      }),
    );
    await until(async () => expect(await lockWaits(s.db)).toBe(at + 1));
  }
  updating.resolve();
  await Promise.all([updates, ...running]);
  referring.resolve();
  await refers;
  return begun;
}

const charge = (accountId: number) => (tx: Tx) =>
  chargeLists(tx, s.context.jobs, [
    {
      ...submission(accountId, []),
      group: null,
      retryOf: null,
      correctionOf: null,
      file: null,
      keyId: null,
      mailMemberId: null,
      emails: toChunks(addresses(3)),
    },
  ]);

test('four lists of an account that are submitted at once are each charged at the first attempt', async () => {
  const accountId = await s.open();
  const works = Array.from({ length: 4 }, () => charge(accountId));
  expect(await behindAnUpdate(accountId, works)).toEqual([1, 1, 1, 1]);
});

test('so is a list beside old test lists that are removed', async () => {
  const accountId = await s.open();
  const remove = (listId: number) => (tx: Tx) => removeLists(tx, [listId]);
  const [first] = (await s.db.transaction(charge(accountId))) as List[];
  const [second] = (await s.db.transaction(charge(accountId))) as List[];
  const works = [remove(first!.id), charge(accountId), remove(second!.id)];
  expect(await behindAnUpdate(accountId, works)).toEqual([1, 1, 1]);
});

test('so are a list and a single check that is refunded', async () => {
  const single = async () => (await s.submit(['a@example.com'], { single: true })).id;
  const refund = (listId: number) => (tx: Tx) =>
    finishSingles(tx, [
      { listId, state: 'unknown', results: singleResults(verdictOf('unknown@example.com')), evidence: null },
    ]);
  const [first, second] = [await single(), await single()];
  expect(await behindAnUpdate(s.accountId, [refund(first), charge(s.accountId), refund(second)])).toEqual([
    1, 1, 1,
  ]);
});
