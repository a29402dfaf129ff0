// Addresses that are to be erased, how far that is, and those that were (their hashes).

import type { Row, Tx } from '../../store/database.ts';
import type { KnownErasure } from './erased-hash.ts';

export interface Erasure {
  readonly id: number;
  /** Null: everyone's lists. */
  readonly accountId: number | null;
  readonly isDone: boolean;
  /** With the address in them, and in how many rows. */
  readonly lists: number;
  readonly rows: number;
}

/** One that goes on. */
export interface RunningErasure {
  readonly id: number;
  readonly accountId: number | null;
  readonly sealed: Buffer;
  readonly afterList: number;
  readonly upToList: number;
}

const COLUMNS = `id, account_id AS "accountId", done_at IS NOT NULL AS "isDone", lists, rows`;
const RUNNING_COLUMNS = `id, account_id AS "accountId", sealed, after_list AS "afterList", up_to_list AS "upToList"`;

/** After so long without a sign, the process that was at it is gone. */
const LEASE_SECONDS = 60;

/** Of an address that is being erased already, that one. `isMine`: the caller goes on with it at once. */
export async function insertErasure(
  tx: Tx,
  wanted: {
    readonly accountId: number | null;
    readonly keyId: string;
    readonly hash: string;
    readonly sealed: Buffer;
    readonly isMine: boolean;
  },
): Promise<RunningErasure> {
  const { accountId, keyId, hash, sealed, isMine } = wanted;
  const [row] = await tx.query<Row & RunningErasure>(
    `INSERT INTO mxproof.erasures (account_id, key_id, hash, sealed, up_to_list, renewed_at)
     VALUES ($1, $2, decode($3, 'hex'), $4, (SELECT coalesce(max(id), 0) FROM mxproof.lists), CASE WHEN $5 THEN now() END)
     ON CONFLICT (coalesce(account_id, 0), hash) WHERE done_at IS NULL DO UPDATE
       -- What was stored since it began is to go as well.
       SET up_to_list = excluded.up_to_list, asked_at = excluded.asked_at
     RETURNING ${RUNNING_COLUMNS}`,
    [accountId, keyId, hash, sealed, isMine],
  );
  return row!;
}

export async function countRunning(tx: Tx, accountId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'SELECT count(*) AS count FROM mxproof.erasures WHERE done_at IS NULL AND account_id = $1',
    [accountId],
  );
  return row!.count;
}

export async function findErasure(tx: Tx, id: number, accountId: number): Promise<Erasure | null> {
  const [row] = await tx.query<Row & Erasure>(
    `SELECT ${COLUMNS} FROM mxproof.erasures WHERE id = $1 AND account_id = $2`,
    [id, accountId],
  );
  return row ?? null;
}

export async function readErasure(tx: Tx, id: number): Promise<Erasure> {
  const [row] = await tx.query<Row & Erasure>(`SELECT ${COLUMNS} FROM mxproof.erasures WHERE id = $1`, [id]);
  return row!;
}

/** The oldest that no process is at, and that is none of `except`. */
export async function claimErasure(tx: Tx, except: readonly number[] = []): Promise<RunningErasure | null> {
  const [row] = await tx.query<Row & RunningErasure>(
    `UPDATE mxproof.erasures SET renewed_at = now() WHERE id = (
       SELECT id FROM mxproof.erasures
       WHERE done_at IS NULL AND id <> ALL($1::bigint[])
         AND (renewed_at IS NULL OR renewed_at NOT BETWEEN now() - make_interval(secs => ${LEASE_SECONDS}) AND now())
       ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING ${RUNNING_COLUMNS}`,
    [except],
  );
  return row ?? null;
}

/** For a process that stops in the middle: another may go on at once. */
export async function releaseErasure(tx: Tx, id: number): Promise<void> {
  await tx.query('UPDATE mxproof.erasures SET renewed_at = NULL WHERE id = $1', [id]);
}

export async function noteLookedThrough(tx: Tx, id: number, afterList: number): Promise<void> {
  await tx.query('UPDATE mxproof.erasures SET renewed_at = now(), after_list = $2 WHERE id = $1', [
    id,
    afterList,
  ]);
}

/** In the transaction that erases them. */
export async function countErased(tx: Tx, id: number, rows: number): Promise<void> {
  await tx.query('UPDATE mxproof.erasures SET lists = lists + 1, rows = rows + $2 WHERE id = $1', [id, rows]);
}

/** Unless it was asked for again meanwhile, and goes on: then, up to which list. */
export async function finishErasure(
  tx: Tx,
  { id, upToList }: { id: number; upToList: number },
): Promise<number | null> {
  const [row] = await tx.query<{ upToList: number; isDone: boolean }>(
    `UPDATE mxproof.erasures SET
       done_at = CASE WHEN up_to_list = $2 THEN coalesce(done_at, now()) ELSE done_at END,
       sealed = CASE WHEN up_to_list = $2 THEN NULL ELSE sealed END
     WHERE id = $1 RETURNING up_to_list AS "upToList", done_at IS NOT NULL AS "isDone"`,
    [id, upToList],
  );
  return row === undefined || row.isDone ? null : row.upToList;
}

const KNOWN_AT_ONCE = 10_000;

/** All that were asked for, the oldest first. */
export async function* knownErasures(tx: Tx): AsyncGenerator<KnownErasure> {
  for (let after = 0; ; ) {
    const rows = await tx.query<Row & KnownErasure & { id: number }>(
      `SELECT id, account_id AS "accountId", key_id AS "keyId", encode(hash, 'hex') AS hash, asked_at AS "askedAt"
       FROM mxproof.erasures WHERE id > $1 ORDER BY id LIMIT ${KNOWN_AT_ONCE}`,
      [after],
    );
    yield* rows;
    if (rows.length < KNOWN_AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}

/** How the latest one stands; a reader of this has seen all. */
export async function latestErasure(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ latest: string }>(
    `SELECT coalesce(max(id), 0) || ' ' || coalesce(max(asked_at)::text, '') AS latest FROM mxproof.erasures`,
  );
  return row!.latest;
}

// What a restored store does not know yet, in tables of the transaction: a file of erasures may be larger than memory.
const GIVEN = 'pg_temp.given_erasures';
const NEW = 'pg_temp.new_erasures';
const IS_NEW = `NOT EXISTS (SELECT 1 FROM mxproof.erasures e
  WHERE e.hash = g.hash AND e.account_id IS NOT DISTINCT FROM g.account_id AND e.asked_at >= g.asked_at AND e.done_at IS NOT NULL)`;

/** Once in a transaction; then `addGiven`, in pieces. */
export async function prepareGiven(tx: Tx): Promise<void> {
  await tx.query(`CREATE TEMPORARY TABLE given_erasures
    (account_id bigint, key_id text NOT NULL, hash bytea NOT NULL, asked_at timestamptz NOT NULL) ON COMMIT DROP`);
}

export async function addGiven(tx: Tx, given: readonly KnownErasure[]): Promise<void> {
  await tx.query(
    `INSERT INTO ${GIVEN} SELECT account_id, key_id, decode(hash, 'hex'), asked_at
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[]) AS g (account_id, key_id, hash, asked_at)`,
    [
      given.map(({ accountId }) => accountId),
      given.map(({ keyId }) => keyId),
      given.map(({ hash }) => hash),
      given.map(({ askedAt }) => askedAt),
    ],
  );
}

/** Of those asked for after `since`: which the store does not know. `otherKeys`: by hashes of a key that is not its own. */
export async function countNew(
  tx: Tx,
  since: Date,
  keyId: string | null,
): Promise<{ all: number; otherKeys: number }> {
  const [row] = await tx.query<{ all: number; otherKeys: number }>(
    `SELECT count(*) AS all, count(*) FILTER (WHERE key_id IS DISTINCT FROM $2) AS "otherKeys" FROM ${GIVEN} g
     WHERE asked_at > $1 AND ${IS_NEW}`,
    [since, keyId],
  );
  return row!;
}

/** Those by this key, of accounts that are there. Returns how many addresses. */
export async function insertNew(tx: Tx, keyId: string): Promise<number> {
  await tx.query(
    'CREATE TEMPORARY TABLE new_erasures (account_ids bigint[], hash bytea, asked_at timestamptz) ON COMMIT DROP',
  );
  await tx.query(
    `WITH inserted AS (
       INSERT INTO mxproof.erasures (account_id, key_id, hash, asked_at, done_at, up_to_list)
       SELECT DISTINCT account_id, key_id, hash, asked_at, now(), 0 FROM ${GIVEN} g
       WHERE key_id = $1 AND ${IS_NEW}
         AND (account_id IS NULL OR EXISTS (SELECT 1 FROM mxproof.accounts a WHERE a.id = g.account_id))
       RETURNING account_id, hash, asked_at)
     INSERT INTO ${NEW} SELECT (SELECT array_agg(a.id) FROM mxproof.accounts a
       WHERE a.id = i.account_id OR a.test_of = i.account_id), hash, asked_at FROM inserted i`,
    [keyId],
  );
  await tx.query(`CREATE INDEX ON ${NEW} (hash)`);
  await tx.query(`ANALYZE ${NEW}`);
  const [row] = await tx.query<{ count: number }>(`SELECT count(DISTINCT hash) AS count FROM ${NEW}`);
  return row!.count;
}

export interface NewErasure {
  readonly hash: string;
  /** Null: everyone's. */
  readonly accountIds: readonly number[] | null;
  readonly askedAtSeconds: number;
}

/** Those of these hashes that `insertNew` has inserted. */
export async function newAmong(tx: Tx, hashes: readonly string[]): Promise<NewErasure[]> {
  return tx.query<Row & NewErasure>(
    `SELECT encode(n.hash, 'hex') AS hash, account_ids AS "accountIds", extract(epoch FROM asked_at)::float8 AS "askedAtSeconds"
     FROM unnest($1::text[]) AS h (hash) JOIN ${NEW} n ON n.hash = decode(h.hash, 'hex')`,
    [hashes],
  );
}
