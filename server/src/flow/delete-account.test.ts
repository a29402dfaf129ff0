// A deleted account, beside one that stays, with real rows everywhere and a node at work.
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type FilledAccount,
  fillAccounts,
  listsOfAccount,
  MARK,
  rowsOfAccount,
  tablesThatSay,
} from '../../test/account-rows.ts';
import { createFakeChecker, type FakeChecker } from '../../test/fake-checker.ts';
import { Crash, type DatabaseFault, flakyDatabase } from '../../test/flaky-database.ts';
import { lockWaits } from '../../test/lock-waits.ts';
import { startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { until } from '../../test/until.ts';
import { type Actor, THE_SERVICE } from '../rules/audit.ts';
import { closeAccount } from '../store/account-removal.ts';
import { findAccount, lockWithTwin } from '../store/accounts.ts';
import { readAudit } from '../store/audit.ts';
import { verifyLedger } from '../store/verify-ledger.ts';
import { deleteAccount, removeAccountStep } from './delete-account.ts';
import { openFirstAccount } from './first-account.ts';
import { submitList } from './submit-list.ts';

const OTHER_MARK = 'giraffe';
const OPERATOR: Actor = { ...THE_SERVICE, kind: 'command', name: 'root', client: 'mx1' };

/** Why a row of a deleted account stays. */
const STAYS: Readonly<Record<string, string>> = {
  'ledger.account_id': 'it only grows',
  'ledger.list_id': 'it only grows',
  'money_days.account_id': 'sums of the ledger, by day',
  'result_days.account_id': 'numbers, by day',
  'api_keys.account_id': 'revoked, without label and addresses: a restore revokes them again by their hashes',
  'erasures.account_id': 'a restore erases again by their hashes',
  'audit.account_id': 'who did what',
};

let service: TestService;
let checker: FakeChecker;
let account: FilledAccount;
let other: FilledAccount;

beforeEach(async () => {
  service = await startTestService();
  checker = createFakeChecker({ laterMs: 3_600_000 });
  const marks = { [service.accountId]: MARK, [await service.open()]: OTHER_MARK };
  const filled = await fillAccounts(service, marks, () => service.node(checker));
  [account, other] = [filled[0]!, filled[1]!];
});
afterEach(async () => {
  checker.release();
  await service.close();
});

const bookOf = async ({ id }: FilledAccount) => {
  const [row] = await service.db.query<{ credits: number; used: number; lists: number }>(
    'SELECT credits, used, lists FROM mxproof.accounts WHERE id = $1',
    [id],
  );
  return row!;
};
const differences = async () => (await verifyLedger(service.db)).differences;

async function removeAll(id = account.id): Promise<void> {
  for (let more = true; more; ) ({ more } = await removeAccountStep(service.context, id));
}

/** What the nodes write by themselves, of what they still hold. */
const quiet = ({ 'node_waiting.list_id': _, ...rows }: Record<string, number>) => rows;

async function expectRemoved(listIds: readonly number[]): Promise<void> {
  // A node says for a moment longer what it waits for.
  await until(async () => {
    const rows = await rowsOfAccount(service.db, account, listIds);
    const left = Object.keys(rows).filter((name) => rows[name]! > 0 && !(name in STAYS));
    expect(left).toEqual([]);
    await removeAll();
  });
  expect(await tablesThatSay(service.db, MARK)).toEqual([]);
}

test('nothing of it is left in any table, and the other account keeps all it has', async () => {
  const listIds = await listsOfAccount(service.db, account);
  const otherIds = await listsOfAccount(service.db, other);
  const before = await rowsOfAccount(service.db, account, listIds);
  // Nothing is forgotten here.
  expect(Object.keys(before).filter((name) => before[name] === 0)).toEqual([]);
  expect((await tablesThatSay(service.db, MARK)).length).toBeGreaterThan(15);
  const ofOther = quiet(await rowsOfAccount(service.db, other, otherIds));

  expect(await deleteAccount(service.context, OPERATOR, account.id)).toBe('deleted');
  await expectRemoved(listIds);
  expect(quiet(await rowsOfAccount(service.db, other, otherIds))).toEqual(ofOther);
  expect(await differences()).toEqual([]);

  // Everything that had no result, and every unknown one: 800 ok and unknown of 801, 1 of 4, and so on.
  const { credits, used, lists } = await bookOf(account);
  expect({ granted: credits + used, lists }).toEqual({ granted: 1_000_000, lists: 0 });
  expect(used).toBe(2 + 1 + 600 + 1);

  // What was at a mail server is answered, and changes nothing.
  checker.release();
  for (const listId of other.running.slice(0, 1)) await service.done(listId);
  await expectRemoved(listIds);
  expect(await differences()).toEqual([]);
  expect(await bookOf(account)).toEqual({ credits, used, lists: 0 });
});

test('whatever crashes in between, steps go on to the same end, and the ledger agrees after each', async () => {
  const listIds = await listsOfAccount(service.db, account);
  await deleteAccount(service.context, OPERATOR, account.id, { forMs: 0 });
  expect(await differences()).toEqual([]);
  let crashes = 0;
  for (let n = 0, more = true; more; n++) {
    const how: DatabaseFault =
      n % 3 === 2 ? { kind: 'after_commit' } : { kind: 'before_statement', n: n % 71 };
    try {
      ({ more } = await removeAccountStep({ db: flakyDatabase(service.db, how) }, account.id));
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      crashes++;
    }
    expect(await differences()).toEqual([]);
  }
  expect(crashes).toBeGreaterThan(20);
  await expectRemoved(listIds);
  expect((await bookOf(account)).used).toBe(2 + 1 + 600 + 1);
});

test('several nodes at once do it as one does', async () => {
  const listIds = await listsOfAccount(service.db, account);
  await deleteAccount(service.context, OPERATOR, account.id, { forMs: 0 });
  const nodes = Array.from({ length: 4 }, () => removeAll());
  await Promise.all(nodes);
  await expectRemoved(listIds);
  expect(await differences()).toEqual([]);
  expect((await bookOf(account)).used).toBe(2 + 1 + 600 + 1);
});

test('the trail has one line of it, with numbers alone', async () => {
  const { credits, used, lists } = await bookOf(account);
  expect(await deleteAccount(service.context, OPERATOR, account.id)).toBe('deleted');
  expect(await deleteAccount(service.context, OPERATOR, account.id)).toBe('no_account');
  const action = 'account.deleted';
  const page = { accountId: account.id, action, actor: null, member: null, since: null } as const;
  const trail = await readAudit(service.db, { ...page, before: null, offset: 0, limit: 10 });
  expect(trail.map(({ action, actor, actorName, facts }) => ({ action, actor, actorName, facts }))).toEqual([
    {
      action: 'account.deleted',
      actor: 'command',
      actorName: 'root',
      facts: { changes: { credits: [credits, null], credits_used: [used, null], lists: [lists, null] } },
    },
  ]);
});

test('neither a test side, nor an account that is not there, can be deleted, and no step touches one that is not', async () => {
  for (const id of [account.twin, 999_999])
    expect(await deleteAccount(service.context, OPERATOR, id)).toBe('no_account');
  const ids = await listsOfAccount(service.db, account);
  const before = quiet(await rowsOfAccount(service.db, account, ids));
  expect(await removeAccountStep(service.context, account.id)).toEqual({ more: false });
  expect(await removeAccountStep(service.context, account.twin)).toEqual({ more: false });
  expect(quiet(await rowsOfAccount(service.db, account, ids))).toEqual(before);
});

test('a request that was on its way stores nothing for it, and is charged nothing', async () => {
  // It waits for the account, and finds it deleted.
  let waiting: Promise<unknown> = Promise.resolve();
  await service.db.transaction(async (tx) => {
    await lockWithTwin(tx, account.id);
    await closeAccount(tx, account.id);
    waiting = submitList(service.context, submission(account.id, ['late@example.com']));
    await until(async () => (await lockWaits(service.db)) === 1);
  });
  expect(await waiting).toMatchObject({ kind: 'insufficient_credits' });
  const { credits } = await bookOf(account);
  for (const emails of [['late@example.com'], Array.from({ length: 600 }, (_, n) => `late${n}@example.com`)])
    expect(await submitList(service.context, submission(account.id, emails))).toMatchObject({
      kind: 'insufficient_credits',
    });
  expect(await submitList(service.context, submission(account.twin, ['late@example.com']))).toMatchObject({
    kind: 'insufficient_credits',
  });
  expect((await bookOf(account)).credits).toBe(credits);
  expect(await differences()).toEqual([]);
});

test('it is removed for good only when nothing that was under way can write for it any more', async () => {
  await deleteAccount(service.context, OPERATOR, account.id);
  await removeAll();
  const isRemoved = async () =>
    (
      await service.db.query<{ removed: number }>(
        'SELECT count(removed_at) AS removed FROM mxproof.accounts WHERE id = ANY($1)',
        [[account.id, account.twin]],
      )
    )[0]!.removed;
  expect(await isRemoved()).toBe(0);
  // Written by what was under way.
  await service.db.query(
    `INSERT INTO mxproof.callback_targets (account_id, target, answered_at) VALUES ($1, '203.0.113.9:443', now())`,
    [account.id],
  );
  await service.db.query(`UPDATE mxproof.accounts SET deleted_at = deleted_at - interval '1 hour'`);
  await removeAll();
  expect(await isRemoved()).toBe(2);
  expect(
    await service.db.query('SELECT FROM mxproof.callback_targets WHERE account_id = $1', [account.id]),
  ).toEqual([]);
});

test('it counts as an account that there was, and is found by nothing else', async () => {
  for (const { id } of [account, other]) await deleteAccount(service.context, OPERATOR, id);
  expect(await findAccount(service.db, account.id)).toBeNull();
  expect(await openFirstAccount(service.db, service.box, 100)).toBeNull();
  expect(await verifyLedger(service.db)).toMatchObject({ accounts: 0, lists: 0, differences: [] });
});

test('much of a kind goes in several steps, none of which takes all of it', async () => {
  const { id } = account;
  await service.db.query(
    `INSERT INTO mxproof.outcomes (account_id, event, hash, outcome, day, suppresses)
     SELECT $1, sha256(n::text::bytea), sha256(n::text::bytea), 'bounced', current_date, true FROM generate_series(1, 11000) AS n`,
    [id],
  );
  const emails = Array.from({ length: 1_100 }, (_, n) => `ok${n}@${MARK}.example`);
  await Promise.all(
    emails.map((email) => submitList(service.context, submission(id, [email], { single: true, name: '' }))),
  );
  const listIds = await listsOfAccount(service.db, account);
  await deleteAccount(service.context, OPERATOR, id, { forMs: 0 });
  const left: number[] = [];
  for (let more = true; more; ) {
    ({ more } = await removeAccountStep(service.context, id));
    left.push((await listsOfAccount(service.db, account)).length);
    expect(await differences()).toEqual([]);
  }
  expect(Math.max(...left.map((count, at) => (left[at - 1] ?? listIds.length) - count))).toBeLessThanOrEqual(
    500,
  );
  await expectRemoved(listIds);
});
