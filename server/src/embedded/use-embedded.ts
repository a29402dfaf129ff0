// How an operator command reaches the embedded store: through the running service's server, or its own.
// Promise: a running service is never disturbed, and one that is starting is waited for, within a limit; a server started here is
// stopped by release().

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../rules/operator-error.ts';
import { findCluster, openDataDir, placeCluster } from './place-cluster.ts';
import { findPostgres } from './postgres-process.ts';
import { serviceLockHolder } from './service-lock.ts';
import { connectionString, type EmbeddedLog, STORE_DATABASE, startEmbedded } from './start-embedded.ts';
import { isServiceStarting } from './starting-service.ts';
import { waitReady } from './wait-ready.ts';
import { storePassword } from './write-secret.ts';

/** A first start makes the database, which takes some ten seconds; a busy machine takes several times as long. */
const SERVICE_WAIT_SECONDS = 60;
/** A service that was started at the same moment may need so long until it has said that it is starting. */
const START_SEEN_WITHIN_MS = 2_000;
/** A shorter wait is not worth a word. */
const SAID_AFTER_MS = 1_000;
const POLL_MS = 100;

export interface EmbeddedUse {
  readonly connectionString: string;
  release(): Promise<void>;
}

export interface EmbeddedUseOptions {
  /** Aborted: a server that is not ready yet is no longer waited for. */
  readonly signal?: AbortSignal;
  /** Nothing is made where there is no store. */
  readonly mustExist?: boolean;
  /** A service that is starting is used only once it has started, with its database migrated and its first account open. */
  readonly awaitsStart?: boolean;
}

export async function useEmbedded(
  dataDirGiven: string,
  log: EmbeddedLog,
  { signal, mustExist = false, awaitsStart = false }: EmbeddedUseOptions = {},
): Promise<EmbeddedUse> {
  if (mustExist && !existsSync(dataDirGiven)) throw new OperatorError(noStoreIn(resolve(dataDirGiven)));
  const dataDir = openDataDir(dataDirGiven);
  const startedAtMs = performance.now();
  const waitedMs = () => performance.now() - startedAtMs;
  const isOver = () => waitedMs() > SERVICE_WAIT_SECONDS * 1_000 || signal?.aborted === true;
  let isLogged = false;
  for (;;) {
    const isAwaited = awaitsStart && isServiceStarting(dataDir);
    const isRunning = serviceLockHolder(dataDir)?.holder === 'service';
    const mayBegin = mustExist && awaitsStart && waitedMs() < START_SEEN_WITHIN_MS && !findCluster(dataDir);
    if (!isAwaited && !isRunning && !mayBegin) break;
    const running = isRunning && !isAwaited ? await findRunning(dataDir, isOver) : null;
    if (running !== null) return running;
    if (isOver())
      throw new OperatorError(
        isAwaited
          ? `The service is still starting after ${SERVICE_WAIT_SECONDS} seconds: see its log, and try again when it says "ready".`
          : 'The PostgreSQL of the running service does not answer: see the log of the service.',
      );
    if (isAwaited && !isLogged && waitedMs() > SAID_AFTER_MS) {
      isLogged = true;
      log.warn(`The service is starting: waiting for it, up to ${SERVICE_WAIT_SECONDS} seconds …`);
    }
    await sleep(POLL_MS);
  }
  if (mustExist && findCluster(dataDir) === null) throw new OperatorError(noStoreIn(dataDir));
  const embedded = await startEmbedded({ dataDir, log, kind: 'command', ...(signal && { signal }) });
  return { connectionString: embedded.connectionString, release: () => embedded.stop() };
}

/** Null: its server is not there yet, or has died and is being started again. */
async function findRunning(dataDir: string, isOver: () => boolean): Promise<EmbeddedUse | null> {
  const { clusterDir } = placeCluster(dataDir, () => {});
  const postgres = findPostgres(clusterDir);
  if (!postgres) return null;
  const password = storePassword(dataDir);
  const readiness = await waitReady(postgres, clusterDir, password, isOver);
  if (readiness.kind !== 'ready') return null;
  return {
    connectionString: connectionString(postgres.port, password, STORE_DATABASE),
    release: async () => {},
  };
}

function noStoreIn(dataDir: string): string {
  return `There is no store in the data folder ${dataDir}: start the service first ("mxproof serve"; if it was started just now, try again in a few seconds), or set MXPROOF_DATA_DIR to the folder of the service.`;
}
