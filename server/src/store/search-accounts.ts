// Accounts as operators look for them. Promise: test twins and deleted accounts are not among them.
import { ACCOUNT_COLUMNS, type Account } from './accounts.ts';
import type { Row, Tx } from './database.ts';

export interface ActiveAccount extends Account {
  /** When a key or session of it, test side included, was last used, at most a minute ago; null: never. */
  readonly lastActiveAtSeconds: number | null;
}

type ActiveRow = Row & { [Field in keyof ActiveAccount]: ActiveAccount[Field] };

const SIDES = 'SELECT t.id FROM mxproof.accounts t WHERE t.id = a.id OR t.test_of = a.id';
const LAST_ACTIVE = `floor(extract(epoch FROM greatest(
  (SELECT max(k.last_used_at) FROM mxproof.api_keys k WHERE k.account_id IN (${SIDES})),
  (SELECT max(s.seen_at) FROM mxproof.sessions s WHERE s.account_id IN (${SIDES})))))::bigint AS "lastActiveAtSeconds"`;
const IS_SHOWN = 'test_of IS NULL AND deleted_at IS NULL';

/** Null: no such account. */
export async function findActive(tx: Tx, id: number): Promise<ActiveAccount | null> {
  const [row] = await tx.query<ActiveRow>(
    `SELECT ${ACCOUNT_COLUMNS}, ${LAST_ACTIVE} FROM mxproof.accounts a WHERE id = $1 AND ${IS_SHOWN}`,
    [id],
  );
  return row ?? null;
}

export interface AccountSearch {
  /** An id, how an external id begins, or a piece of a name, in any case; null: all of them. */
  readonly q: string | null;
  readonly status: 'active' | 'suspended' | null;
  readonly offset: number;
  readonly limit: number;
}

/** Newest first. `total`: how many match. */
export async function searchAccounts(
  tx: Tx,
  { q, status, offset, limit }: AccountSearch,
): Promise<{ accounts: ActiveAccount[]; total: number }> {
  // PostgreSQL's text cannot have it, so that no name does.
  if (q?.includes('\0')) return { accounts: [], total: 0 };
  const matching = `FROM mxproof.accounts a WHERE ${IS_SHOWN}
    AND ($1::text IS NULL OR id = $2 OR external_id ILIKE $3 OR name ILIKE $4)
    AND ($5::text IS NULL OR (suspended_at IS NOT NULL) = ($5 = 'suspended'))`;
  const piece = q?.replace(/[\\%_]/g, '\\$&') ?? null;
  const values = [q, readId(q), `${piece}%`, `%${piece}%`, status];
  const [row] = await tx.query<{ total: number }>(`SELECT count(*) AS total ${matching}`, values);
  const accounts = await tx.query<ActiveRow>(
    `SELECT ${ACCOUNT_COLUMNS}, ${LAST_ACTIVE} ${matching} ORDER BY id DESC OFFSET $6 LIMIT $7`,
    [...values, offset, limit],
  );
  return { accounts, total: row!.total };
}

const readId = (q: string | null) => (q !== null && /^[1-9]\d{0,14}$/.test(q) ? Number(q) : null);
