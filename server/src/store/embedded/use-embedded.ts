// How an operator command reaches the embedded store: through the running service's server, or its own.
// Promise: a running service is never disturbed; a server started here is stopped by release().

import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../operator-error.ts';
import { openDataDir, placeCluster } from './place-cluster.ts';
import { findPostgres } from './postgres-process.ts';
import { serviceLockHolder } from './service-lock.ts';
import { connectionString, type EmbeddedLog, STORE_DATABASE, startEmbedded } from './start-embedded.ts';
import { waitReady } from './wait-ready.ts';
import { storePassword } from './write-secret.ts';

/** A service in its first start makes the database before it can be used. */
const SERVICE_START_LIMIT_MS = 20_000;
const POLL_MS = 100;

export interface EmbeddedUse {
  readonly connectionString: string;
  release(): Promise<void>;
}

/** `signal`: aborted, a server that is not ready yet is no longer waited for. */
export async function useEmbedded(
  dataDirGiven: string,
  log: EmbeddedLog,
  signal?: AbortSignal,
): Promise<EmbeddedUse> {
  const dataDir = openDataDir(dataDirGiven);
  const deadline = performance.now() + SERVICE_START_LIMIT_MS;
  const isOver = () => performance.now() > deadline || signal?.aborted === true;
  while (serviceLockHolder(dataDir)?.holder === 'service') {
    const { clusterDir } = placeCluster(dataDir, () => {});
    const postgres = findPostgres(clusterDir);
    if (postgres) {
      const password = storePassword(dataDir);
      const readiness = await waitReady(postgres, clusterDir, password, isOver);
      if (readiness.kind === 'ready') {
        return {
          connectionString: connectionString(postgres.port, password, STORE_DATABASE),
          release: async () => {},
        };
      }
    }
    if (isOver())
      throw new OperatorError(
        'The PostgreSQL of the running service does not answer: see the log of the service.',
      );
    await sleep(POLL_MS);
  }
  const embedded = await startEmbedded({ dataDir, log, kind: 'command', ...(signal && { signal }) });
  return { connectionString: embedded.connectionString, release: () => embedded.stop() };
}
