// Which deliveries have a job: those that are pending, of endpoints that are neither paused nor switched off.
// Promise: the caller holds the endpoint's lock, and so does what writes an event; none is left without.
import type { Tx } from '../../store/database.ts';
import type { Jobs } from '../../store/jobs.ts';

interface EndpointOfAccount {
  readonly id: number;
  readonly accountId: number;
}

export function enqueueDelivery(
  tx: Tx,
  jobs: Jobs,
  { id, accountId }: EndpointOfAccount,
  deliveryId: number,
  delaySeconds: number,
): Promise<void> {
  return jobs.enqueueWebhook(tx, { deliveryId, accountId, receiver: `webhook ${id}` }, delaySeconds);
}

/** Of an endpoint that was paused, resumed or switched off. */
export async function reschedule(tx: Tx, jobs: Jobs, endpoint: EndpointOfAccount): Promise<void> {
  const { id, accountId } = endpoint;
  // A node that has one of them loses it: what it sends leaves no trace, unless it is delivered.
  await tx.query(
    `DELETE FROM mxproof.jobs WHERE queue = 'webhook' AND account_id = $1 AND bound_to = 'webhook ' || $2::bigint`,
    [accountId, id],
  );
  const pending = await tx.query<{ id: number; active: boolean }>(
    `UPDATE mxproof.webhook_deliveries d SET next_attempt_at = CASE WHEN e.paused_at IS NULL THEN now() END
     FROM mxproof.webhook_endpoints e WHERE e.id = $1 AND d.endpoint_id = e.id AND d.state = 'pending'
     RETURNING d.id, e.paused_at IS NULL AND e.off_at IS NULL AS active`,
    [id],
  );
  for (const each of pending) if (each.active) await enqueueDelivery(tx, jobs, endpoint, each.id, 0);
}
