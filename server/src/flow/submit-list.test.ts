import { afterAll, beforeAll, expect, test } from 'vitest';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { findAccount } from '../store/accounts.ts';
import type { IdempotencyKey } from '../store/idempotency.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { openAccount } from './open-account.ts';
import { type Submission, submitList } from './submit-list.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  await service.close();
});

const listOf = (accountId: number, count: number, more?: Partial<Submission>) =>
  submission(accountId, addresses(count), more);
const accountWith = async (credits: number) =>
  (await openAccount(service.db, THE_SERVICE, service.box, { name: 'a', credits })).accountId;
const balance = async (accountId: number) => {
  const { credits, used, lists } = (await findAccount(service.db, accountId))!;
  return { credits, used, lists };
};
const key = (accountId: number, name: string): IdempotencyKey => ({
  accountId,
  route: 'lists',
  key: name,
  bodyHash: Buffer.alloc(32),
});
const jobsOf = async (listId: number) =>
  (await service.db.query("SELECT id FROM mxproof.jobs WHERE data->>'listId' = $1", [String(listId)])).length;

// 1 shares its transaction with others; 300 has its own.
test.each([1, 300])('a hundred submissions of %i at once cannot overdraw the account', async (size) => {
  const accountId = await accountWith(37 * size + size - 1);
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () => submitList(service.context, listOf(accountId, size))),
  );
  expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(37);
  expect(outcomes.filter(({ kind }) => kind === 'insufficient_credits')).toHaveLength(63);
  expect(await balance(accountId)).toEqual({ credits: size - 1, used: 37 * size, lists: 37 });
});

test('lists of different sizes at once take what can be paid, and each is charged for itself', async () => {
  const accountId = await accountWith(50);
  const sizes = [40, 30, 1, 2, 3, 4];
  const outcomes = await Promise.all(
    sizes.map((size) => submitList(service.context, listOf(accountId, size))),
  );
  const paid = sizes.filter((_, index) => outcomes[index]!.kind === 'created');
  expect(paid).toEqual([40, 1, 2, 3, 4]);
  expect(await balance(accountId)).toEqual({ credits: 0, used: 50, lists: 5 });
});

test('a list is rows, one charge and its jobs', async () => {
  const accountId = await accountWith(1_000);
  const submitted = await submitList(service.context, listOf(accountId, 501));
  if (submitted.kind !== 'created') throw new Error(submitted.kind);
  const chunks = await service.db.query<{ n: number; size: number; emails: string }>(
    'SELECT n, size, emails FROM mxproof.chunks WHERE list_id = $1 ORDER BY n',
    [submitted.list.id],
  );
  expect(chunks.map(({ n, size }) => [n, size])).toEqual([
    [0, 250],
    [1, 250],
    [2, 1],
  ]);
  expect(chunks.flatMap((chunk) => JSON.parse(chunk.emails))).toEqual(addresses(501));
  const entries = await service.db.query('SELECT kind, amount FROM mxproof.ledger WHERE list_id = $1', [
    submitted.list.id,
  ]);
  expect(entries).toEqual([{ kind: 'charge', amount: 501 }]);
  expect(await jobsOf(submitted.list.id)).toBe(3);
});

test.each([1, 300])('a list of %i whose jobs cannot be stored is not charged and not there', async (size) => {
  const accountId = await accountWith(1_000);
  const { context } = service;
  await service.db.query(
    `CREATE OR REPLACE FUNCTION refuse_jobs() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'no jobs today'; END $$`,
  );
  await service.db.query(
    'CREATE TRIGGER refuse_jobs BEFORE INSERT ON mxproof.jobs FOR EACH ROW EXECUTE FUNCTION refuse_jobs()',
  );
  await expect(submitList(context, listOf(accountId, size))).rejects.toThrow('no jobs today');
  await service.db.query('DROP TRIGGER refuse_jobs ON mxproof.jobs');
  expect(await balance(accountId)).toEqual({ credits: 1_000, used: 0, lists: 0 });
  expect(await service.db.query('SELECT 1 FROM mxproof.lists WHERE account_id = $1', [accountId])).toEqual(
    [],
  );
  expect(
    await service.db.query("SELECT 1 FROM mxproof.ledger WHERE account_id = $1 AND kind <> 'grant'", [
      accountId,
    ]),
  ).toEqual([]);
  expect((await submitList(context, listOf(accountId, size))).kind).toBe('created');
});

test('a list the database refuses is not its neighbours’ trouble', async () => {
  const accountId = await accountWith(100);
  await service.db.query('ALTER TABLE mxproof.lists ADD CONSTRAINT odd CHECK (name_json <> \'"odd"\')');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      submitList(service.context, listOf(accountId, 1, { name: n === 7 ? 'odd' : '' })),
    ),
  );
  await service.db.query('ALTER TABLE mxproof.lists DROP CONSTRAINT odd');
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(outcomes.map((_, n) => n !== 7));
  expect(await balance(accountId)).toEqual({ credits: 81, used: 19, lists: 19 });
});

test('repeats of one idempotency key at once charge once, also when the credits are just enough', async () => {
  const accountId = await accountWith(5);
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, () =>
      submitList(
        service.context,
        listOf(accountId, 5, {
          idempotency: key(accountId, 'k'),
          responseOf: (list) => ({ status: 201, body: `list ${list.id}` }),
        }),
      ),
    ),
  );
  expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
  const bodies = outcomes.flatMap((each) =>
    each.kind === 'repeated' ? [each.remembered.response?.body] : [],
  );
  expect(bodies).toHaveLength(29);
  expect(new Set(bodies).size).toBe(1);
  expect(await balance(accountId)).toEqual({ credits: 0, used: 5, lists: 1 });
});

test('a key whose day is over may be used again', async () => {
  const accountId = await accountWith(10);
  const submit = () =>
    submitList(service.context, listOf(accountId, 2, { idempotency: key(accountId, 'old') }));
  expect((await submit()).kind).toBe('created');
  await service.db.query("UPDATE mxproof.idempotency SET created_at = now() - interval '25 hours'");
  expect((await submit()).kind).toBe('created');
  expect((await submit()).kind).toBe('repeated');
  expect(await balance(accountId)).toEqual({ credits: 6, used: 4, lists: 2 });
});
