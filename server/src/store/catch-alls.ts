// Which domains accept every recipient, as an account's own checks have found (GET /domains): written in the transaction that
// stores their results, gone with their list or its results, with an erased address of the domain, and after 30 days.
// Locked last, behind what accounts have asked of domains (asked-domains.ts), in one order.
import type { LearntCatchAll } from '../rules/learnt-catch-alls.ts';
import type { Database, Tx } from './database.ts';

const KEPT = `interval '30 days'`;
/** A finding that says the same is written again after so long: most domains of a list were in the one before. */
const WRITTEN_AGAIN = `interval '1 day'`;
const SWEPT_AT_ONCE = 10_000;

/** The rest of a statement after what `learnt` is: (account_id, domain, is_catch_all, list_id), once for each domain. */
export function keepCatchAllsSql(learnt: string): string {
  return `INSERT INTO mxproof.catch_alls AS c (account_id, domain, is_catch_all, list_id, found_at)
     SELECT w.account_id, w.domain, w.is_catch_all, w.list_id, now() FROM ${learnt} AS w
     -- One that stays as it is is not even locked.
     WHERE NOT EXISTS (
       SELECT FROM mxproof.catch_alls k WHERE k.account_id = w.account_id AND k.domain = w.domain
         AND k.is_catch_all = w.is_catch_all AND k.found_at > now() - ${WRITTEN_AGAIN})
     ORDER BY 1, 2
     ON CONFLICT (account_id, domain) DO UPDATE SET
       is_catch_all = excluded.is_catch_all, list_id = excluded.list_id, found_at = excluded.found_at`;
}

/** The caller holds the list's lock. */
export async function keepCatchAlls(
  tx: Tx,
  { accountId, listId }: { accountId: number; listId: number },
  learnt: readonly LearntCatchAll[],
): Promise<void> {
  if (learnt.length === 0) return;
  await tx.prepared(
    'keep-catch-alls',
    keepCatchAllsSql(`(SELECT $1::bigint AS account_id, domain, is_catch_all, $2::bigint AS list_id
       FROM unnest($3::text[], $4::bool[]) AS f (domain, is_catch_all))`),
    [accountId, listId, learnt.map(({ domain }) => domain), learnt.map(({ isCatchAll }) => isCatchAll)],
  );
}

/** Null: the account has found nothing. A deleted list that may be brought back belongs to no account, and says nothing. */
export async function findCatchAll(
  tx: Tx,
  accountId: number,
  domain: string,
): Promise<{ isCatchAll: boolean; atSeconds: number } | null> {
  const [row] = await tx.prepared<{ isCatchAll: boolean; atSeconds: number }>(
    'find-catch-all',
    `SELECT c.is_catch_all AS "isCatchAll", floor(extract(epoch FROM c.found_at))::bigint AS "atSeconds"
     FROM mxproof.catch_alls c JOIN mxproof.lists l ON l.id = c.list_id AND l.account_id = c.account_id
     WHERE c.account_id = $1 AND c.domain = $2 AND c.found_at > now() - ${KEPT}`,
    [accountId, domain],
  );
  return row ?? null;
}

/** A domain may be of one person. */
export async function forgetCatchAlls(tx: Tx, accountId: number, domains: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM mxproof.catch_alls WHERE account_id = $1 AND domain = ANY($2)', [
    accountId,
    domains,
  ]);
}

export async function sweepCatchAlls(db: Database): Promise<{ more: boolean }> {
  const gone = await db.query(
    `DELETE FROM mxproof.catch_alls WHERE (account_id, domain) IN (
       SELECT account_id, domain FROM mxproof.catch_alls WHERE found_at <= now() - ${KEPT} LIMIT ${SWEPT_AT_ONCE})
     RETURNING 1`,
  );
  return { more: gone.length === SWEPT_AT_ONCE };
}
