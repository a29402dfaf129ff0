// Which deliveries have a job: those that are pending, of endpoints that are neither paused nor switched off.
// Promise: the caller holds the endpoint's lock, and so does what writes an event; none is left without.
import type { Tx } from '../../store/database.ts';
import type { Jobs } from '../../store/jobs.ts';
import { duePending } from './stored-deliveries.ts';

export interface OwnedEndpoint {
  readonly id: number;
  readonly accountId: number;
}

/** A slow endpoint delays no other. As migration 0034 writes it. */
const receiverOf = (id: number) => `webhook ${id}`;

export function enqueueDeliveries(
  tx: Tx,
  jobs: Jobs,
  { id, accountId }: OwnedEndpoint,
  deliveryIds: readonly number[],
): Promise<void> {
  const receiver = receiverOf(id);
  return jobs.enqueueWebhooks(
    tx,
    deliveryIds.map((deliveryId) => ({ deliveryId, accountId, receiver })),
    0,
  );
}

/** Of an endpoint that was paused, resumed or switched off. */
export async function reschedule(tx: Tx, jobs: Jobs, endpoint: OwnedEndpoint): Promise<void> {
  const { id, accountId } = endpoint;
  // A node that has one of them loses it: what it sends leaves no trace, unless it is delivered.
  await jobs.removeWebhooks(tx, { accountId, receiver: receiverOf(id) });
  const due = await duePending(tx, id);
  await enqueueDeliveries(tx, jobs, endpoint, due);
}
