// The suppression list of an account: hashes of addresses, and why. Promise: an address is never given back.
import type { Row, Tx } from '../../store/database.ts';

/** An account that uploads without end does not fill the store. */
export const MAX_SUPPRESSED = 5_000_000;

export interface SuppressedCounts {
  /** Addresses; one may be on the list for more than one reason. */
  readonly total: number;
  readonly bounced: number;
  readonly complained: number;
  readonly uploaded: number;
}

export async function countSuppressed(tx: Tx, accountId: number): Promise<SuppressedCounts> {
  const [row] = await tx.query<SuppressedCounts & Row>(
    `SELECT count(DISTINCT hash) AS total,
       count(DISTINCT hash) FILTER (WHERE outcome = 'bounced') AS bounced,
       count(DISTINCT hash) FILTER (WHERE outcome = 'complained') AS complained,
       count(DISTINCT hash) FILTER (WHERE outcome = 'uploaded') AS uploaded
     FROM mxproof.outcomes WHERE account_id = $1 AND suppresses`,
    [accountId],
  );
  return row!;
}

/** Returns how many were not on the list. */
export async function suppress(tx: Tx, accountId: number, hashes: readonly Buffer[]): Promise<number> {
  // Its hash tells an upload apart: it comes from no event.
  const [row] = await tx.query<{ added: number }>(
    `WITH given AS (SELECT DISTINCT hash FROM unnest($2::bytea[]) AS g (hash)),
     before AS (
       SELECT DISTINCT o.hash FROM mxproof.outcomes o JOIN given USING (hash) WHERE o.account_id = $1 AND o.suppresses),
     inserted AS (
       INSERT INTO mxproof.outcomes (account_id, event, hash, outcome, day, suppresses)
       SELECT $1, hash, hash, 'uploaded', (now() AT TIME ZONE 'UTC')::date, true FROM given ORDER BY hash
       ON CONFLICT DO NOTHING RETURNING hash)
     SELECT count(*) AS added FROM inserted WHERE hash NOT IN (SELECT hash FROM before)`,
    [accountId, hashes],
  );
  return row!.added;
}

/** Which of them are on the list, in hex. */
export async function suppressedAmong(
  tx: Tx,
  accountId: number,
  hashes: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ hash: string }>(
    `SELECT DISTINCT encode(hash, 'hex') AS hash FROM mxproof.outcomes
     WHERE account_id = $1 AND hash = ANY($2::bytea[]) AND suppresses`,
    [accountId, hashes],
  );
  return new Set(rows.map(({ hash }) => hash));
}

/** Whatever they are on the list for; outcomes go on counting. Returns how many were on it. */
export async function unsuppress(tx: Tx, accountId: number, hashes: readonly Buffer[]): Promise<number> {
  const theirs = 'account_id = $1 AND hash = ANY($2::bytea[]) AND suppresses';
  const gone = await tx.query<{ hash: string }>(
    `DELETE FROM mxproof.outcomes WHERE ${theirs} AND domain IS NULL RETURNING encode(hash, 'hex') AS hash`,
    [accountId, hashes],
  );
  const left = await tx.query<{ hash: string }>(
    `UPDATE mxproof.outcomes SET suppresses = false WHERE ${theirs} RETURNING encode(hash, 'hex') AS hash`,
    [accountId, hashes],
  );
  return new Set([...gone, ...left].map(({ hash }) => hash)).size;
}
