// Events on their way to endpoints: what each is to be told, and every attempt so far. Those of lists and credits are written by
// the triggers of migration 0034, in the transaction in which they happen.
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
