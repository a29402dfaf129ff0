// Alerts: what holds, what the operator was told of it, and what is still to be sent.
// Promise: what is to be sent is decided by one node at a time, in one transaction with what is remembered; a message is one
// node's at a time, and gone only once it was delivered or given up.
import { randomUUID } from 'node:crypto';
import type { Database, Tx } from '../../store/database.ts';
import type { AlertState } from './alert-state.ts';

export type AlertWay = 'post' | 'mail';

export interface AlertRow extends AlertState {
  readonly condition: string;
  readonly subject: string;
  readonly detail: string;
}

export interface NewAlertMessage {
  readonly condition: string;
  readonly subject: string;
  readonly body: string;
  /** It adds nothing to one that is not sent yet. */
  readonly isRepeat: boolean;
}

export interface ClaimedAlertMessage {
  readonly seq: number;
  readonly id: string;
  readonly way: AlertWay;
  readonly condition: string;
  readonly body: string;
  /** This one included. */
  readonly attempts: number;
  readonly ageSeconds: number;
}

/** Longer than an attempt takes. */
const CLAIM_SECONDS = 60;
const CLAIMED_AT_ONCE = 10;
const MAX_ROWS = 10_000;
const MAX_ERROR_CHARACTERS = 200;
const RESOLVED_KEPT_DAYS = 7;

const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;
const COLUMNS = `condition, subject, detail, ${MS('since')} AS "sinceMs", ${MS('told_at')} AS "toldMs",
  is_told AS "isTold", ${MS('clear_since')} AS "clearSinceMs", ${MS('resolved_at')} AS "resolvedMs"`;
const AT = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`;

/** Those that hold first, then by what they are about. */
export function readAlerts(tx: Tx): Promise<AlertRow[]> {
  return tx.query<AlertRow & Record<string, unknown>>(
    `SELECT ${COLUMNS} FROM mxproof.alerts
     ORDER BY resolved_at IS NOT NULL, condition, subject LIMIT ${MAX_ROWS}`,
  );
}

/** `decide` has the alerts to itself, with the database's time. */
export function changeAlerts(
  db: Database,
  ways: readonly AlertWay[],
  decide: (
    rows: readonly AlertRow[],
    nowMs: number,
  ) => { readonly rows: readonly AlertRow[]; readonly messages: readonly NewAlertMessage[] },
): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query('LOCK TABLE mxproof.alerts IN SHARE ROW EXCLUSIVE MODE');
    // Not the transaction's begin: it may have waited for the lock.
    const [clock] = await tx.query<{ now: number }>(`SELECT ${MS('clock_timestamp()')} AS now`);
    const { rows, messages } = decide(await readAlerts(tx), clock!.now);
    for (const row of rows) await writeAlert(tx, row);
    for (const message of messages) for (const way of ways) await insertMessage(tx, message, way);
  });
}

async function writeAlert(tx: Tx, row: AlertRow): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.alerts (condition, subject, detail, since, told_at, is_told, clear_since, resolved_at)
     VALUES ($1, $2, $3, ${AT('$4')}, ${AT('$5')}, $6, ${AT('$7')}, ${AT('$8')})
     ON CONFLICT (condition, subject) DO UPDATE SET detail = excluded.detail, since = excluded.since,
       told_at = excluded.told_at, is_told = excluded.is_told, clear_since = excluded.clear_since,
       resolved_at = excluded.resolved_at`,
    [
      ...[row.condition, row.subject, row.detail, row.sinceMs, row.toldMs],
      ...[row.isTold, row.clearSinceMs, row.resolvedMs],
    ],
  );
}

async function insertMessage(
  tx: Tx,
  { condition, subject, body, isRepeat }: NewAlertMessage,
  way: AlertWay,
): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.alert_messages (id, way, condition, subject, body)
     SELECT $1, $2, $3, $4, $5 WHERE NOT $6 OR NOT EXISTS (
       SELECT FROM mxproof.alert_messages WHERE way = $2 AND condition = $3 AND subject = $4)`,
    [randomUUID(), way, condition, subject, body, isRepeat],
  );
}

/** The oldest of each alert and way: that it is over is never told before that it began. */
export function claimAlertMessages(tx: Tx, ways: readonly AlertWay[]): Promise<ClaimedAlertMessage[]> {
  return tx.query<ClaimedAlertMessage & Record<string, unknown>>(
    `WITH due AS (
       SELECT seq FROM mxproof.alert_messages m
       WHERE way = ANY ($1::text[])
         -- A clock that has stepped back must not leave it unsent until it is there again.
         AND (next_attempt_at <= now() OR next_attempt_at > now() + interval '1 hour')
         AND NOT EXISTS (SELECT FROM mxproof.alert_messages e WHERE e.way = m.way
           AND e.condition = m.condition AND e.subject = m.subject AND e.seq < m.seq)
       ORDER BY seq LIMIT ${CLAIMED_AT_ONCE} FOR UPDATE SKIP LOCKED)
     UPDATE mxproof.alert_messages m
     SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${CLAIM_SECONDS})
     FROM due WHERE m.seq = due.seq
     RETURNING m.seq, id, way, condition, body, attempts,
       extract(epoch FROM now() - made_at)::float8 AS "ageSeconds"`,
    [ways],
  );
}

/** Delivered, or given up. */
export async function removeAlertMessage(tx: Tx, seq: number): Promise<void> {
  await tx.query('DELETE FROM mxproof.alert_messages WHERE seq = $1', [seq]);
}

/** Unless another node has it by now. */
export async function postponeAlertMessage(
  tx: Tx,
  { seq, attempts }: ClaimedAlertMessage,
  afterSeconds: number,
  error: string,
): Promise<void> {
  await tx.query(
    `UPDATE mxproof.alert_messages SET next_attempt_at = now() + make_interval(secs => $3), error = $4
     WHERE seq = $1 AND attempts = $2`,
    [seq, attempts, afterSeconds, error.slice(0, MAX_ERROR_CHARACTERS)],
  );
}

/** What is not sent yet, the newest error of each way with it. */
export function unsentAlerts(
  tx: Tx,
): Promise<{ way: AlertWay; messages: number; attempts: number; error: string | null }[]> {
  return tx.query(
    `SELECT way, count(*) AS messages, max(attempts) AS attempts,
            (array_agg(error ORDER BY seq DESC) FILTER (WHERE error IS NOT NULL))[1] AS error
     FROM mxproof.alert_messages GROUP BY 1 ORDER BY 1`,
  );
}

export async function sweepAlerts(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.alerts WHERE resolved_at < now() - make_interval(days => ${RESOLVED_KEPT_DAYS})`,
  );
}
