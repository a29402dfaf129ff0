// Which accounts have switched outcomes on, and what goes when one switches them off.
// Promise: what is removed is removed in steps of a bounded size, and never for an account that has switched them on again;
// suppressions stay, as a hash, why and since when.
import type { Database, Tx } from './database.ts';

const ROWS_AT_ONCE = 10_000;
const ACCOUNTS_AT_ONCE = 100;

/** Of a row of outcomes: all but the suppression. */
export const BARE =
  'domain = NULL, provider = NULL, state = NULL, detail = NULL, list_id = NULL, position = NULL';

export async function areOutcomesOn(tx: Tx, accountId: number): Promise<boolean> {
  const rows = await tx.query('SELECT FROM mxproof.outcome_accounts WHERE account_id = $1', [accountId]);
  return rows.length === 1;
}

/** The same, and until the transaction ends they stay on. */
export async function lockOutcomesOn(tx: Tx, accountId: number): Promise<boolean> {
  const rows = await tx.query('SELECT FROM mxproof.outcome_accounts WHERE account_id = $1 FOR KEY SHARE', [
    accountId,
  ]);
  return rows.length === 1;
}

/** After `forgetOutcomes`, where they were on before. */
export async function switchOutcomesOn(tx: Tx, accountId: number): Promise<void> {
  await tx.query('INSERT INTO mxproof.outcome_accounts (account_id) VALUES ($1) ON CONFLICT DO NOTHING', [
    accountId,
  ]);
}

/** Before `forgetOutcomes`. What is being written for the account is written first. */
export async function switchOutcomesOff(tx: Tx, accountId: number): Promise<void> {
  await tx.query('DELETE FROM mxproof.outcome_accounts WHERE account_id = $1', [accountId]);
}

const IS_OFF = 'NOT EXISTS (SELECT FROM mxproof.outcome_accounts WHERE account_id = $1)';
const some = (table: string, which: string) =>
  `ctid = ANY (ARRAY(SELECT ctid FROM mxproof.${table} WHERE account_id = $1 AND ${which} AND ${IS_OFF} LIMIT ${ROWS_AT_ONCE}))`;
const STEPS = [
  `DELETE FROM mxproof.checked_addresses WHERE ${some('checked_addresses', 'true')}`,
  `DELETE FROM mxproof.outcomes WHERE ${some('outcomes', 'NOT suppresses')}`,
  `UPDATE mxproof.outcomes SET ${BARE} WHERE ${some('outcomes', 'domain IS NOT NULL')}`,
];

/** The index and the outcomes of an account that has them off. A process that dies leaves the rest to the sweep. */
export async function forgetOutcomes(db: Tx, accountId: number): Promise<void> {
  for (const step of STEPS)
    for (let goesOn = true; goesOn; ) {
      const rows = await db.query<{ count: number }>(
        `WITH gone AS (${step} RETURNING 1) SELECT count(*) FROM gone`,
        [accountId],
      );
      goesOn = rows[0]!.count === ROWS_AT_ONCE;
    }
}

/** Of addresses that were erased. Null accounts: everyone's. What they are suppressed for stays, as their hash alone. */
export async function eraseOutcomes(
  tx: Tx,
  hashes: readonly Buffer[],
  accountIds: readonly number[] | null,
): Promise<void> {
  const theirs = `hash = ANY($1::bytea[]) AND ($2::bigint[] IS NULL OR account_id = ANY($2))`;
  await tx.query(`DELETE FROM mxproof.outcomes WHERE ${theirs} AND NOT suppresses`, [hashes, accountIds]);
  await tx.query(`UPDATE mxproof.outcomes SET ${BARE} WHERE ${theirs}`, [hashes, accountIds]);
}

/** What a process that died has left. */
export async function sweepForgotten(db: Database): Promise<void> {
  const accounts = await db.query<{ id: number }>(
    `SELECT id FROM mxproof.accounts a
     WHERE NOT EXISTS (SELECT FROM mxproof.outcome_accounts o WHERE o.account_id = a.id)
       AND (EXISTS (SELECT FROM mxproof.checked_addresses c WHERE c.account_id = a.id)
         OR EXISTS (SELECT FROM mxproof.outcomes o WHERE o.account_id = a.id AND (NOT suppresses OR domain IS NOT NULL)))
     LIMIT ${ACCOUNTS_AT_ONCE}`,
  );
  for (const { id } of accounts) await forgetOutcomes(db, id);
}
