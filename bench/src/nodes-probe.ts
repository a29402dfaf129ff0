// What a deployment does in a while: addresses, CPU by process, PostgreSQL's statements, commits and log, connections, waits for
// locks. Promise: counted by the kernel and by PostgreSQL, from outside; the probe's own statements are in another database.
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodesRig } from './nodes-rig.ts';
import { cpuSecondsOf, cpuSecondsOfMachine, cpuSecondsOfTree } from './process-cost.ts';

const LOOK_MS = 500;
const SLOWEST_KEPT = 40;

export interface Span {
  readonly seconds: number;
  /** Addresses that got their verdict. */
  readonly checked: number;
  /** What the mail hosts saw of the nodes; penalties are 421s and replies held back. */
  readonly mail: { readonly connections: number; readonly recipients: number; readonly penalties: number };
  /** CPU seconds. */
  readonly cpu: {
    readonly nodes: number;
    readonly postgres: number;
    readonly world: number;
    readonly machine: number;
  };
  readonly statements: number;
  readonly commits: number;
  readonly rollbacks: number;
  readonly deadlocks: number;
  readonly walBytes: number;
  readonly walSyncs: number;
  /** PostgreSQL's connections of the nodes, at their most. */
  readonly connections: number;
  /** Of all looks at all sessions, the share that waited for a lock. */
  readonly lockWaitShare: number;
  /** By the time they took in all. */
  readonly slowest: readonly StatementCost[];
}

export interface StatementCost {
  readonly words: string;
  readonly calls: number;
  readonly meanMs: number;
  readonly totalMs: number;
}

interface Counted {
  readonly atMs: number;
  readonly checked: number;
  readonly cpu: Span['cpu'];
  readonly database: Readonly<Record<'commits' | 'rollbacks' | 'deadlocks' | 'wal' | 'syncs', number>>;
  readonly statements: ReadonlyMap<string, { words: string; calls: number; ms: number }>;
}

/** Watches while `work` runs. */
export async function watchSpan(rig: NodesRig, work: Promise<unknown>): Promise<Span> {
  const before = await count(rig);
  await rig.world.seen();
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let connections = 0;
  let sessions = 0;
  let waiting = 0;
  while (!isOver) {
    const [look] = await rig.probe.query<{ open: number; waiting: number }>(
      `SELECT count(*) AS open, count(*) FILTER (WHERE wait_event_type = 'Lock') AS waiting
       FROM pg_stat_activity WHERE datname = 'mxproof' AND application_name = 'mxproof'`,
    );
    connections = Math.max(connections, look!.open);
    sessions += look!.open;
    waiting += look!.waiting;
    await Promise.race([sleep(LOOK_MS), over]);
  }
  await over;
  const after = await count(rig);
  const { total } = await rig.world.seen();
  const since = (key: keyof Counted['database']) => after.database[key] - before.database[key];
  const cpuSince = (key: keyof Span['cpu']) => after.cpu[key] - before.cpu[key];
  const costs = [...after.statements].map(([id, { words, calls, ms }]) => {
    const last = before.statements.get(id) ?? { calls: 0, ms: 0 };
    const totalMs = ms - last.ms;
    return { words, calls: calls - last.calls, totalMs, meanMs: totalMs / Math.max(1, calls - last.calls) };
  });
  return {
    seconds: (after.atMs - before.atMs) / 1000,
    checked: after.checked - before.checked,
    mail: {
      connections: total.connections,
      recipients: total.rcpts,
      penalties: total.given421 + total.delays,
    },
    cpu: {
      nodes: cpuSince('nodes'),
      postgres: cpuSince('postgres'),
      world: cpuSince('world'),
      machine: cpuSince('machine'),
    },
    statements: costs.reduce((sum, { calls }) => sum + calls, 0),
    commits: since('commits'),
    rollbacks: since('rollbacks'),
    deadlocks: since('deadlocks'),
    walBytes: since('wal'),
    walSyncs: since('syncs'),
    connections,
    lockWaitShare: sessions === 0 ? 0 : waiting / sessions,
    slowest: costs
      .filter(({ calls }) => calls > 0)
      .sort((a, b) => b.totalMs - a.totalMs)
      .slice(0, SLOWEST_KEPT),
  };
}

async function count(rig: NodesRig): Promise<Counted> {
  const [row] = await rig.probe.query<Counted['database']>(
    `SELECT d.xact_commit AS commits, d.xact_rollback AS rollbacks, d.deadlocks, w.wal_bytes::float8 AS wal, w.wal_sync AS syncs
     FROM pg_stat_database d, pg_stat_wal w WHERE d.datname = 'mxproof'`,
  );
  const rows = await rig.probe.query<{ id: string; words: string; calls: number; ms: number }>(
    `SELECT s.userid || ' ' || s.queryid || ' ' || s.toplevel AS id, regexp_replace(left(s.query, 120), '\\s+', ' ', 'g') AS words,
            s.calls, s.total_exec_time AS ms
     FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = 'mxproof'`,
  );
  const [lists] = await rig.db.query<{ checked: number }>(
    'SELECT coalesce(sum(checked), 0)::bigint AS checked FROM mxproof.lists',
  );
  return {
    atMs: performance.now(),
    checked: lists!.checked,
    database: row!,
    statements: new Map(rows.map(({ id, ...statement }) => [id, statement])),
    cpu: {
      nodes: rig.nodes.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), rig.endedCpuSeconds),
      postgres: cpuSecondsOfTree(rig.postgresPid),
      world: cpuSecondsOf(rig.world.pid),
      machine: cpuSecondsOfMachine(),
    },
  };
}
