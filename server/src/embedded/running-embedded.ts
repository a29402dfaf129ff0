// The embedded store of a service that runs. Promise: nothing is started, waited for or written.
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { placeCluster } from './place-cluster.ts';
import { findPostgres } from './postgres-process.ts';
import { LOCK_FOLDER, serviceLockHolder } from './service-lock.ts';
import { connectionString, STORE_DATABASE } from './start-embedded.ts';
import { storePassword } from './write-secret.ts';

/** Its connection string; null: no service runs on this data folder. */
export function findRunningEmbedded(dataDirGiven: string): string | null {
  // A service that was ever started here has left it, and asking for its holder would make it.
  if (!existsSync(join(dataDirGiven, LOCK_FOLDER))) return null;
  const dataDir = realpathSync(dataDirGiven);
  if (serviceLockHolder(dataDir)?.holder !== 'service') return null;
  const postgres = findPostgres(placeCluster(dataDir, () => {}).clusterDir);
  return postgres && connectionString(postgres.port, storePassword(dataDir), STORE_DATABASE);
}
