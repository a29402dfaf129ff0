import { afterAll, beforeAll, expect, test } from 'vitest';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { deleteList } from './delete-list.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const differences = async () => (await verifyLedger(service.db)).differences;
const enter = (listId: number, amount: number) =>
  service.db.query(
    `INSERT INTO mxproof.ledger (account_id, kind, amount, list_id) VALUES ($1, 'refund', $2, $3)`,
    [service.accountId, amount, listId],
  );

test('entries of a list that is gone must make sense without it', async () => {
  const list = await service.submit(addresses(3));
  await deleteList(service.context, THE_SERVICE, list.id, service.accountId);
  expect(await differences()).toEqual([]);
  // A list that never was got credits back, and the account agrees with it.
  await enter(4_711, 2);
  await service.db.query('UPDATE mxproof.accounts SET credits = credits + 2, used = used - 2 + 2');
  expect(await differences()).toContainEqual({
    what: 'ledger of list 4711: refunded beyond its charge',
    stored: 2,
    recomputed: 0,
  });
});
