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
/** Longer than a restart of the machine's service takes. */
const LOST_SECONDS = 60;
const FORGOTTEN_AFTER_SECONDS = 3_600;
const NODES_SHOWN = 1_000;
/** Of a row of nodes: the name of its machine, which is one of its sources (MACHINE_SOURCE of jobs.ts). */
const MACHINE = `(SELECT substr(s, 6) FROM unnest(sources) AS s WHERE s LIKE 'host %' LIMIT 1)`;
/** Claims that were not renewed for so long are given to other nodes, those of a dead node within 15 seconds of its death. */
export const LEASE_SECONDS = 10;

/** Of a node's id, in SQL: it fell silent without leaving. Null is no node. */
export const IS_DEAD = (id: string) =>
  `(${id} IS NOT NULL AND NOT EXISTS (SELECT FROM mxproof.nodes WHERE nodes.id = ${id}
      AND (has_left OR seen_at > now() - make_interval(secs => ${LEASE_SECONDS}))))`;

/** Records that this node is alive, and the fingerprints of its secret keys; returns the other live nodes. */
export async function meetNodes(
  tx: Tx,
  id: string,
  own: readonly string[],
  keys: readonly Buffer[] = [],
): Promise<OtherNodes> {
  await tx.prepared(
    'node-seen',
    `INSERT INTO mxproof.nodes (id, sources, keys) VALUES ($1, $2, $3::bytea[])
     ON CONFLICT (id) DO UPDATE SET sources = excluded.sources, keys = excluded.keys, seen_at = now()`,
    [id, own, keys],
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

/** Null: it is not known any more. */
export async function machineOf(tx: Tx, id: string): Promise<string | null> {
  const [row] = await tx.query<{ machine: string | null }>(
    `SELECT ${MACHINE} AS machine FROM mxproof.nodes WHERE id = $1`,
    [id],
  );
  return row?.machine ?? null;
}

type NodeState = 'alive' | 'stopped' | 'lost';

export interface Node {
  readonly id: string;
  readonly machine: string | null;
  readonly state: NodeState;
  readonly roles: { readonly http: boolean; readonly checks: boolean };
  /** Where browsers reach it; null: it does not serve. */
  readonly url: string | null;
  /** Source addresses that it asks from; empty: the system's choice. */
  readonly sources: readonly string[];
  readonly seenSecondsAgo: number;
  /** What it has in hand. */
  readonly jobs: number;
}

/** Those that were heard of within the last hour. A node that has stopped serving is known only where it checked as well. */
export async function allNodes(tx: Tx): Promise<Node[]> {
  const rows = await tx.query<Omit<Node, 'roles'> & { http: boolean; checks: boolean }>(
    `SELECT id::text, coalesce(${MACHINE}, h.machine) AS machine, n.id IS NOT NULL AS checks, h.id IS NOT NULL AS http, h.url,
       array(SELECT s FROM unnest(n.sources) AS s WHERE s NOT LIKE 'host %') AS sources,
       CASE WHEN n.has_left THEN 'stopped'
         WHEN seen < now() - make_interval(secs => ${LOST_SECONDS}) THEN 'lost' ELSE 'alive' END AS state,
       greatest(0, round(extract(epoch FROM now() - seen)))::float8 AS "seenSecondsAgo",
       (SELECT count(*) FROM mxproof.jobs j WHERE j.is_claimed AND j.node_id = coalesce(n.id, h.id)) AS jobs
     FROM mxproof.nodes n FULL JOIN mxproof.http_nodes h USING (id)
       CROSS JOIN LATERAL (SELECT greatest(n.seen_at, h.seen_at) AS seen) AS heard
     ORDER BY machine, seen DESC LIMIT ${NODES_SHOWN}`,
  );
  return rows.map(({ http, checks, ...node }) => ({ ...node, roles: { http, checks } }));
}

/**
 * Machines whose node fell silent without stopping, and that no later one has taken the place of. Null: it cannot be told, since all
 * were cut off while the database was down.
 */
export async function lostMachines(tx: Tx, silentSeconds = LOST_SECONDS): Promise<string[] | null> {
  const rows = await tx.query<{ machine: string; known: boolean }>(
    `SELECT DISTINCT machine, pg_postmaster_start_time() < now() - make_interval(secs => $1) AS known
     FROM (SELECT DISTINCT ON (role, machine) machine, has_left, seen_at
           FROM (SELECT 'checks' AS role, ${MACHINE} AS machine, has_left, seen_at FROM mxproof.nodes n
                 UNION ALL SELECT 'http', machine, false, seen_at FROM mxproof.http_nodes) AS each
           WHERE machine IS NOT NULL ORDER BY role, machine, seen_at DESC) AS last
     WHERE NOT has_left AND seen_at < now() - make_interval(secs => $1)
     ORDER BY machine LIMIT ${NODES_SHOWN}`,
    [silentSeconds],
  );
  return rows.some(({ known }) => !known) ? null : rows.map(({ machine }) => machine);
}

/** Machines of live nodes that have not said that they have the secret key of this fingerprint; by name. */
export async function machinesWithoutKey(tx: Tx, fingerprint: Buffer): Promise<string[]> {
  const rows = await tx.query<{ machine: string }>(
    `SELECT DISTINCT coalesce(machine, 'unknown') AS machine
     FROM (SELECT ${MACHINE} AS machine, seen_at, keys FROM mxproof.nodes WHERE NOT has_left
           UNION ALL SELECT machine, seen_at, keys FROM mxproof.http_nodes) AS each
     WHERE seen_at > now() - make_interval(secs => ${LOST_SECONDS}) AND NOT ($1 = ANY (keys))
     ORDER BY machine LIMIT ${NODES_SHOWN}`,
    [fingerprint],
  );
  return rows.map(({ machine }) => machine);
}

export async function sweepNodes(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.nodes WHERE seen_at < now() - make_interval(secs => ${FORGOTTEN_AFTER_SECONDS})`,
  );
}
