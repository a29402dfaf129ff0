// Reads a backup into a store that has nothing in it. Promise: all of it or nothing; a store with an account in it is
// refused and stays as it is; a backup of an older version is migrated like a database of that version. Nobody is signed in afterwards.
import { once } from 'node:events';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { OperatorError } from '../../rules/operator-error.ts';
import type { Database, Row, Tx } from '../../store/database.ts';
import { applyMigrations, newestVersion } from '../../store/migrate.ts';
import { BrokenBackup, type Frame, readFrames, readJson } from './backup-file.ts';
import {
  quoted,
  type SequenceValue,
  SIGN_INS,
  type SnapshotTable,
  snapshotTables,
} from './snapshot-tables.ts';
import type { BackupHeader } from './write-backup.ts';

const decompressed = promisify(zstdDecompress);
/** Of a frame's text: a piece, and the longest row that may end it. */
const PIECE_MAX_BYTES = 256 * 1024 * 1024;

export interface RestoredBackup {
  readonly header: BackupHeader;
  readonly tables: number;
  readonly rows: number;
  /** Versions of the database's shape: the backup's, and now. */
  readonly from: number;
  readonly to: number;
}

export interface VerifiedBackup {
  readonly header: BackupHeader;
  readonly tables: number;
  readonly rows: number;
}

/** Reads all of it, and writes nothing. Throws `BrokenBackup`. */
export async function verifyBackup(source: AsyncIterable<Buffer>): Promise<VerifiedBackup> {
  const frames = readFrames(source);
  const header = await readHeader(frames);
  let tables = 0;
  let rows = 0;
  for await (const { kind, payload } of frames) {
    if (kind === 'table') tables += 1;
    if (kind === 'rows') rows += rowsOf(payload);
    // A piece that does not decompress was written so; its checksum says nothing about that.
    if (kind === 'data') await expand(payload);
  }
  return { header, tables, rows };
}

export async function restoreBackup(options: {
  readonly db: Pick<Database, 'connectAlone'>;
  readonly source: AsyncIterable<Buffer>;
  /** Before anything is written; it may refuse by throwing. */
  readonly onHeader?: (header: BackupHeader) => Promise<void>;
  readonly onProgress?: (table: string) => void;
  /** Within the transaction that restores, when all rows are there. */
  readonly onRestored?: (query: RestoreQuery) => Promise<void>;
  /** The same, when they have the shape of this version. */
  readonly onMigrated?: (tx: Tx) => Promise<void>;
}): Promise<RestoredBackup> {
  const { db, source, onHeader, onProgress, onRestored, onMigrated } = options;
  const frames = readFrames(source);
  const header = await readHeader(frames);
  if (header.version > newestVersion())
    throw new OperatorError(
      `This backup is of a newer MXProof (version ${header.version} of the database, this one knows ${newestVersion()}): restore it with that one.`,
    );
  await onHeader?.(header);
  const client = await db.connectAlone();
  try {
    const query = async <R extends Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query<R>(text, values as unknown[])).rows;
    await client.query('BEGIN');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await makeEmpty(query);
    await applyMigrations({ query }, header.version);
    const tables = new Map((await snapshotTables(query)).map((table) => [table.name, table]));
    for (const name of tables.keys()) await disableTriggers(query, name);
    const loaded = await load(query, client, frames, tables, onProgress);
    for (const name of tables.keys())
      await client.query(`ALTER TABLE mxproof.${quoted(name)} ENABLE TRIGGER USER`);
    for (const name of SIGN_INS) if (tables.has(name)) await client.query(`TRUNCATE mxproof.${quoted(name)}`);
    await onRestored?.(query);
    const { to } = await applyMigrations({ query });
    await onMigrated?.({ query, prepared: (_name, text, values) => query(text, values) });
    await client.query('COMMIT');
    // What a planner knows of tables that were empty would make the first lists slow.
    await client.query('ANALYZE').catch(() => {});
    return { header, ...loaded, from: header.version, to };
  } finally {
    await client.end().catch(() => {});
  }
}

export type RestoreQuery = <R extends Row>(text: string, values?: readonly unknown[]) => Promise<R[]>;

/** A schema without an account is what a migration, or a service that was stopped at once, leaves. */
async function makeEmpty(query: RestoreQuery): Promise<void> {
  const [found] = await query<{ accounts: string | null }>(
    `SELECT to_regclass('mxproof.accounts')::text AS accounts`,
  );
  if (found?.accounts !== null) {
    // No service opens its first account meanwhile.
    await query('LOCK TABLE mxproof.accounts IN ACCESS EXCLUSIVE MODE');
    const [any] = await query('SELECT 1 FROM mxproof.accounts LIMIT 1');
    if (any)
      throw new OperatorError(
        'This store is not empty: restore into a new MXPROOF_DATA_DIR or a new database, and leave this one as it is.',
      );
  }
  await query('DROP SCHEMA IF EXISTS mxproof CASCADE');
}

async function readHeader(frames: AsyncGenerator<Frame, void, void>): Promise<BackupHeader> {
  const { value } = await frames.next();
  const header = value?.kind === 'header' ? (readJson(value.payload) as Partial<BackupHeader> | null) : null;
  const { secretKey = null, plainKey = null, keyFingerprint = null } = header ?? {};
  const isText = [secretKey, plainKey, keyFingerprint].every(
    (each) => each === null || typeof each === 'string',
  );
  if (header === null || !Number.isInteger(header.version) || typeof header.madeAt !== 'string' || !isText)
    throw new BrokenBackup('is damaged: it does not begin with what it is');
  return header as BackupHeader;
}

async function disableTriggers(query: RestoreQuery, table: string): Promise<void> {
  await query(`ALTER TABLE mxproof.${quoted(table)} DISABLE TRIGGER USER`);
}

/** What is made on the way is added to `known`. */
async function load(
  query: RestoreQuery,
  client: pg.Client,
  frames: AsyncGenerator<Frame, void, void>,
  known: Map<string, SnapshotTable>,
  onProgress: ((table: string) => void) | undefined,
): Promise<{ tables: number; rows: number }> {
  let tables = 0;
  let rows = 0;
  let copying: CopyInto | null = null;
  for await (const { kind, payload } of frames) {
    switch (kind) {
      case 'table': {
        await makeMonth(query, payload, known);
        const table = tableOf(payload, known);
        // Rows that migrations have put there come back with the others.
        await client.query(`DELETE FROM mxproof.${quoted(table.name)}`);
        copying = new CopyInto(client, table);
        tables += 1;
        onProgress?.(table.name);
        break;
      }
      case 'data':
        if (copying === null) throw new BrokenBackup('is damaged: rows of no table');
        await copying.write(await expand(payload));
        break;
      case 'rows': {
        const count = (await copying?.end()) ?? -1;
        if (count !== rowsOf(payload)) throw new BrokenBackup('is damaged: rows are missing');
        rows += count;
        copying = null;
        break;
      }
      case 'sequences':
        for (const { name, last } of readJson(payload) as SequenceValue[])
          await client.query('SELECT setval($1::regclass, $2)', [`mxproof.${quoted(name)}`, last]);
        break;
      default:
        throw new BrokenBackup('is damaged: two beginnings');
    }
  }
  return { tables, rows };
}

const AUDIT_MONTH = /^audit_(\d{4}_(?:0[1-9]|1[0-2]))$/;

/** A fresh store has the months of the audit trail from now on; those of the backup are made as its version makes them. */
async function makeMonth(
  query: RestoreQuery,
  payload: Buffer,
  known: Map<string, SnapshotTable>,
): Promise<void> {
  const name = String((readJson(payload) as Partial<SnapshotTable> | null)?.name);
  const [, month] = AUDIT_MONTH.exec(name) ?? [];
  const [sibling] = [...known.values()].filter((table) => AUDIT_MONTH.test(table.name));
  if (month === undefined || sibling === undefined || known.has(name)) return;
  await query(`SELECT mxproof.make_audit_month($1::timestamptz)`, [
    `${month.replace('_', '-')}-15T00:00:00Z`,
  ]);
  await disableTriggers(query, name);
  known.set(name, { name, columns: sibling.columns });
}

/** The names go into a statement: only those that this version of the database has. */
function tableOf(payload: Buffer, known: ReadonlyMap<string, SnapshotTable>): SnapshotTable {
  const said = readJson(payload) as Partial<SnapshotTable> | null;
  const table = known.get(String(said?.name));
  const columns = Array.isArray(said?.columns) ? said.columns : [];
  if (table === undefined || columns.some((name) => !table.columns.includes(name)))
    throw new BrokenBackup('has a table that its version of the database does not have');
  return { name: table.name, columns };
}

function rowsOf(payload: Buffer): number {
  const rows = (readJson(payload) as { rows?: unknown } | null)?.rows;
  if (typeof rows !== 'number') throw new BrokenBackup('is damaged: a table without an end');
  return rows;
}

async function expand(payload: Buffer): Promise<Buffer> {
  try {
    return await decompressed(payload, { maxOutputLength: PIECE_MAX_BYTES });
  } catch {
    throw new BrokenBackup('is damaged: a piece cannot be decompressed');
  }
}

/** One COPY into a table; an error of the database is thrown by whatever waits for it. */
class CopyInto {
  readonly #stream: ReturnType<typeof copyFrom>;
  #error: Error | null = null;

  constructor(client: pg.Client, { name, columns }: SnapshotTable) {
    const table = `mxproof.${quoted(name)} (${columns.map(quoted).join(', ')})`;
    this.#stream = client.query(copyFrom(`COPY ${table} FROM STDIN`));
    this.#stream.on('error', (error) => {
      this.#error = error;
    });
  }

  async write(bytes: Buffer): Promise<void> {
    if (this.#error) throw this.#error;
    if (!this.#stream.write(bytes)) await this.#until('drain');
  }

  async end(): Promise<number> {
    if (this.#error) throw this.#error;
    this.#stream.end();
    if (!this.#stream.writableFinished) await this.#until('finish');
    return this.#stream.rowCount;
  }

  /** `once` rejects with the stream's error. */
  async #until(event: string): Promise<void> {
    await once(this.#stream, event);
  }
}
