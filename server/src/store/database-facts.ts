// What the doctor asks PostgreSQL about itself. Promise: nothing is changed, and no other session's statement is read.
import type pg from 'pg';
import type { Database, Tx } from './database.ts';

/** `session`: a pooler that leaves each client its own session; `transaction`: one that does not. */
export type PoolerMode = 'none' | 'session' | 'transaction';

export interface DatabaseFacts {
  /** As PostgreSQL counts: 140005 is 14.5. */
  readonly version: number;
  readonly hasFsync: boolean;
  /** It takes no writes. */
  readonly isStandby: boolean;
  /** That this user may have: of the server, the database and the user, whichever is least. */
  readonly connectionsAllowed: number;
  readonly connectionsLeft: number;
  /** Of other sessions; null: there is none. */
  readonly oldestTransactionSeconds: number | null;
  /** The middle one of a few. */
  readonly roundTripMs: number;
}

const ROUND_TRIPS = 5;

export async function readDatabaseFacts(db: Database): Promise<DatabaseFacts> {
  const [row] = await db.query<Omit<DatabaseFacts, 'roundTripMs' | 'version'>>(
    // -1: without a limit. Superusers have reserved ones, which the service should not live on.
    `WITH limits AS (
       SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                - coalesce(current_setting('reserved_connections', true), '0')::int AS server,
              (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()) AS database,
              (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user) AS own
     ), used AS (
       SELECT count(*)::int AS server, (count(*) FILTER (WHERE datname = current_database()))::int AS database,
              (count(*) FILTER (WHERE usename = current_user))::int AS own,
              extract(epoch FROM max(clock_timestamp() - xact_start) FILTER (WHERE pid <> pg_backend_pid()))::float8 AS oldest
       FROM pg_stat_activity WHERE backend_type = 'client backend'
     )
     SELECT current_setting('fsync')::bool AS "hasFsync", pg_is_in_recovery() AS "isStandby",
       least(limits.server, limits.database, limits.own) AS "connectionsAllowed",
       greatest(0, least(limits.server - used.server, limits.database - used.database, limits.own - used.own)) AS "connectionsLeft",
       used.oldest AS "oldestTransactionSeconds"
     FROM limits, used`,
  );
  return { ...row!, version: await db.serverVersion(), roundTripMs: await roundTripMs(db) };
}

async function roundTripMs(db: Database): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUND_TRIPS; round++) {
    const sentAtMs = performance.now();
    await db.ping();
    times.push(performance.now() - sentAtMs);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUND_TRIPS / 2)]!;
}

/** Times that a session is asked who it is before another takes its place. */
const ASKED_ALONE = 4;
/** A session that has to wait for another's transaction has no connection of its own. */
const OWN_ANSWER_MS = 3_000;
/** PgBouncer in statement mode, which is transaction mode and more. */
const NO_TRANSACTIONS = /transaction blocks not allowed/;
const FULL =
  'a connection pooler is in between, and has no second connection to PostgreSQL: raise its pool size (default_pool_size) to 20 for each node';

/** Safe to repeat, as for PostgreSQL itself without a connection left. */
class PoolerIsFull extends Error {
  readonly code = '53300';
}

/**
 * Whether our sessions are our own. A pooler invents the number that a client gets of its backend for cancelling, so that one
 * between us and PostgreSQL shows at once. In transaction mode, statements of one client then run in several backends: in turns,
 * in one that another client's transaction has left free, or not at all while that has the only one.
 */
export async function findPooler(db: Database, signal: AbortSignal): Promise<PoolerMode> {
  const clients: pg.Client[] = [];
  const endAll = () => Promise.all(clients.map((client) => client.end().catch(() => {})));
  // Ends a connection whose statement has no answer, too.
  signal.addEventListener('abort', endAll, { once: true });
  try {
    const open = async () => {
      const client = await db.connectAlone();
      clients.push(client);
      signal.throwIfAborted();
      return client;
    };
    const first = await open();
    const seen = new Set([await backendOf(first)]);
    if (seen.has(givenBackendOf(first))) return 'none';
    for (let round = 1; round < ASKED_ALONE; round++) seen.add(await backendOf(first));
    const second = await open();
    const begun = second.query('BEGIN').then(
      () => true,
      (error: Error) => {
        if (NO_TRANSACTIONS.test(error.message)) return false;
        throw error;
      },
    );
    const isBegun = await inTime(begun);
    if (isBegun === null) throw new PoolerIsFull(FULL);
    if (!isBegun) return 'transaction';
    await backendOf(second);
    const backend = await inTime(backendOf(first).catch(() => null));
    await second.query('ROLLBACK');
    return seen.size === 1 && backend !== null && seen.has(backend) ? 'session' : 'transaction';
  } finally {
    signal.removeEventListener('abort', endAll);
    await endAll();
  }
}

/** Null: not within the limit. */
async function inTime<T>(answer: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), OWN_ANSWER_MS);
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}

/** The driver keeps it, and its types do not say so. */
function givenBackendOf(client: pg.Client): number {
  return (client as pg.Client & { processID: number }).processID;
}

export interface ClockReading {
  readonly serverMs: number;
  /** By this machine's clock, in the middle of the round trip. */
  readonly hereMs: number;
  /** Either may be wrong by half of it. */
  readonly roundTripMs: number;
}

/** The reading of a few with the shortest round trip. */
export async function readClock(tx: Tx): Promise<ClockReading> {
  const readings: ClockReading[] = [];
  for (let round = 0; round < ROUND_TRIPS; round++) {
    const [sentAtMs, sentMs] = [performance.now(), Date.now()];
    const [row] = await tx.query<{ ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    const tookMs = performance.now() - sentAtMs;
    readings.push({ serverMs: row!.ms, hereMs: sentMs + tookMs / 2, roundTripMs: tookMs });
  }
  return readings.sort((a, b) => a.roundTripMs - b.roundTripMs)[0]!;
}
