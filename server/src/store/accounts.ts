// Accounts. Their credits change in ledger.ts alone.
// Promise: a deleted account, whose row stays for its ledger, is found by nothing here but the count that says whether there ever was one.

import { MAX_TEST_BYTES } from '../rules/test-bytes.ts';
import { isFromPostgres, type Row, type Tx } from './database.ts';
import type { SecretBox } from './secret-box.ts';
import { ensureSecretKey, setWebhookSecret } from './webhook-secrets.ts';

export interface Account {
  readonly id: number;
  readonly name: string;
  /** The operator's own word for it; null: none. */
  readonly externalId: string | null;
  /** A test twin, which operators do not deal with. */
  readonly test: boolean;
  readonly credits: number;
  readonly used: number;
  readonly lists: number;
  readonly createdAtSeconds: number;
  /** Null: it is active. */
  readonly suspendedAtSeconds: number | null;
  /** Of its keys and sessions; null: the deployment's. */
  readonly rateRequests: number | null;
  readonly rateAddresses: number | null;
  /** Granted at the start of each month (UTC); null: none are. */
  readonly monthlyCredits: number | null;
  /** The first day of the month that is granted next, such as `2026-12-01`. */
  readonly monthlyFrom: string | null;
}

type AccountRow = { [Field in keyof Account]: Account[Field] };

export const ACCOUNT_COLUMNS = `id, name, external_id AS "externalId", test_of IS NOT NULL AS test, credits, used, lists,
  floor(extract(epoch FROM created_at))::bigint AS "createdAtSeconds",
  floor(extract(epoch FROM suspended_at))::bigint AS "suspendedAtSeconds",
  rate_requests AS "rateRequests", rate_addresses AS "rateAddresses",
  monthly_credits AS "monthlyCredits", to_char(monthly_from, 'YYYY-MM-DD') AS "monthlyFrom"`;

/** The id is taken first, since the sealed secret is bound to it. */
export async function insertAccount(
  tx: Tx,
  account: { name: string; externalId: string | null; webhookSecret: string },
  box: SecretBox,
): Promise<number> {
  // Before there is an account whose secret no key opens yet.
  await ensureSecretKey(tx, box);
  const [row] = await tx.query<{ id: number }>(
    `INSERT INTO mxproof.accounts (name, external_id, webhook_secret) VALUES ($1, $2, '') RETURNING id`,
    [account.name, account.externalId],
  );
  const id = row!.id;
  await setWebhookSecret(tx, id, account.webhookSecret, box);
  return id;
}

/**
 * The account in test mode, itself if it is one; null: not made yet. It has no webhook secret of its own: its callbacks are signed with the
 * live account's.
 */
export async function findTestTwin(tx: Tx, accountId: number): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(
    'SELECT id FROM mxproof.accounts WHERE test_of = $1 OR (id = $1 AND test_of IS NOT NULL)',
    [accountId],
  );
  return row?.id ?? null;
}

/** Null: a concurrent request has created it. */
export async function insertTestTwin(tx: Tx, accountId: number): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(
    `INSERT INTO mxproof.accounts (name, webhook_secret, test_of)
     SELECT name, '', id FROM mxproof.accounts WHERE id = $1 AND test_of IS NULL
     ON CONFLICT (test_of) WHERE test_of IS NOT NULL DO NOTHING RETURNING id`,
    [accountId],
  );
  return row?.id ?? null;
}

export async function findAccount(tx: Tx, id: number): Promise<Account | null> {
  const [row] = await tx.prepared<AccountRow>(
    'find-account',
    `SELECT ${ACCOUNT_COLUMNS} FROM mxproof.accounts WHERE id = $1 AND deleted_at IS NULL`,
    [id],
  );
  return row ?? null;
}

/** Until the transaction ends, its credits do not change. */
export async function lockAccount(tx: Tx, id: number): Promise<void> {
  await tx.query('SELECT FROM mxproof.accounts WHERE id = $1 FOR NO KEY UPDATE', [id]);
}

const WITH_TWIN = `SELECT id FROM mxproof.accounts
  WHERE ((id = $1 AND test_of IS NULL) OR test_of = $1) AND deleted_at IS NULL ORDER BY id FOR UPDATE`;

/** With its test twin. What is being written that refers to them is written first. False: no such account, or a twin. */
export async function lockWithTwin(tx: Tx, id: number): Promise<boolean> {
  const rows = await tx.query<{ id: number }>(WITH_TWIN, [id]);
  return rows.some((row) => row.id === id);
}

/** With its test twin, which bears the same name. Null: no such account, or a twin. */
export async function renameAccount(tx: Tx, id: number, name: string): Promise<Account | null> {
  const rows = await tx.query<AccountRow>(
    `WITH named AS (${WITH_TWIN})
     UPDATE mxproof.accounts SET name = $2 WHERE id IN (SELECT id FROM named) RETURNING ${ACCOUNT_COLUMNS}`,
    [id, name],
  );
  return rows.find((row) => row.id === id) ?? null;
}

/** What only operators set of an account, besides its name, retention, mail and monthly credits. */
export interface OperatorSettings {
  readonly externalId: string | null;
  readonly isSuspended: boolean;
  readonly rateRequests: number | null;
  readonly rateAddresses: number | null;
}

/** Throws `isTakenExternalId` where another account has the external id. */
export async function writeOperatorSettings(tx: Tx, id: number, settings: OperatorSettings): Promise<void> {
  await tx.query(
    `UPDATE mxproof.accounts SET external_id = $2, suspended_at = CASE WHEN $3 THEN coalesce(suspended_at, now()) END,
       rate_requests = $4, rate_addresses = $5 WHERE id = $1`,
    [id, settings.externalId, settings.isSuspended, settings.rateRequests, settings.rateAddresses],
  );
}

/** What was thrown: another account has that external id. */
export function isTakenExternalId(error: unknown): boolean {
  return isFromPostgres(error) && error.constraint === 'accounts_external_id';
}

/** What an account has set for its mode. */
export interface AccountSettings {
  /** Credits are low below it; null: never. */
  readonly lowCredits: number | null;
  /** It tells what became of its mail (outcome-settings.ts). */
  readonly outcomes: boolean;
}

export async function readSettings(tx: Tx, id: number): Promise<AccountSettings> {
  const [row] = await tx.query<AccountSettings & Row>(
    `SELECT low_credits AS "lowCredits",
       EXISTS (SELECT FROM mxproof.outcome_accounts o WHERE o.account_id = a.id) AS outcomes
     FROM mxproof.accounts a WHERE id = $1`,
    [id],
  );
  return row ?? { lowCredits: null, outcomes: false };
}

export async function setLowCredits(tx: Tx, id: number, lowCredits: number | null): Promise<void> {
  await tx.query('UPDATE mxproof.accounts SET low_credits = $2 WHERE id = $1', [id, lowCredits]);
}

export async function creditsOf(tx: Tx, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx.query<{ id: number; credits: number }>(
    'SELECT id, credits FROM mxproof.accounts WHERE id = ANY($1)',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row.credits]));
}

/** Which of them have more test lists than they may. */
export async function fullOfTests(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx.query<{ id: number }>(
    `SELECT id FROM mxproof.accounts WHERE id = ANY($1) AND test_bytes > ${MAX_TEST_BYTES}`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Without test twins. */
export async function allAccounts(tx: Tx): Promise<Account[]> {
  return tx.query<AccountRow>(
    `SELECT ${ACCOUNT_COLUMNS} FROM mxproof.accounts WHERE test_of IS NULL AND deleted_at IS NULL ORDER BY id`,
  );
}

const FIRST_ACCOUNT_LOCK = 0x6d78_6163;

/** Until the transaction ends, no other node creates a first account. */
export async function lockFirstAccount(tx: Tx): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [FIRST_ACCOUNT_LOCK]);
}

/** As many as there may be, no more than two are looked at. */
export async function hasSeveralAccounts(tx: Tx): Promise<boolean> {
  const rows = await tx.prepared<{ id: number }>(
    'several-accounts',
    'SELECT id FROM mxproof.accounts WHERE test_of IS NULL AND deleted_at IS NULL LIMIT 2',
    [],
  );
  return rows.length > 1;
}

/** Deleted ones included. */
export async function countAccounts(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'SELECT count(*) AS count FROM mxproof.accounts WHERE test_of IS NULL',
  );
  return row!.count;
}
