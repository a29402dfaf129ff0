// Addresses that are to be erased, how far that is, and those that were (their hashes).

import type { KnownErasure } from '../../rules/erased-hash.ts';
import type { Row, Tx } from '../../store/database.ts';
import { BARE } from '../../store/outcome-settings.ts';

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

/** Of the account, which is locked: what is inserted in the same transaction is counted by the next. */
export async function countErasures(
  tx: Tx,
  accountId: number,
): Promise<{ running: number; lastDay: number }> {
  await tx.query('SELECT FROM mxproof.accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  const [row] = await tx.query<{ running: number; lastDay: number }>(
    `SELECT count(*) FILTER (WHERE done_at IS NULL) AS running,
       count(*) FILTER (WHERE asked_at > now() - interval '1 day') AS "lastDay"
     FROM mxproof.erasures WHERE account_id = $1 AND (done_at IS NULL OR asked_at > now() - interval '1 day')`,
    [accountId],
  );
  return row!;
}

export async function findErasure(tx: Tx, id: number, accountId: number): Promise<Erasure | null> {
  const [row] = await tx.query<Row & Erasure>(
    `SELECT ${COLUMNS} FROM mxproof.erasures WHERE id = $1 AND account_id = $2`,
    [id, accountId],
  );
  return row ?? null;
}

export async function readErasures(tx: Tx, ids: readonly number[]): Promise<Erasure[]> {
  return tx.query<Row & Erasure>(`SELECT ${COLUMNS} FROM mxproof.erasures WHERE id = ANY($1)`, [ids]);
}

export async function readErasure(tx: Tx, id: number): Promise<Erasure> {
  return (await readErasures(tx, [id]))[0]!;
}

/** What an account may have at once, and a process does in one go. */
export const MAX_RUNNING = 100;

/** No process is at it, and it is not in `except`. */
const IS_WAITING = `done_at IS NULL AND id <> ALL($1::bigint[])
  AND (renewed_at IS NULL OR renewed_at NOT BETWEEN now() - make_interval(secs => ${LEASE_SECONDS}) AND now())`;

/** All that wait of one account: of that which has waited longest, so that none waits for more than one round of another. */
export async function claimErasures(tx: Tx, except: readonly number[] = []): Promise<RunningErasure[]> {
  return tx.query<Row & RunningErasure>(
    `UPDATE mxproof.erasures SET renewed_at = now() WHERE id = ANY (ARRAY(
       SELECT id FROM mxproof.erasures
       WHERE ${IS_WAITING} AND coalesce(account_id, 0) = (
         SELECT coalesce(account_id, 0) FROM mxproof.erasures WHERE ${IS_WAITING} ORDER BY asked_at, id LIMIT 1)
       ORDER BY asked_at, id LIMIT ${MAX_RUNNING} FOR UPDATE SKIP LOCKED))
     RETURNING ${RUNNING_COLUMNS}`,
    [except],
  );
}

/** For a process that stops in the middle: another may go on at once. */
export async function releaseErasures(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query('UPDATE mxproof.erasures SET renewed_at = NULL WHERE id = ANY($1)', [ids]);
}

export async function noteLookedThrough(tx: Tx, ids: readonly number[], afterList: number): Promise<void> {
  await tx.query(
    'UPDATE mxproof.erasures SET renewed_at = now(), after_list = greatest(after_list, $2) WHERE id = ANY($1)',
    [ids, afterList],
  );
}

/** In the transaction that erases them. */
export async function countErased(tx: Tx, id: number, rows: number): Promise<void> {
  await tx.query('UPDATE mxproof.erasures SET lists = lists + 1, rows = rows + $2 WHERE id = $1', [id, rows]);
}

/** Except those that were asked for again meanwhile, and go on: they are returned. */
export async function finishErasures(
  tx: Tx,
  finished: readonly { readonly id: number; readonly upToList: number }[],
): Promise<RunningErasure[]> {
  const rows = await tx.query<Row & RunningErasure & { isDone: boolean }>(
    `UPDATE mxproof.erasures e SET
       done_at = CASE WHEN up_to_list = f.up_to THEN coalesce(done_at, now()) ELSE done_at END,
       sealed = CASE WHEN up_to_list = f.up_to THEN NULL ELSE sealed END
     FROM unnest($1::bigint[], $2::bigint[]) AS f (finished, up_to) WHERE id = f.finished
     RETURNING ${RUNNING_COLUMNS}, done_at IS NOT NULL AS "isDone"`,
    [finished.map(({ id }) => id), finished.map(({ upToList }) => upToList)],
  );
  return rows.filter(({ isDone }) => !isDone);
}

const KNOWN = `account_id AS "accountId", key_id AS "keyId", encode(hash, 'hex') AS hash, asked_at AS "askedAt"`;
/** Of several of the same address and account, the latest says all. */
const LATEST = 'DISTINCT ON (key_id, account_id, hash)';
const LATEST_FIRST = 'ORDER BY key_id, account_id, hash, asked_at DESC';

/** A reader of this file has seen all that were asked for before, and some of those after. */
export function askedAfter(tx: Tx, time: Date): Promise<KnownErasure[]> {
  return tx.query<Row & KnownErasure>(
    `SELECT ${LATEST} ${KNOWN} FROM mxproof.erasures WHERE asked_at > $1 ${LATEST_FIRST}`,
    [time],
  );
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

/** How many were given, and how many of them say something that no other does. */
export async function countGiven(tx: Tx): Promise<{ lines: number; latest: number }> {
  const [row] = await tx.query<{ lines: number; latest: number }>(
    `SELECT count(*) AS lines, count(DISTINCT (key_id, account_id, hash)) AS latest FROM ${GIVEN}`,
  );
  return row!;
}

/** What was given. */
export const latestGiven = (tx: Tx) =>
  inPieces(tx, `SELECT ${LATEST} ${KNOWN} FROM ${GIVEN} ${LATEST_FIRST}`);

/** What the store knows and was not given. */
export const notGiven = (tx: Tx) =>
  inPieces(
    tx,
    `SELECT ${LATEST} ${KNOWN} FROM mxproof.erasures e
     WHERE NOT EXISTS (SELECT FROM ${GIVEN} g WHERE g.hash = e.hash AND g.key_id = e.key_id
       AND coalesce(g.account_id, 0) = coalesce(e.account_id, 0) AND g.asked_at >= e.asked_at) ${LATEST_FIRST}`,
  );

const PIECE_ROWS = 2_000;

async function* inPieces(tx: Tx, query: string): AsyncGenerator<KnownErasure[]> {
  await tx.query(`DECLARE known_erasures NO SCROLL CURSOR FOR ${query}`);
  for (;;) {
    const rows = await tx.query<Row & KnownErasure>(`FETCH ${PIECE_ROWS} FROM known_erasures`);
    if (rows.length === 0) break;
    yield rows;
  }
  await tx.query('CLOSE known_erasures');
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

/** What became of mail to them; what they are suppressed for stays, as their hash alone. */
export async function eraseNewOutcomes(tx: Tx): Promise<void> {
  const theirs = `FROM ${NEW} n WHERE o.hash = n.hash AND o.day <= n.asked_at
    AND (n.account_ids IS NULL OR o.account_id = ANY(n.account_ids))`;
  await tx.query(`DELETE FROM mxproof.outcomes o WHERE NOT suppresses AND EXISTS (SELECT ${theirs})`);
  await tx.query(`UPDATE mxproof.outcomes o SET ${BARE} WHERE EXISTS (SELECT ${theirs})`);
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
