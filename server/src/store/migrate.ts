// Migrates the database to this version, once, however many nodes start together.
// Promise: a migration is applied completely or not at all; a database newer than this code is refused.
import { readdirSync, readFileSync } from 'node:fs';
import { OperatorError } from '../rules/operator-error.ts';
import { type Database, isDeadlock, type Tx } from './database.ts';

/** Any constant: nodes that start together queue up on it. */
const MIGRATION_LOCK = 0x6d78_7072;

/** It locks whole tables, among the transactions of nodes that run; each attempt is itself repeated by the database's own rule. */
const DEADLOCK_ATTEMPTS = 5;

const MIGRATIONS_FOLDER = new URL('./migrations/', import.meta.url);

interface Migration {
  readonly version: number;
  readonly sql: string;
}

export function newestVersion(): number {
  return readMigrations().at(-1)!.version;
}

export async function migrate(db: Database): Promise<{ from: number; to: number }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction((tx) => applyMigrations(tx));
    } catch (error) {
      if (!isDeadlock(error) || attempt === DEADLOCK_ATTEMPTS) throw error;
    }
  }
}

/** `upTo`: for a backup of an older version, which is loaded in between. */
export async function applyMigrations(
  tx: Pick<Tx, 'query'>,
  upTo = newestVersion(),
): Promise<{ from: number; to: number }> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await tx.query('SET LOCAL statement_timeout = 0');
  await tx.query('CREATE SCHEMA IF NOT EXISTS mxproof');
  await tx.query(
    'CREATE TABLE IF NOT EXISTS mxproof.migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const [row] = await tx.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM mxproof.migrations',
  );
  const from = row?.version ?? 0;
  const newest = newestVersion();
  if (from > newest)
    throw new OperatorError(
      `The database is at version ${from} and this MXProof knows ${newest}: start the MXProof that migrated it, or a newer one.`,
    );
  for (const { version, sql } of readMigrations()) {
    if (version <= from || version > upTo) continue;
    await tx.query(sql);
    await tx.query('INSERT INTO mxproof.migrations (version) VALUES ($1)', [version]);
  }
  return { from, to: upTo };
}

/** What the database is at, and what this MXProof makes of it; 0: it has no tables yet. Changes nothing. */
export async function readVersions(tx: Tx): Promise<{ database: number; ours: number }> {
  const ours = readMigrations().at(-1)!.version;
  const [table] = await tx.query<{ exists: boolean }>(
    `SELECT to_regclass('mxproof.migrations') IS NOT NULL AS exists`,
  );
  if (!table?.exists) return { database: 0, ours };
  const [row] = await tx.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM mxproof.migrations',
  );
  return { database: row?.version ?? 0, ours };
}

function readMigrations(): Migration[] {
  return readdirSync(MIGRATIONS_FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({
      version: Number.parseInt(name, 10),
      sql: readFileSync(new URL(name, MIGRATIONS_FOLDER), 'utf8'),
    }));
}
