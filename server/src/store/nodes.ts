// Nodes that check, and their source addresses. Greylisting remembers who asked first, so work continues from the same
// address as long as a node that owns it is alive, and for a grace period after that; then any node takes it.
import type { Tx } from './database.ts';

export interface OtherNodes {
  /** Of those that take work. */
  readonly count: number;
  /** Sources that they own and this node does not, those of nodes included that may be back soon. */
  readonly sources: readonly string[];
}

/** Longer than a live node's heartbeat is ever late. */
export const ALIVE_SECONDS = 30;
/** Longer than most restarts, shorter than most greylisting waits. */
const SOURCES_KEPT_SECONDS = 120;
const FORGOTTEN_AFTER_SECONDS = 3_600;
/** Claims that were not renewed for so long are given to other nodes, those of a dead node within 15 seconds of its death. */
export const LEASE_SECONDS = 10;

/** Of a node's id, in SQL: it fell silent without leaving. Null is no node. */
export const IS_DEAD = (id: string) =>
  `(${id} IS NOT NULL AND NOT EXISTS (SELECT FROM mxproof.nodes WHERE nodes.id = ${id}
      AND (has_left OR seen_at > now() - make_interval(secs => ${LEASE_SECONDS}))))`;

/** Records that this node is alive; returns the other live nodes. */
export async function meetNodes(tx: Tx, id: string, own: readonly string[]): Promise<OtherNodes> {
  await tx.prepared(
    'node-seen',
    `INSERT INTO mxproof.nodes (id, sources) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET sources = excluded.sources, seen_at = now()`,
    [id, own],
  );
  const rows = await tx.prepared<{ sources: string[]; works: boolean }>(
    'other-nodes',
    `SELECT sources, NOT has_left AND seen_at > now() - make_interval(secs => ${ALIVE_SECONDS}) AS works
     FROM mxproof.nodes
     -- Seen in the future: before the clock was stepped back. Who lives says so again within seconds.
     WHERE id <> $1 AND seen_at > now() - make_interval(secs => ${SOURCES_KEPT_SECONDS})
       AND seen_at < now() + make_interval(secs => ${ALIVE_SECONDS})`,
    [id],
  );
  const theirs = new Set(rows.flatMap(({ sources }) => sources));
  return {
    count: rows.filter(({ works }) => works).length,
    sources: [...theirs].filter((source) => !own.includes(source)),
  };
}

/** Takes no work any more; what is bound to its sources waits for its successor. */
export async function leaveNodes(tx: Tx, id: string): Promise<void> {
  await tx.query('UPDATE mxproof.nodes SET has_left = true, seen_at = now() WHERE id = $1', [id]);
}

/** Of the node with this source that was seen last and has not left; null: there is none. */
export async function secondsSinceSeen(tx: Tx, source: string): Promise<number | null> {
  const [row] = await tx.query<{ seconds: number | null }>(
    // Of the future: from before the clock was stepped back.
    `SELECT round(min(abs(extract(epoch FROM now() - seen_at))))::float8 AS seconds
     FROM mxproof.nodes WHERE $1 = ANY (sources) AND NOT has_left`,
    [source],
  );
  return row!.seconds;
}

export async function sweepNodes(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.nodes WHERE seen_at < now() - make_interval(secs => ${FORGOTTEN_AFTER_SECONDS})`,
  );
}
