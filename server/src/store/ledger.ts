// The ledger: every grant, charge and refund. Credits change only here (`npm run check` sees to it).
// Promise: a statement that changes a balance writes the entry for it, so that `credits + used` of an account is at every
// moment what was granted less what was taken back. Entries of an account are numbered under the lock of its row, in the order in which they
// changed its balance: the history relies on it.
//
// Where credits change with other rows in one round trip, this file has the credits' part of the statement: CTEs that read
// the lists from one before them.
import { MAX_TEST_BYTES } from '../rules/test-bytes.ts';
import type { Tx } from './database.ts';

/** A negative amount is taken back: the caller has seen that it is there. */
export async function grantCredits(
  tx: Tx,
  accountId: number,
  amount: number,
  note: string,
  operatorKey: string | null = null,
): Promise<boolean> {
  const rows = await tx.query(
    `WITH granted AS (UPDATE mxproof.accounts SET credits = credits + $2 WHERE id = $1 RETURNING id)
     INSERT INTO mxproof.ledger (account_id, kind, amount, note, operator_key)
     SELECT id, 'grant', $2, $3, $4 FROM granted RETURNING id`,
    [accountId, amount, note, operatorKey],
  );
  return rows.length === 1;
}

/** The amount of the operator's change with this key; null: no change has it. */
export async function findOperatorAmount(tx: Tx, accountId: number, key: string): Promise<number | null> {
  const [row] = await tx.query<{ amount: number }>(
    'SELECT amount FROM mxproof.ledger WHERE account_id = $1 AND operator_key = $2',
    [accountId, key],
  );
  return row?.amount ?? null;
}

/** A test balance never runs dry: those of these accounts that are test twins get more. True: some have. */
export async function topUpTests(
  tx: Tx,
  accountIds: readonly number[],
  amount: number,
  note: string,
): Promise<boolean> {
  const rows = await tx.query(
    `WITH topped AS (
       UPDATE mxproof.accounts SET credits = credits + $2
       WHERE id = ANY($1) AND test_of IS NOT NULL AND deleted_at IS NULL RETURNING id)
     INSERT INTO mxproof.ledger (account_id, kind, amount, note) SELECT id, 'grant', $2, $3 FROM topped RETURNING id`,
    [accountIds, amount, note],
  );
  return rows.length > 0;
}

/**
 * CTEs that charge the new lists in `lists` (id, account_id, total, bytes), and count them. `charged` (id, is_test) are the
 * accounts that could pay for all of theirs and, of test accounts, have room for them; nothing changes for the others, which
 * are locked as well.
 */
export function chargeCtes(lists: string): string {
  return `
     sums AS MATERIALIZED (
       SELECT account_id, sum(total) AS total, count(*) AS lists, sum(bytes)::bigint AS bytes FROM ${lists} GROUP BY 1 ORDER BY 1),
     -- In one order, so that two nodes never wait for each other.
     charged AS MATERIALIZED (
       SELECT id, is_test FROM (
         SELECT account_id AS id, mxproof.charge_account(account_id, total, lists, bytes, ${MAX_TEST_BYTES}) AS is_test
         FROM sums) AS each
       WHERE is_test IS NOT NULL),
     charges AS (
       INSERT INTO mxproof.ledger (account_id, kind, amount, list_id)
       SELECT l.account_id, 'charge', l.total, l.id FROM ${lists} l JOIN charged ON charged.id = l.account_id)`;
}

/**
 * CTEs that refund the lists in `lists` (id, account_id, refund), of which none was settled before. `refunded` (id) are the
 * accounts that get something, locked.
 */
export function refundCtes(lists: string): string {
  return `
     owed AS MATERIALIZED (
       SELECT account_id, sum(refund) AS credits FROM ${lists} WHERE refund > 0 GROUP BY 1 ORDER BY 1),
     refunded AS MATERIALIZED (
       SELECT id FROM (SELECT mxproof.refund_account(account_id, credits) AS id FROM owed) AS each WHERE id IS NOT NULL),
     refunds AS (
       INSERT INTO mxproof.ledger (account_id, kind, amount, list_id)
       SELECT l.account_id, 'refund', l.refund, l.id
       FROM ${lists} l JOIN refunded ON refunded.id = l.account_id WHERE l.refund > 0)`;
}

/** Refunds one list and, when it goes away, forgets it in the account's count. */
export async function settleList(
  tx: Tx,
  settlement: { accountId: number; listId: number; refund: number; removed: boolean },
): Promise<void> {
  const { accountId, listId, refund, removed } = settlement;
  if (refund === 0 && !removed) return;
  await tx.query(
    `WITH settled AS (
       UPDATE mxproof.accounts SET credits = credits + $3, used = used - $3, lists = lists - $4 WHERE id = $1 RETURNING id)
     INSERT INTO mxproof.ledger (account_id, kind, amount, list_id) SELECT id, 'refund', $3, $2 FROM settled WHERE $3 > 0`,
    [accountId, listId, refund, removed ? 1 : 0],
  );
}

/** Lists of one account that go away together, none of which was settled before. */
export async function refundLists(
  tx: Tx,
  accountId: number,
  lists: readonly { readonly id: number; readonly refund: number }[],
): Promise<void> {
  await tx.query(
    `WITH going AS (
       SELECT $1::bigint AS account_id, id, refund FROM unnest($2::bigint[], $3::int[]) AS g (id, refund)),
     ${refundCtes('going')}
     SELECT FROM refunded`,
    [accountId, lists.map(({ id }) => id), lists.map(({ refund }) => refund)],
  );
}
