// Migrates the database to this version, once, however many nodes start together.
// Promise: a migration is applied completely or not at all; a database newer than this code is refused.
import { readdirSync, readFileSync } from 'node:fs';
import type { Database, Tx } from './database.ts';

/** Any constant: nodes that start together queue up on it. */
const MIGRATION_LOCK = 0x6d78_7072;

const MIGRATIONS_FOLDER = new URL('./migrations/', import.meta.url);

interface Migration {
  readonly version: number;
  readonly sql: string;
}

export async function migrate(db: Database): Promise<{ from: number; to: number }> {
  const migrations = readMigrations();
  const newest = migrations.at(-1)!.version;
  return db.transaction(async (tx) => {
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
    if (from > newest)
      throw new Error(
        `The database is at version ${from} and this MXProof knows ${newest}: start a newer MXProof on it.`,
      );
    for (const migration of migrations) {
      if (migration.version <= from) continue;
      await tx.query(migration.sql);
      await tx.query('INSERT INTO mxproof.migrations (version) VALUES ($1)', [migration.version]);
    }
    return { from, to: newest };
  });
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
