import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addresses, quiet, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { until } from '../../test/until.ts';
import { deleteAccount } from '../flow/delete-account.ts';
import { submitList } from '../flow/submit-list.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { setMonthlyCredits } from '../store/monthly-credits.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { startAccountDuties } from './account-duties.ts';

let service: TestService;
const running: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  service = await startTestService();
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
  await service.close();
});

const start = (log = quiet) => void running.push(startAccountDuties({ context: service.context, log }));
const bookOf = async (id: number) => {
  const [row] = await service.db.query<{ credits: number; used: number; lists: number }>(
    'SELECT credits, used, lists FROM mxproof.accounts WHERE id = $1',
    [id],
  );
  return row!;
};

test('what a request that died has left of a deleted account goes, and one that cannot go keeps no other', async () => {
  const ids = [service.accountId, await service.open(), await service.open()];
  for (const id of ids) {
    await submitList(service.context, submission(id, addresses(300)));
    await deleteAccount(service.context, THE_SERVICE, id, { forMs: 0 });
  }
  await service.db.query(
    `CREATE FUNCTION mxproof.poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$`,
  );
  await service.db.query(
    `CREATE TRIGGER poison BEFORE DELETE ON mxproof.lists FOR EACH ROW WHEN (OLD.account_id = ${ids[0]})
     EXECUTE FUNCTION mxproof.poison()`,
  );
  const lines: string[] = [];
  start(pino({}, { write: (line: string) => void lines.push(line) }));
  start();
  await until(async () => {
    for (const id of ids.slice(1))
      expect(await bookOf(id)).toEqual({ credits: 1_000_000, used: 0, lists: 0 });
  });
  expect(await bookOf(ids[0]!)).toEqual({ credits: 999_700, used: 300, lists: 1 });
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  await until(() => lines.some((line) => line.includes('"deleted accounts"')));
});

test('months that began are granted once, by however many nodes', async () => {
  const others = [await service.open(), await service.open()];
  for (const id of [service.accountId, ...others]) await setMonthlyCredits(service.db, id, 10);
  await service.db.query(`UPDATE mxproof.accounts SET monthly_from = monthly_from - interval '3 months'`);
  for (let n = 0; n < 3; n++) start();
  await until(async () => {
    for (const id of [service.accountId, ...others]) expect((await bookOf(id)).credits).toBe(1_000_030);
  });
  await service.db.query('DELETE FROM mxproof.turns');
  for (const each of running.splice(0)) await each.stop();
  start();
  await until(async () => (await service.db.query('SELECT FROM mxproof.turns')).length === 2);
  for (const id of [service.accountId, ...others]) expect((await bookOf(id)).credits).toBe(1_000_030);
  expect((await verifyLedger(service.db)).differences).toEqual([]);
});
