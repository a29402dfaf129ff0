// Where addresses have results, by the hash that erasures use, for accounts that have switched outcomes on.
// Promise: rows are written in the transaction of their results, and none once the account has switched outcomes off; they go
// with the results of their list.
import type { Row, Tx } from './database.ts';

export interface CheckedAddress {
  readonly hash: Buffer;
  /** In the whole list. */
  readonly position: number;
}

/** What the index has of a hash: 64 bits take half the time and the room of 256, and two addresses of an account do not share them. */
export function shortHash(hash: Buffer): bigint {
  return hash.readBigInt64BE();
}

/** Of one list. Nothing where the account has outcomes off. Each position once: the second time is an error. */
export async function indexAddresses(
  tx: Tx,
  { accountId, listId }: { readonly accountId: number; readonly listId: number },
  addresses: readonly CheckedAddress[],
): Promise<void> {
  await tx.prepared(
    'index-addresses',
    `INSERT INTO mxproof.checked_addresses (account_id, hash, list_id, position, day)
     SELECT o.account_id, w.hash, $2, w.position, (now() AT TIME ZONE 'UTC')::date
     FROM (SELECT account_id FROM mxproof.outcome_accounts WHERE account_id = $1 FOR KEY SHARE) AS o,
       unnest($3::bigint[], $4::int[]) AS w (hash, position)`,
    // As texts: the driver would quote and escape each number.
    [
      accountId,
      listId,
      `{${addresses.map(({ hash }) => shortHash(hash)).join()}}`,
      `{${addresses.map(({ position }) => position).join()}}`,
    ],
  );
}

/** For single checks: a part of the statement that stores them. `open`: account_id, id of the list, short hash or null. */
export const indexSinglesSql = (open: string) =>
  `INSERT INTO mxproof.checked_addresses (account_id, hash, list_id, position, day)
   SELECT s.account_id, s.hash, s.id, 0, (now() AT TIME ZONE 'UTC')::date FROM ${open} s
   JOIN (SELECT account_id FROM mxproof.outcome_accounts WHERE account_id IN (SELECT account_id FROM ${open})
         ORDER BY account_id FOR KEY SHARE) AS o ON o.account_id = s.account_id
   WHERE s.hash IS NOT NULL`;

/** Positions of a list whose address was erased. */
export async function forgetPositions(tx: Tx, listId: number, positions: readonly number[]): Promise<void> {
  await tx.query('DELETE FROM mxproof.checked_addresses WHERE list_id = $1 AND position = ANY($2)', [
    listId,
    positions,
  ]);
}

export interface FoundAddress {
  /** Which of those that were looked for. */
  readonly place: number;
  readonly listId: number;
  readonly position: number;
}

/** Of each address the latest result on its day or up to `withinDays` before it; addresses without one are missing. */
export async function findAddresses(
  tx: Tx,
  accountId: number,
  wanted: readonly { readonly hash: Buffer; readonly day: string }[],
  withinDays: number,
): Promise<FoundAddress[]> {
  return tx
    .query<Row & FoundAddress>(
      `SELECT w.place::int AS place, c.list_id AS "listId", c.position
     FROM unnest($2::bigint[], $3::date[]) WITH ORDINALITY AS w (hash, day, place)
     CROSS JOIN LATERAL (
       SELECT c.list_id, c.position FROM mxproof.checked_addresses c
       JOIN mxproof.lists l ON l.id = c.list_id AND l.account_id = $1 AND l.results_expired_at IS NULL
       WHERE c.account_id = $1 AND c.hash = w.hash AND c.day BETWEEN w.day - $4::int AND w.day
       ORDER BY c.day DESC, c.list_id DESC LIMIT 1) AS c`,
      [accountId, wanted.map(({ hash }) => shortHash(hash)), wanted.map(({ day }) => day), withinDays],
    )
    .then((found) => found.map((each) => ({ ...each, place: each.place - 1 })));
}
