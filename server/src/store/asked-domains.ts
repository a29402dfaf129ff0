// How many recipients of each domain an account has asked about within a day, for all nodes; see engine/src/check/guess-detector.ts.
// Locked after everything else: list, chunks, account, day, then these, in one order.
import type { AskedDomain } from '@mxproof/engine';
import type { AskedCount } from '../rules/asked-domains.ts';
import type { Row, Tx } from './database.ts';

const DAY = `interval '24 hours'`;
/** A domain that knows its recipients has no row before so many of them are written at once: most domains have none. */
const MANY_RECIPIENTS = 20;

/** The rest of a statement after what `counts` is: (account_id, domain, asked, unknown), once for each domain. */
export function countAskedSql(counts: string): string {
  return `INSERT INTO mxproof.asked_domains AS d (account_id, domain, asked, unknown)
     SELECT c.account_id, c.domain, c.asked, c.unknown FROM ${counts} AS c
     WHERE c.unknown > 0 OR c.asked >= ${MANY_RECIPIENTS} OR EXISTS (
       SELECT FROM mxproof.asked_domains k WHERE k.account_id = c.account_id AND k.domain = c.domain)
     ORDER BY 1, 2
     ON CONFLICT (account_id, domain) DO UPDATE SET
       asked = excluded.asked + CASE WHEN d.since > now() - ${DAY} THEN d.asked ELSE 0 END,
       unknown = excluded.unknown + CASE WHEN d.since > now() - ${DAY} THEN d.unknown ELSE 0 END,
       since = CASE WHEN d.since > now() - ${DAY} THEN d.since ELSE now() END`;
}

/** What an account has asked about a domain in all. */
export type AccountAsked = AskedDomain & { readonly accountId: number };

/** A row of the table as an `AccountAsked`. */
const ASKED_COLUMNS = `d.account_id AS "accountId", d.domain, d.asked, d.unknown,
       floor(extract(epoch FROM now() - d.since) * 1000)::bigint AS "ageMs"`;

/** After `countAskedSql`: the totals now, of domains with so many recipients that they may be judged one day. */
export const RETURNING_ASKED = `RETURNING ${ASKED_COLUMNS}, d.asked >= ${MANY_RECIPIENTS} AS "isMany"`;

/** Nothing of a deleted account: a node that held something of it says so a little later. */
export async function addAsked(tx: Tx, accountId: number, counts: readonly AskedCount[]): Promise<void> {
  if (counts.length === 0) return;
  await tx.prepared(
    'add-asked',
    countAskedSql(`(SELECT $1::bigint AS account_id, * FROM unnest($2::text[], $3::int[], $4::int[])
       AS w (domain, asked, unknown)
       WHERE EXISTS (SELECT FROM mxproof.accounts WHERE id = $1 AND deleted_at IS NULL))`),
    [
      accountId,
      counts.map(({ domain }) => domain),
      counts.map(({ asked }) => asked),
      counts.map(({ unknown }) => unknown),
    ],
  );
}

/** By account, of the domains named with it. */
export async function askedBefore(
  tx: Tx,
  wanted: readonly { readonly accountId: number; readonly domain: string }[],
): Promise<Map<number, AskedDomain[]>> {
  if (wanted.length === 0) return new Map();
  const rows = await tx.prepared<AccountAsked & Row>(
    'asked-before',
    `SELECT ${ASKED_COLUMNS}
     FROM unnest($1::bigint[], $2::text[]) AS w (account_id, domain)
     JOIN mxproof.asked_domains d ON d.account_id = w.account_id AND d.domain = w.domain
     WHERE d.since > now() - ${DAY}`,
    [wanted.map(({ accountId }) => accountId), wanted.map(({ domain }) => domain)],
  );
  return Map.groupBy(rows, ({ accountId }) => accountId);
}

export async function sweepAskedDomains(tx: Tx): Promise<void> {
  await tx.query(`DELETE FROM mxproof.asked_domains WHERE since <= now() - ${DAY}`);
}
