// Endpoints of accounts, each with a secret of its own, sealed as those of accounts are.
import { newWebhookSecret } from '../../flow/open-account.ts';
import type { WebhookEvent } from '../../rules/webhook-events.ts';
import type { Tx } from '../../store/database.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import { ensureSecretKey, PREVIOUS_SECRET_HOURS } from '../../store/webhook-secrets.ts';

export const MAX_ENDPOINTS = 10;

export interface Endpoint {
  readonly id: number;
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookEvent[];
  readonly createdAtSeconds: number;
  readonly pausedAtSeconds: number | null;
  readonly offAtSeconds: number | null;
  readonly offReason: 'gone' | 'failing' | null;
}

type EndpointRow = { [Field in keyof Endpoint]: Endpoint[Field] };

const seconds = (column: string) => `floor(extract(epoch FROM ${column}))::bigint`;
const COLUMNS = `id, url, description, events, ${seconds('created_at')} AS "createdAtSeconds",
  ${seconds('paused_at')} AS "pausedAtSeconds", ${seconds('off_at')} AS "offAtSeconds", off_reason AS "offReason"`;

const boundTo = (id: number) => `webhook ${id}`;

/** Null: the account has as many as it may. */
export async function insertEndpoint(
  tx: Tx,
  box: SecretBox,
  endpoint: {
    readonly accountId: number;
    readonly url: string;
    readonly description: string;
    readonly events: readonly WebhookEvent[];
  },
): Promise<{ endpoint: Endpoint; secret: string } | null> {
  const { accountId, url, description, events } = endpoint;
  await ensureSecretKey(tx, box);
  // Two that come together are counted one after the other.
  await tx.query('SELECT FROM mxproof.accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  const [row] = await tx.query<EndpointRow>(
    `INSERT INTO mxproof.webhook_endpoints (account_id, url, description, events, secret)
     SELECT $1, $2, $3, $4::text[], ''
     WHERE (SELECT count(*) FROM mxproof.webhook_endpoints WHERE account_id = $1) < ${MAX_ENDPOINTS}
     RETURNING ${COLUMNS}`,
    [accountId, url, description, events],
  );
  if (!row) return null;
  const secret = newWebhookSecret();
  await tx.query('UPDATE mxproof.webhook_endpoints SET secret = $2 WHERE id = $1', [
    row.id,
    box.seal(secret, boundTo(row.id)),
  ]);
  return { endpoint: row, secret };
}

export async function endpointsOf(tx: Tx, accountId: number): Promise<Endpoint[]> {
  return tx.query<EndpointRow>(
    `SELECT ${COLUMNS} FROM mxproof.webhook_endpoints WHERE account_id = $1 ORDER BY id`,
    [accountId],
  );
}

export async function findEndpoint(tx: Tx, id: number, accountId: number): Promise<Endpoint | null> {
  const [row] = await tx.query<EndpointRow>(
    `SELECT ${COLUMNS} FROM mxproof.webhook_endpoints WHERE id = $1 AND account_id = $2`,
    [id, accountId],
  );
  return row ?? null;
}

/** Until the transaction ends, it is told of nothing, and nothing about it changes. */
export async function lockEndpoint(tx: Tx, id: number, accountId: number): Promise<Endpoint | null> {
  const [row] = await tx.query<EndpointRow>(
    `SELECT ${COLUMNS} FROM mxproof.webhook_endpoints WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`,
    [id, accountId],
  );
  return row ?? null;
}

export interface EndpointChange {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly events?: readonly WebhookEvent[] | undefined;
  /** False also switches it on again. */
  readonly paused?: boolean | undefined;
}

/** The caller holds its lock. */
export async function changeEndpoint(tx: Tx, id: number, change: EndpointChange): Promise<Endpoint> {
  const { url, description, events, paused } = change;
  const [row] = await tx.query<EndpointRow>(
    `UPDATE mxproof.webhook_endpoints SET url = coalesce($2, url), description = coalesce($3, description),
       events = coalesce($4::text[], events),
       paused_at = CASE $5::bool WHEN true THEN coalesce(paused_at, now()) WHEN false THEN NULL ELSE paused_at END,
       off_at = CASE $5::bool WHEN false THEN NULL ELSE off_at END,
       off_reason = CASE $5::bool WHEN false THEN NULL ELSE off_reason END,
       -- Another receiver, or one that was mended, has five days of its own.
       failing_since = CASE WHEN $2::text IS NULL AND $5::bool IS NULL THEN failing_since END
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, url ?? null, description ?? null, events ?? null, paused ?? null],
  );
  return row!;
}

/** With its deliveries. False: no such endpoint of this account. */
export async function removeEndpoint(tx: Tx, id: number, accountId: number): Promise<boolean> {
  const rows = await tx.query(
    'DELETE FROM mxproof.webhook_endpoints WHERE id = $1 AND account_id = $2 RETURNING id',
    [id, accountId],
  );
  return rows.length === 1;
}

/** The secret before goes on signing beside it for a day. Null: no such endpoint of this account. */
export async function rotateEndpointSecret(
  tx: Tx,
  box: SecretBox,
  id: number,
  accountId: number,
): Promise<string | null> {
  await ensureSecretKey(tx, box);
  const secret = newWebhookSecret();
  const rows = await tx.query(
    `UPDATE mxproof.webhook_endpoints SET secret = $3, previous_secret = nullif(secret, ''),
       previous_secret_until = CASE WHEN secret <> '' THEN now() + make_interval(hours => ${PREVIOUS_SECRET_HOURS}) END
     WHERE id = $1 AND account_id = $2 RETURNING id`,
    [id, accountId, box.seal(secret, boundTo(id))],
  );
  return rows.length === 1 ? secret : null;
}

/** Of an operator who has lost the key before: such secrets open no more, and owners make new ones. */
export async function forgetEndpointSecrets(tx: Tx): Promise<void> {
  await tx.query(
    `UPDATE mxproof.webhook_endpoints SET secret = '', previous_secret = NULL, previous_secret_until = NULL`,
  );
}

/** What its events are signed with now, the newest first. Empty: no such endpoint, or it needs a new one. */
export async function readEndpointSecrets(tx: Tx, id: number, box: SecretBox): Promise<string[]> {
  const [row] = await tx.query<{ sealed: Buffer[] }>(
    `SELECT array_remove(ARRAY[secret, CASE WHEN previous_secret_until > now() THEN previous_secret END], NULL) AS sealed
     FROM mxproof.webhook_endpoints WHERE id = $1 AND secret <> ''`,
    [id],
  );
  return (row?.sealed ?? []).map((each) => box.open(each, boundTo(id)));
}

/** Since when its attempts fail, as of now; the caller holds its lock. */
export async function noteFailure(tx: Tx, id: number): Promise<{ failingSeconds: number }> {
  const [row] = await tx.query<{ failingSeconds: number }>(
    `UPDATE mxproof.webhook_endpoints SET failing_since = coalesce(failing_since, now()) WHERE id = $1
     RETURNING floor(extract(epoch FROM now() - failing_since))::bigint AS "failingSeconds"`,
    [id],
  );
  return row!;
}

export async function noteSuccess(tx: Tx, id: number): Promise<void> {
  await tx.query(
    'UPDATE mxproof.webhook_endpoints SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL',
    [id],
  );
}

export async function switchOff(tx: Tx, id: number, why: 'gone' | 'failing'): Promise<void> {
  await tx.query('UPDATE mxproof.webhook_endpoints SET off_at = now(), off_reason = $2 WHERE id = $1', [
    id,
    why,
  ]);
}

export interface EndpointCounts {
  readonly on: number;
  /** On, and no attempt has gone well since one failed. */
  readonly failing: number;
  readonly paused: number;
  /** By the service. */
  readonly off: number;
}

/** Of all accounts. */
export async function countEndpoints(tx: Tx): Promise<EndpointCounts> {
  const [row] = await tx.query<{ on: number; failing: number; paused: number; off: number }>(
    `SELECT count(*) FILTER (WHERE state = 'on') AS on, count(*) FILTER (WHERE state = 'failing') AS failing,
       count(*) FILTER (WHERE state = 'paused') AS paused, count(*) FILTER (WHERE state = 'off') AS off
     FROM (SELECT CASE WHEN off_at IS NOT NULL THEN 'off' WHEN paused_at IS NOT NULL THEN 'paused'
       WHEN failing_since IS NOT NULL THEN 'failing' ELSE 'on' END AS state FROM mxproof.webhook_endpoints) AS each`,
  );
  return row!;
}
