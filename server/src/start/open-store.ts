// Opens the store: the operator's PostgreSQL or the embedded one, migrated.
// Promise: waits for a database that is not up yet, within a bound; what is wrong with it is one sentence that never
// shows the connection string.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openDataDir } from '../embedded/place-cluster.ts';
import { type EmbeddedPostgres, startEmbedded } from '../embedded/start-embedded.ts';
import { endStart, sayStarting } from '../embedded/starting-service.ts';
import { copyDataFolder, keepAndMigrate, needsFolderCopy } from '../features/backup/before-upgrade.ts';
import { OperatorError } from '../rules/operator-error.ts';
import type { Config } from '../settings/config.ts';
import { type Database, isUnavailable, openDatabase } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';
import { refusePooler } from '../store/refuse-pooler.ts';
import type { Lifecycle } from './lifecycle.ts';

const OLDEST_VERSION = 140_000;
const DATABASE_WAIT_MS = 60_000;
const RETRY_MS = 500;
const SAY_EVERY_MS = 10_000;
/** The embedded server has limits of its own that end sooner. */
const EMBEDDED_STOP_LIMIT_MS = 6_000;
const CLOSE_LIMIT_MS = 500;

export interface Store {
  readonly db: Database;
  /** False while the embedded server is being started again. */
  isUp(): boolean;
  /** The start is over: operator commands may use the store. */
  started(): void;
}

export async function openStore(
  config: Config,
  log: Logger,
  life: Lifecycle,
  { poolSize, onWaiting = () => {} }: { readonly poolSize?: number; readonly onWaiting?: () => void } = {},
): Promise<Store> {
  const { embedded, isCopied } =
    config.databaseUrl === null ? await openEmbedded(config, log, life) : { embedded: null, isCopied: false };
  const url = embedded?.connectionString ?? config.databaseUrl!;
  const db = openDatabase({
    url,
    ...(poolSize !== undefined && { poolSize }),
    onError: (error) => log.debug({ err: error }, 'idle database connection lost'),
    onHost: (line) => log.warn(line),
  });
  life.onStop('the connections to the database', CLOSE_LIMIT_MS, () => db.close());
  await waitForDatabase(db, { isEmbedded: embedded !== null, onWaiting }, log, life);
  const { from, to } = await keepAndMigrate({
    db,
    config,
    log,
    isCopied,
    migrate: () => withPatience(url, migrate),
  });
  if (from !== to) log.info({ from, to }, 'database migrated');
  const started = () => {
    if (embedded !== null) endStart(config.dataDir);
  };
  return { db, isUp: () => embedded?.isUp() ?? true, started };
}

/** A store of 0.1 is copied as it is, which takes a server that is stopped. */
async function openEmbedded(
  config: Config,
  log: Logger,
  life: Lifecycle,
): Promise<{ embedded: EmbeddedPostgres; isCopied: boolean }> {
  sayStarting(openDataDir(config.dataDir));
  const start = () => startEmbedded({ dataDir: config.dataDir, log });
  let embedded = await start();
  life.onStop('the embedded PostgreSQL', EMBEDDED_STOP_LIMIT_MS, () => {
    // A start may be given up.
    endStart(config.dataDir);
    return embedded.stop();
  });
  const isCopied = await withPatience(embedded.connectionString, (db) => needsFolderCopy(db, config));
  if (isCopied) {
    await embedded.stop();
    await copyDataFolder(config, log);
    if (life.isStopping()) throw new OperatorError('The start was given up before the store was migrated.');
    embedded = await start();
  }
  return { embedded, isCopied };
}

async function withPatience<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ url, poolSize: 1, answerTimeoutMs: 0, onError: () => {} });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** As the driver or PostgreSQL says it. With several addresses, what the first of them said. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return (first as Error).message || (first as NodeJS.ErrnoException).code || 'no answer';
}

async function waitForDatabase(
  db: Database,
  { isEmbedded, onWaiting }: { readonly isEmbedded: boolean; readonly onWaiting: () => void },
  log: Logger,
  life: Lifecycle,
): Promise<void> {
  const deadline = performance.now() + DATABASE_WAIT_MS;
  let saidAtMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      if (!isEmbedded) await refusePooler(db);
      if ((await db.serverVersion()) >= OLDEST_VERSION) return;
      throw new OperatorError(
        'DATABASE_URL points to a PostgreSQL older than 14: MXProof needs 14 or newer.',
      );
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      const reason = reasonOf(error);
      if (!isUnavailable(error))
        throw new OperatorError(`PostgreSQL at DATABASE_URL refused the connection: ${reason}.`);
      if (life.isStopping() || performance.now() > deadline) {
        throw new OperatorError(`Cannot connect to PostgreSQL at DATABASE_URL: ${reason}.`);
      }
      onWaiting();
      if (performance.now() - saidAtMs >= SAY_EVERY_MS) {
        saidAtMs = performance.now();
        log.warn(`waiting for the database: ${reason}`);
      }
      await sleep(RETRY_MS);
    }
  }
}
