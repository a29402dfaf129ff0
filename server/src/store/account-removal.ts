// What there is of a deleted account, and how it goes.
// Promise: each statement removes a bounded number of rows, and says whether there may be more; nothing depends on where the one
// before was cut off. What is not in these tables stays: the rows of the account and its keys without their texts, its ledger with
// the days of its money and results, the hashes of erased addresses, and the audit trail. A test holds both against the schema.
import type { Counts } from '../rules/chunk-results.ts';
import type { Row, Tx } from './database.ts';
import { QUEUE } from './jobs.ts';
import { endSessionsOf } from './sessions.ts';

const ROWS_AT_ONCE = 5_000;
/** Of a page. One list alone may have more addresses. */
const LISTS_AT_ONCE = 500;
const ADDRESSES_AT_ONCE = 50_000;
const ACCOUNTS_AT_ONCE = 100;
/** What was under way when it was deleted, and might still write for it, has ended by then. */
const LATE_MINUTES = 15;

/** It and its test side. */
const IDS = 'SELECT id FROM mxproof.accounts WHERE id = $1 OR test_of = $1';

/** From the commit on nothing is admitted for it. Again whenever nothing else is left: for what was under way then. */
export async function closeAccount(tx: Tx, id: number): Promise<void> {
  await tx.query(
    `UPDATE mxproof.accounts SET deleted_at = coalesce(deleted_at, now()), name = '', external_id = NULL, mail = NULL,
       low_credits = NULL, monthly_credits = NULL, monthly_from = NULL, suspended_at = NULL,
       rate_requests = NULL, rate_addresses = NULL,
       results_days = NULL, evidence_days = NULL, callbacks_days = NULL, single_checks_days = NULL,
       webhook_secret = '', previous_webhook_secret = NULL, previous_webhook_secret_until = NULL
     WHERE id IN (${IDS})`,
    [id],
  );
  await tx.query(
    `UPDATE mxproof.api_keys SET revoked_at = now() WHERE account_id IN (${IDS}) AND revoked_at IS NULL`,
    [id],
  );
  await endSessionsOf(tx, id);
  await tx.query(`DELETE FROM mxproof.sign_in_links WHERE account_id IN (${IDS})`, [id]);
  await tx.query(
    `WITH gone AS (DELETE FROM mxproof.outcome_hooks WHERE account_id IN (${IDS}) RETURNING id)
     DELETE FROM mxproof.rate_windows WHERE kind = 'hook' AND key_id IN (SELECT id FROM gone)`,
    [id],
  );
}

/** It and its test side; none: it is not deleted. */
export async function idsOfDeleted(tx: Tx, id: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT id FROM (${IDS}) AS it
     WHERE EXISTS (SELECT FROM mxproof.accounts WHERE id = $1 AND test_of IS NULL AND deleted_at IS NOT NULL)`,
    [id],
  );
  return rows.map((row) => row.id);
}

/** Deleted accounts of which something may be left; the one that was deleted first is first. */
export async function accountsToRemove(tx: Tx, except: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT id FROM mxproof.accounts
     WHERE deleted_at IS NOT NULL AND removed_at IS NULL AND test_of IS NULL AND id <> ALL($1::bigint[])
     ORDER BY deleted_at, id LIMIT ${ACCOUNTS_AT_ONCE}`,
    [except],
  );
  return rows.map(({ id }) => id);
}

/** Nothing is left of them. Not while something that is under way may still write for them. */
export async function noteRemoved(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query(
    `UPDATE mxproof.accounts SET removed_at = now()
     WHERE id = ANY($1) AND deleted_at < now() - make_interval(mins => ${LATE_MINUTES})`,
    [ids],
  );
}

const pageOf = (lists: string) =>
  `SELECT id FROM (SELECT id, sum(total) OVER (ORDER BY place) - total AS before FROM (${lists}) AS next) AS page
   WHERE before < ${ADDRESSES_AT_ONCE} ORDER BY id`;

export async function nextUnfinished(tx: Tx, accountId: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    pageOf(`SELECT id, total, id AS place FROM mxproof.lists
      WHERE account_id = $1 AND status IN ('processing', 'checking') ORDER BY id LIMIT ${LISTS_AT_ONCE}`),
    [accountId],
  );
  return rows.map(({ id }) => id);
}

/** Those that are deleted, and may be brought back, included. */
export async function nextFinished(tx: Tx, accountId: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    pageOf(`SELECT id, total, (finished_at, id) AS place FROM mxproof.lists
      WHERE coalesce(account_id, deleted_of) = $1 AND finished_at IS NOT NULL
      ORDER BY finished_at, id LIMIT ${LISTS_AT_ONCE}`),
    [accountId],
  );
  return rows.map(({ id }) => id);
}

/** As far as the refund depends on it. */
export interface UnfinishedList {
  readonly id: number;
  readonly total: number;
  readonly checked: number;
  readonly counts: Counts;
}

/** Those of them that are unfinished still, until the transaction ends. */
export async function lockUnfinished(tx: Tx, ids: readonly number[]): Promise<UnfinishedList[]> {
  const rows = await tx.query<Row & Counts & { id: number; total: number; checked: number }>(
    `SELECT id, total, checked, deliverable, risky, undeliverable, unknown FROM mxproof.lists
     WHERE id = ANY($1) AND finished_at IS NULL ORDER BY id FOR UPDATE`,
    [ids],
  );
  return rows.map(({ id, total, checked, ...counts }) => ({ id, total, checked, counts }));
}

export async function lockLists(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query('SELECT FROM mxproof.lists WHERE id = ANY($1) ORDER BY id FOR UPDATE', [ids]);
}

/**
 * What says which list it is of, and does not go with it by itself. Behind the lists and their callbacks: an attempt at a callback locks
 * it, and then its job.
 */
export async function removeTraces(tx: Tx, listIds: readonly number[]): Promise<void> {
  for (const table of ['jobs', 'node_waiting', 'audited_exports'])
    await tx.query(`DELETE FROM mxproof.${table} WHERE list_id = ANY($1)`, [listIds]);
}

const OF_ACCOUNT = 'account_id = ANY($1)';
const some = (table: string, which = OF_ACCOUNT) =>
  `ctid = ANY (ARRAY(SELECT ctid FROM mxproof.${table} WHERE ${which} LIMIT ${ROWS_AT_ONCE}))`;
const remove = (table: string, which?: string) => `DELETE FROM mxproof.${table} WHERE ${some(table, which)}`;

/** What would go with a list, or be changed with it, in one transaction however much it is. */
export const BEFORE_LISTS: readonly string[] = [
  // Nothing is written for outcomes from here on.
  remove('outcome_accounts'),
  remove('checked_addresses'),
  remove('outcomes'),
  remove(
    'webhook_deliveries',
    `endpoint_id IN (SELECT id FROM mxproof.webhook_endpoints WHERE ${OF_ACCOUNT})`,
  ),
  remove('webhook_endpoints'),
  remove('mail_events'),
];

const QUEUES = Object.values(QUEUE).map((queue) => `'${queue}'`);
const HAS_TEXT = `${OF_ACCOUNT} AND (label <> '' OR allowed_ips IS NOT NULL)`;
const IS_RUNNING = `${OF_ACCOUNT} AND done_at IS NULL`;

export const AFTER_LISTS: readonly string[] = [
  // In these words the indexes know them.
  remove('jobs', `queue IN (${QUEUES}) AND ${OF_ACCOUNT} AND NOT is_claimed`),
  remove('jobs', `${OF_ACCOUNT} AND is_claimed`),
  remove('idempotency'),
  remove('requests'),
  remove('asked_domains'),
  remove('catch_alls'),
  remove('callback_targets'),
  remove('shown_callbacks'),
  remove('retention_marks'),
  remove('rate_windows', `kind IN ('account_requests', 'account_addresses') AND key_id = ANY($1)`),
  remove(
    'rate_windows',
    `kind IN ('requests', 'addresses') AND key_id IN (SELECT id FROM mxproof.api_keys WHERE ${OF_ACCOUNT})`,
  ),
  // With their invitations, and what is known of people who are members of no other account.
  remove('members'),
  `DELETE FROM mxproof.people WHERE id IN (
     SELECT id FROM mxproof.people p WHERE NOT EXISTS (SELECT FROM mxproof.members WHERE person_id = p.id)
     LIMIT ${ROWS_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
  remove('link_mails'),
  // Who got mail, unless of another account.
  `DELETE FROM mxproof.mail_recipients r WHERE NOT EXISTS (SELECT FROM mxproof.accounts WHERE mail = r.address)
     AND NOT EXISTS (SELECT FROM mxproof.people WHERE email = r.address)`,
  // The file beside backups has their hashes, so that a restore revokes them again.
  `UPDATE mxproof.api_keys SET label = '', allowed_ips = NULL WHERE ${some('api_keys', HAS_TEXT)}`,
  // Nothing that has the address is left here; of it the hash stays, by which a restore erases it again.
  `UPDATE mxproof.erasures SET done_at = now(), sealed = NULL WHERE ${some('erasures', IS_RUNNING)}`,
];

/** One of these statements. `more`: there may be more of the same. */
export async function removeRows(
  tx: Tx,
  statement: string,
  ids: readonly number[],
): Promise<{ removed: number; more: boolean }> {
  const [row] = await tx.query<{ removed: number }>(
    `WITH gone AS (${statement} RETURNING 1) SELECT count(*) AS removed FROM gone`,
    statement.includes('$1') ? [ids] : [],
  );
  const { removed } = row!;
  return { removed, more: removed === ROWS_AT_ONCE };
}
