// Writes a backup of a store in use. Promise: one snapshot, as of the moment it began, whatever is written meanwhile;
// memory is bounded by a few pieces, however large the tables are; nothing waits for it.
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Database, Row } from '../../store/database.ts';
import { BackupWriter } from './backup-file.ts';
import { quoted, SIGN_INS, sequenceValues, snapshotTables } from './snapshot-tables.ts';

const compressed = promisify(zstdCompress);
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
/** Of a table's text in one frame. */
const PIECE_BYTES = 1024 * 1024;
/** So that values read back as the same, whatever the server's settings are. */
const PLAIN_TEXT = [
  "SET LOCAL TimeZone = 'UTC'",
  "SET LOCAL DateStyle = 'ISO, YMD'",
  "SET LOCAL IntervalStyle = 'postgres'",
  'SET LOCAL extra_float_digits = 3',
  "SET LOCAL bytea_output = 'hex'",
  'SET LOCAL idle_in_transaction_session_timeout = 0',
];

/** The first frame. */
export interface BackupHeader {
  /** Of the database's shape. */
  readonly version: number;
  /** ISO 8601. */
  readonly madeAt: string;
  /** Sealed with the operator's passphrase; null: left out. */
  readonly secretKey: string | null;
  /** As it is: of a file that is encrypted for a recipient. */
  readonly plainKey?: string;
  /** Of the key that the stored secrets are sealed with, in hex; null: none was used yet. */
  readonly keyFingerprint: string | null;
}

export function hasKey({ secretKey, plainKey }: BackupHeader): boolean {
  return secretKey !== null || plainKey !== undefined;
}

export interface BackupSummary {
  readonly version: number;
  readonly madeAt: Date;
  readonly tables: number;
  readonly rows: number;
  readonly bytes: number;
}

export interface BackupProgress {
  readonly table: string;
  readonly bytes: number;
}

export async function writeBackup(options: {
  readonly db: Pick<Database, 'connectAlone'>;
  readonly secretKey: string | null;
  readonly plainKey?: string;
  readonly write: (bytes: Buffer) => Promise<void>;
  readonly onProgress?: (progress: BackupProgress) => void;
  readonly signal?: AbortSignal;
  /** Other than the named tables; for tests. */
  readonly leftOut?: readonly string[];
}): Promise<BackupSummary> {
  const { db, secretKey, plainKey, write, onProgress, signal, leftOut = SIGN_INS } = options;
  const client = await db.connectAlone();
  const end = () => void client.end().catch(() => {});
  signal?.addEventListener('abort', end, { once: true });
  try {
    signal?.throwIfAborted();
    const query = async <R extends Row>(text: string) => (await client.query<R>(text)).rows;
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    for (const setting of PLAIN_TEXT) await client.query(setting);
    const [shape] = await query<{
      version: number;
      made_at: Date;
      fingerprint: string | null;
      has_trail: boolean;
    }>(
      `SELECT (SELECT max(version) FROM mxproof.migrations) AS version, now() AS made_at,
         (SELECT encode(fingerprint, 'hex') FROM mxproof.secret_key) AS fingerprint,
         to_regclass('mxproof.audit') IS NOT NULL AS has_trail`,
    );
    const { version, made_at: madeAt, fingerprint: keyFingerprint } = shape!;
    // No month of it is dropped meanwhile: that gives way, and is done later.
    if (shape!.has_trail) await client.query('LOCK TABLE mxproof.audit IN ACCESS SHARE MODE');
    const writer = new BackupWriter(write);
    await writer.begin();
    const header: BackupHeader = {
      version,
      madeAt: madeAt.toISOString(),
      secretKey,
      ...(plainKey !== undefined && { plainKey }),
      keyFingerprint,
    };
    await writer.json('header', header);
    let rows = 0;
    const tables = await snapshotTables(query, leftOut);
    for (const { name, columns } of tables) {
      await writer.json('table', { name, columns });
      const count = await copyTable(
        client,
        `${quoted(name)} (${columns.map(quoted).join(', ')})`,
        (piece) => {
          onProgress?.({ table: name, bytes: writer.bytes });
          return writer.frame('data', piece);
        },
      );
      await writer.json('rows', { rows: count });
      rows += count;
    }
    await writer.json('sequences', await sequenceValues(query));
    await writer.end();
    await client.query('COMMIT');
    return { version, madeAt, tables: tables.length, rows, bytes: writer.bytes };
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', end);
    await client.end().catch(() => {});
  }
}

async function copyTable(
  client: pg.Client,
  table: string,
  write: (piece: Buffer) => Promise<void>,
): Promise<number> {
  const stream = client.query(copyTo(`COPY mxproof.${table} TO STDOUT`));
  let pieces: Buffer[] = [];
  let bytes = 0;
  const flush = async () => {
    if (bytes === 0) return;
    const piece = Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
    await write(await compressed(piece, FAST));
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    pieces.push(chunk);
    bytes += chunk.length;
    if (bytes >= PIECE_BYTES) await flush();
  }
  await flush();
  return stream.rowCount;
}
