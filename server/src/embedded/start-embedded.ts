// The embedded PostgreSQL: created at the first start, adopted after a crash, kept running, stopped last.
// Promise: the connection string stays valid until stop(); a server that dies is restarted on the same port; two
// services never use one data folder.
//
//   startEmbedded ─▶ up ◀──restarted── down
//                    │  ──server died──▶ │
//                    └────stop()────┬────┘
//                                   ▼
//                                stopped

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '../rules/operator-error.ts';
import { findBinaries } from './find-binaries.ts';
import { findFreePort } from './free-port.ts';
import { FOR_OTHERS, keepPrivate } from './held-folder.ts';
import { makeCluster, STORE_USER } from './make-cluster.ts';
import { type ClusterPlace, hasCluster, openDataDir, placeCluster, SHARED_HOME } from './place-cluster.ts';
import { findPostgres, type PostgresProcess, removeStalePidFile, spawnPostgres } from './postgres-process.ts';
import { type HeldLock, type LockKind, takeServiceLock } from './service-lock.ts';
import { waitReady } from './wait-ready.ts';
import { PASSWORD_FILE, storePassword } from './write-secret.ts';

export const STORE_DATABASE = 'mxproof';
/** A command that holds the lock is done in seconds. */
const COMMAND_WAIT_MS = 15_000;
/** Another service is not, unless it is just stopping. */
const SERVICE_WAIT_MS = 2_000;
const LOCK_POLL_MS = 100;
const MAX_START_TRIES = 40;
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2_000;

export interface EmbeddedLog {
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: EmbeddedLog;
  /** Who takes the data folder's lock. */
  readonly kind?: LockKind;
  /** Settings of the server on top of its own file, for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Aborted: a server that is not ready yet is stopped, and the start fails. */
  readonly signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  readonly connectionString: string;
  isUp(): boolean;
  /** Told with true when the server answers again, with false when it died. */
  onChange(listener: (isUp: boolean) => void): void;
  stop(): Promise<void>;
}

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = openDataDir(options.dataDir);
  const lock = await waitForLock(dataDir, options);
  try {
    return await startUnderLock(dataDir, options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function waitForLock(dataDir: string, options: EmbeddedOptions): Promise<HeldLock> {
  const startedAtMs = performance.now();
  for (let tries = 0; ; tries += 1) {
    const taken = takeServiceLock(dataDir, options.kind ?? 'service');
    if (taken.kind === 'held') return taken;
    if (tries === 0) options.log.info(`data folder in use by process ${taken.pid}, waiting`);
    if (performance.now() - startedAtMs > (taken.holder === 'service' ? SERVICE_WAIT_MS : COMMAND_WAIT_MS)) {
      const who = taken.holder === 'service' ? 'MXProof is already running' : 'An MXProof command is running';
      throw new OperatorError(
        `${who} on the data folder ${dataDir} (process ${taken.pid}): stop it, or choose another folder with MXPROOF_DATA_DIR.`,
      );
    }
    await sleep(LOCK_POLL_MS);
  }
}

interface Server {
  readonly place: ClusterPlace;
  readonly bin: string;
  readonly password: string;
  readonly options: EmbeddedOptions;
}

async function startUnderLock(
  dataDir: string,
  options: EmbeddedOptions,
  lock: HeldLock,
): Promise<EmbeddedPostgres> {
  const { log } = options;
  const place = placeCluster(dataDir, (line) => log.info(line));
  const exists = hasCluster(place.clusterDir);
  const copyTo = process.getuid?.() === 0 ? SHARED_HOME : `${dataDir}/binaries`;
  const bin = findBinaries(place.runAs, copyTo, (line) => log.info(line));
  const password = storePassword(dataDir);
  keepPrivate(join(dataDir, PASSWORD_FILE), FOR_OTHERS.secret, (line) => log.info(line));
  if (!exists) await makeCluster(place, bin, password);
  const server: Server = { place, bin, password, options };
  const first = await bringUp(server, null, () => options.signal?.aborted === true);
  try {
    await ensureDatabase(first.port, password);
  } catch (error) {
    await first.stop();
    throw error;
  }
  return supervise(server, first, lock);
}

/** Finds or starts the server and waits for it; a fixed port is kept, whatever it takes. */
async function bringUp(
  server: Server,
  fixedPort: number | null,
  stopped: () => boolean,
): Promise<PostgresProcess> {
  const { place, bin, password, options } = server;
  let why = 'the start was given up';
  for (let tries = 0; tries < MAX_START_TRIES && !stopped(); tries += 1) {
    const found = findPostgres(place.clusterDir);
    if (!found) removeStalePidFile(place.clusterDir);
    const port = fixedPort ?? (await findFreePort());
    const postgres =
      found ?? spawnPostgres(place, bin, port, options.settings ?? {}, (line) => sayLine(options.log, line));
    const readiness = await waitReady(postgres, place.clusterDir, password, stopped);
    if (readiness.kind === 'ready') {
      if (fixedPort === null || postgres.port === fixedPort) return postgres;
      why = `it listens on port ${postgres.port} instead of ${fixedPort}`;
    } else {
      why = readiness.why;
    }
    await postgres.stop();
    if (readiness.kind === 'failed' && !readiness.mayPass) break;
    await sleep(Math.min(FIRST_BACKOFF_MS * 2 ** tries, MAX_BACKOFF_MS));
  }
  throw new OperatorError(`PostgreSQL failed to start in ${place.clusterDir}: ${why}.`);
}

/** PostgreSQL's own log lines: errors and warnings are logged, routine messages are not. */
function sayLine(log: EmbeddedLog, line: string): void {
  const isRoutine =
    /starting up|shutting down|administrator command|not yet accepting|unexpected postmaster exit/.test(line);
  if (/^(FATAL|PANIC|WARNING):/.test(line) && !isRoutine) log.warn(`postgres: ${line}`);
  else log.debug(`postgres: ${line}`);
}

export function connectionString(port: number, password: string, database: string): string {
  return `postgresql://${STORE_USER}:${password}@127.0.0.1:${port}/${database}`;
}

async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: connectionString(port, password, 'postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [STORE_DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${STORE_DATABASE}`);
  } finally {
    await client.end();
  }
}

function supervise(server: Server, first: PostgresProcess, lock: HeldLock): EmbeddedPostgres {
  const { log } = server.options;
  const { port } = first;
  const listeners: Array<(isUp: boolean) => void> = [];
  let current: PostgresProcess | null = first;
  let stopping: Promise<void> | null = null;
  const isStopping = () => stopping !== null;
  const notify = (isUp: boolean) => {
    for (const listener of listeners) listener(isUp);
  };

  async function watch(): Promise<void> {
    while (!isStopping()) {
      if (current) {
        await current.gone;
        current = null;
        if (isStopping()) return;
        log.warn('PostgreSQL died, restarting it');
        notify(false);
      }
      try {
        current = await bringUp(server, port, isStopping);
      } catch (error) {
        if (isStopping()) return;
        log.warn((error as Error).message);
        await sleep(MAX_BACKOFF_MS);
        continue;
      }
      if (isStopping()) return;
      log.info('PostgreSQL is running again');
      notify(true);
    }
  }
  const watching = watch();
  // An exit that did not wait for stop(), such as a second Ctrl-C, takes the server along; only kill -9 leaves it.
  const onExit = () => current?.abandon();
  process.once('exit', onExit);

  async function stop(): Promise<void> {
    await current?.stop();
    // A restart in progress sees that it is stopped and ends its server itself, or leaves it in `current`.
    await watching;
    await current?.stop();
    process.off('exit', onExit);
    lock.release();
  }

  return {
    connectionString: connectionString(port, server.password, STORE_DATABASE),
    isUp: () => current !== null,
    onChange: (listener) => listeners.push(listener),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
