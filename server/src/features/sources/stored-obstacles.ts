// What keeps each node that checks from it, in its own words.
// Promise: a node's word counts for a few seconds only, so that a dead node's expires; it names no domain and no address.

import type { Tx } from '../../store/database.ts';
import type { NodeHealth } from './service-status.ts';

export const SAID_EVERY_SECONDS = 3;
/** Several of them: a busy node may be late. */
const BELIEVED_SECONDS = 10;
const FORGOTTEN_AFTER_SECONDS = 60;
const MAX_NODES = 1_000;

export async function sayHealth(tx: Tx, node: string, health: NodeHealth): Promise<void> {
  await tx.prepared(
    'say-health',
    `INSERT INTO mxproof.node_health (node, health) VALUES ($1, $2)
     ON CONFLICT (node) DO UPDATE SET health = excluded.health, said_at = now()`,
    [node, JSON.stringify(health)],
  );
}

export async function forgetHealth(tx: Tx, node: string): Promise<void> {
  await tx.query('DELETE FROM mxproof.node_health WHERE node = $1', [node]);
}

/** Of the nodes that check and are alive. */
export async function readHealth(tx: Tx): Promise<NodeHealth[]> {
  const rows = await tx.prepared<{ health: string }>(
    'read-health',
    // Of the future: from before the clock was stepped back.
    `SELECT health FROM mxproof.node_health
     WHERE abs(extract(epoch FROM now() - said_at)) < ${BELIEVED_SECONDS} LIMIT ${MAX_NODES}`,
    [],
  );
  return rows.map(({ health }) => JSON.parse(health) as NodeHealth);
}

export async function sweepHealth(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.node_health WHERE said_at < now() - make_interval(secs => ${FORGOTTEN_AFTER_SECONDS})`,
  );
}
