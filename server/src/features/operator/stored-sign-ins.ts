// Links and sessions of operators, which belong to no account. Promise: a link is redeemed at most once, within its minutes;
// a session that is older than its hours, signed out or of a key
// that is not valid any more is never found; every use reads this table, on every node.
import type { Row, Tx } from '../../store/database.ts';
import { LINK_MINUTES } from '../../store/sign-in-links.ts';
import { type AdminScope, IS_VALID_ADMIN_KEY } from './stored-admin-keys.ts';

/** From signing in on, however much it is used: what can rest every source is not left open for days. */
export const OPERATOR_SESSION_HOURS = 12;
/** The oldest makes room. */
const MAX_SESSIONS = 20;
/** The oldest makes room: a script that makes links in a loop fills no table. */
const MAX_LINKS = 20;

const IS_FRESH = `created_at > now() - make_interval(mins => ${LINK_MINUTES})`;
/** Of a row `s`. */
const IS_IN_TIME = `s.created_at > now() - make_interval(hours => ${OPERATOR_SESSION_HOURS})`;

export async function insertOperatorLink(tx: Tx, hash: Buffer): Promise<void> {
  await tx.query('INSERT INTO mxproof.operator_links (hash) VALUES ($1)', [hash]);
  await tx.query(
    `DELETE FROM mxproof.operator_links WHERE hash IN (
       SELECT hash FROM mxproof.operator_links ORDER BY created_at DESC, hash OFFSET ${MAX_LINKS})`,
  );
}

export async function isOperatorLink(tx: Tx, hash: Buffer): Promise<boolean> {
  const rows = await tx.query(`SELECT 1 FROM mxproof.operator_links WHERE hash = $1 AND ${IS_FRESH}`, [hash]);
  return rows.length > 0;
}

/** True once: redeeming consumes the link. */
export async function takeOperatorLink(tx: Tx, hash: Buffer): Promise<boolean> {
  const rows = await tx.query(
    `DELETE FROM mxproof.operator_links WHERE hash = $1 AND ${IS_FRESH} RETURNING hash`,
    [hash],
  );
  return rows.length > 0;
}

/** What a session was begun with: a key, a provider's word, or neither: a link. */
export interface OperatorProof {
  readonly keyId: number | null;
  /** Who it is by the provider. */
  readonly subject: string | null;
}

export async function insertOperatorSession(
  tx: Tx,
  hash: Buffer,
  { keyId, subject }: OperatorProof,
): Promise<void> {
  await tx.query('INSERT INTO mxproof.operator_sessions (hash, key_id, subject) VALUES ($1, $2, $3)', [
    hash,
    keyId,
    subject,
  ]);
  await tx.query(
    `DELETE FROM mxproof.operator_sessions WHERE id IN (
       SELECT id FROM mxproof.operator_sessions ORDER BY id DESC OFFSET ${MAX_SESSIONS})`,
  );
}

export interface OperatorSession extends OperatorProof {
  readonly id: number;
  readonly hash: Buffer;
  readonly endsAtSeconds: number;
  /** As its key's; write of any other. */
  readonly scope: AdminScope;
  readonly allowedIps: readonly string[] | null;
}

/** Several at once, in the order of the questions. */
export async function findOperatorSessions(
  tx: Tx,
  hashes: readonly Buffer[],
): Promise<(OperatorSession | null)[]> {
  const rows = await tx.prepared<OperatorSession & Row>(
    'find-operator-sessions',
    `SELECT s.id, s.hash, floor(extract(epoch FROM s.created_at))::bigint + ${OPERATOR_SESSION_HOURS * 3_600} AS "endsAtSeconds",
       s.key_id AS "keyId", s.subject, coalesce(k.scope, 'write') AS scope, k.allowed_ips AS "allowedIps"
     FROM mxproof.operator_sessions s LEFT JOIN mxproof.admin_keys k ON k.id = s.key_id
     WHERE ${IS_IN_TIME} AND s.hash = ANY($1) AND (s.key_id IS NULL OR (${IS_VALID_ADMIN_KEY}))`,
    [hashes],
  );
  return hashes.map((hash) => rows.find((row) => row.hash.equals(hash)) ?? null);
}

/** False: there is no such session any more. */
export async function endOperatorSession(tx: Tx, hash: Buffer): Promise<boolean> {
  const rows = await tx.query('DELETE FROM mxproof.operator_sessions WHERE hash = $1 RETURNING id', [hash]);
  return rows.length === 1;
}

/** All sessions, and the links that could begin one. Returns how many sessions. */
export async function endOperatorSignIns(tx: Tx): Promise<number> {
  await tx.query('DELETE FROM mxproof.operator_links');
  return (await tx.query('DELETE FROM mxproof.operator_sessions RETURNING id')).length;
}

export async function sweepOperatorSignIns(tx: Tx): Promise<void> {
  await tx.query(`DELETE FROM mxproof.operator_links WHERE NOT (${IS_FRESH})`);
  await tx.query(`DELETE FROM mxproof.operator_sessions s WHERE NOT (${IS_IN_TIME})`);
}
