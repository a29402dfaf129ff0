// Events on their way to endpoints: what each is to be told, and every attempt so far. Those of lists and credits are written by
// the triggers of migration 0034, in the transaction in which they happen.
import { TRIED_DAYS } from '../../rules/delivery-schedule.ts';
import type { WebhookEvent } from '../../rules/webhook-events.ts';
import type { Attempt } from '../../store/callbacks.ts';
import type { Tx } from '../../store/database.ts';

export type DeliveryState = 'pending' | 'delivered' | 'failed';

export interface DeliveryAttempt extends Attempt {
  /** How the answer's body begins; null: there was none. */
  readonly answer: string | null;
}

export interface Delivery {
  readonly id: number;
  readonly uuid: string;
  readonly event: WebhookEvent | 'test';
  readonly listId: number | null;
  readonly state: DeliveryState;
  readonly attempts: readonly DeliveryAttempt[];
  readonly createdAtSeconds: number;
  /** Null: none is due. */
  readonly nextAttemptAtSeconds: number | null;
}

type DeliveryRow = { [Field in keyof Delivery]: Delivery[Field] };

const COLUMNS = `id, uuid, event, list_id AS "listId", state, attempts,
  floor(extract(epoch FROM created_at))::bigint AS "createdAtSeconds",
  floor(extract(epoch FROM next_attempt_at))::bigint AS "nextAttemptAtSeconds"`;
/** A list that is deleted, and may be brought back, shows nothing meanwhile. */
const IS_SHOWN = `(list_id IS NULL OR EXISTS (
  SELECT FROM mxproof.lists l WHERE l.id = list_id AND l.account_id IS NOT NULL))`;

/** Newest first. */
export async function deliveriesOf(
  tx: Tx,
  page: { endpointId: number; state: DeliveryState | null; offset: number; limit: number },
): Promise<Delivery[]> {
  return tx.query<DeliveryRow>(
    `SELECT ${COLUMNS} FROM mxproof.webhook_deliveries
     WHERE endpoint_id = $1 AND ($2::text IS NULL OR state = $2) AND ${IS_SHOWN}
     ORDER BY id DESC OFFSET $3 LIMIT $4`,
    [page.endpointId, page.state, page.offset, page.limit],
  );
}

/** The caller has locked its endpoint. */
export async function lockShownDelivery(tx: Tx, endpointId: number, uuid: string): Promise<Delivery | null> {
  const [row] = await tx.query<DeliveryRow>(
    `SELECT ${COLUMNS} FROM mxproof.webhook_deliveries
     WHERE endpoint_id = $1 AND uuid = $2 AND ${IS_SHOWN} FOR UPDATE`,
    [endpointId, uuid],
  );
  return row ?? null;
}

export async function insertTestDelivery(tx: Tx, endpointId: number): Promise<Delivery> {
  const [row] = await tx.query<DeliveryRow>(
    `INSERT INTO mxproof.webhook_deliveries (endpoint_id, event, facts) VALUES ($1, 'test', '{}') RETURNING ${COLUMNS}`,
    [endpointId],
  );
  return row!;
}

/** What an attempt needs. */
export interface DueDelivery {
  readonly endpointId: number;
  readonly accountId: number;
  readonly test: boolean;
  readonly url: string;
  /** Neither paused nor switched off. */
  readonly isActive: boolean;
  readonly uuid: string;
  readonly event: WebhookEvent | 'test';
  readonly atMs: number;
  readonly listId: number | null;
  /** Its list is deleted, and may be brought back: until then nothing is sent. */
  readonly isHidden: boolean;
  readonly facts: object;
  /** Null: not made yet. */
  readonly body: string | null;
}

/** Null: it is gone, or over. */
export async function findDue(tx: Tx, id: number): Promise<DueDelivery | null> {
  const [row] = await tx.query<{ [Field in keyof DueDelivery]: DueDelivery[Field] }>(
    `SELECT e.id AS "endpointId", e.account_id AS "accountId", a.test_of IS NOT NULL AS test, e.url,
       e.paused_at IS NULL AND e.off_at IS NULL AS "isActive", d.uuid, d.event,
       floor(extract(epoch FROM d.created_at) * 1000)::bigint AS "atMs", d.list_id AS "listId",
       l.id IS NOT NULL AND l.account_id IS NULL AS "isHidden", d.facts, d.body
     FROM mxproof.webhook_deliveries d JOIN mxproof.webhook_endpoints e ON e.id = d.endpoint_id
     JOIN mxproof.accounts a ON a.id = e.account_id LEFT JOIN mxproof.lists l ON l.id = d.list_id
     WHERE d.id = $1 AND d.state = 'pending'`,
    [id],
  );
  return row ?? null;
}

/** Made once: whatever is sent later is what was sent first. Null: it is gone. */
export async function keepBody(tx: Tx, id: number, body: string): Promise<string | null> {
  const [row] = await tx.query<{ body: string }>(
    'UPDATE mxproof.webhook_deliveries SET body = coalesce(body, $2) WHERE id = $1 RETURNING body',
    [id, body],
  );
  return row?.body ?? null;
}

export interface LockedDelivery {
  /** In this schedule, so far. */
  readonly made: number;
  /** Of the schedule. */
  readonly ageSeconds: number;
}

/** Locks its endpoint first, as everything does. Null: it is gone, or over. */
export async function lockPending(
  tx: Tx,
  id: number,
): Promise<(LockedDelivery & { endpointId: number }) | null> {
  const [endpoint] = await tx.query<{ id: number }>(
    `SELECT e.id FROM mxproof.webhook_endpoints e
     WHERE e.id = (SELECT endpoint_id FROM mxproof.webhook_deliveries WHERE id = $1) FOR NO KEY UPDATE`,
    [id],
  );
  if (!endpoint) return null;
  const [row] = await tx.query<{ made: number; ageSeconds: number }>(
    `SELECT jsonb_array_length(attempts) - earlier AS made,
       greatest(0, floor(extract(epoch FROM now() - begun_at)))::bigint AS "ageSeconds"
     FROM mxproof.webhook_deliveries WHERE id = $1 AND state = 'pending' FOR UPDATE`,
    [id],
  );
  return row ? { ...row, endpointId: endpoint.id } : null;
}

/** More than a schedule has: each resume of a paused endpoint makes one. */
const ATTEMPTS_KEPT = 30;

export async function saveDeliveryAttempt(
  tx: Tx,
  id: number,
  made: { attempt: DeliveryAttempt; state: DeliveryState; nextAfterSeconds: number | null },
): Promise<void> {
  await tx.query(
    `UPDATE mxproof.webhook_deliveries SET
       attempts = jsonb_path_query_array(attempts || $2::jsonb, '$[last - ${ATTEMPTS_KEPT - 1} to last]'), state = $3,
       next_attempt_at = now() + make_interval(secs => $4::float8)
     WHERE id = $1`,
    [id, JSON.stringify([made.attempt]), made.state, made.nextAfterSeconds],
  );
}

/** Pending ones of an endpoint, all due at once, or none while it is paused or switched off. */
export async function duePending(tx: Tx, endpointId: number): Promise<number[]> {
  const rows = await tx.query<{ id: number; isActive: boolean }>(
    `UPDATE mxproof.webhook_deliveries d
     SET next_attempt_at = CASE WHEN e.paused_at IS NULL AND e.off_at IS NULL THEN now() END
     FROM mxproof.webhook_endpoints e WHERE e.id = $1 AND d.endpoint_id = e.id AND d.state = 'pending'
     RETURNING d.id, e.paused_at IS NULL AND e.off_at IS NULL AS "isActive"`,
    [endpointId],
  );
  const due = rows.filter(({ isActive }) => isActive).map(({ id }) => id);
  return due.sort((a, b) => a - b);
}

/** Pending ones of an endpoint that is switched off. */
export async function dropPending(tx: Tx, endpointId: number): Promise<void> {
  await tx.query(
    `UPDATE mxproof.webhook_deliveries SET state = 'failed', next_attempt_at = NULL
     WHERE endpoint_id = $1 AND state = 'pending'`,
    [endpointId],
  );
}

/** Owners may resend as often as they like: so many attempts before the last resend are kept. */
const EARLIER_KEPT = 18;

/** Pending again, with the whole schedule before it. */
export async function reopenDelivery(tx: Tx, id: number): Promise<Delivery> {
  const [row] = await tx.query<DeliveryRow>(
    `UPDATE mxproof.webhook_deliveries SET state = 'pending', begun_at = now(), next_attempt_at = now(),
       attempts = jsonb_path_query_array(attempts, '$[last - ${EARLIER_KEPT - 1} to last]'),
       earlier = least(jsonb_array_length(attempts), ${EARLIER_KEPT})
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id],
  );
  return row!;
}

const KEPT_DAYS = 30;
/** Of one endpoint, those that wait included; the oldest go. */
const MAX_KEPT = 50_000;

/** What was kept for a paused endpoint goes after as many days as others are tried. */
export async function sweepDeliveries(tx: Tx): Promise<void> {
  await tx.query(
    `UPDATE mxproof.webhook_deliveries d SET state = 'failed', next_attempt_at = NULL
     FROM mxproof.webhook_endpoints e
     WHERE e.id = d.endpoint_id AND e.paused_at IS NOT NULL AND d.state = 'pending'
       AND d.begun_at < now() - make_interval(days => ${TRIED_DAYS})`,
  );
  await tx.query(
    `DELETE FROM mxproof.webhook_deliveries
     WHERE created_at < now() - make_interval(days => ${KEPT_DAYS}) AND state <> 'pending'`,
  );
  await tx.query(
    `DELETE FROM mxproof.webhook_deliveries d
     USING mxproof.webhook_endpoints e CROSS JOIN LATERAL (
       SELECT id FROM mxproof.webhook_deliveries WHERE endpoint_id = e.id ORDER BY id DESC OFFSET ${MAX_KEPT} LIMIT 1
     ) AS first WHERE d.endpoint_id = e.id AND d.id <= first.id`,
  );
}
