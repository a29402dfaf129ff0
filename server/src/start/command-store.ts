// Opens the store for one operator command, whether or not a service is running, embedded or DATABASE_URL.
// Promise: whatever was started or opened is closed again, even if the command fails.

import { keepAndMigrate } from '../features/backup/before-upgrade.ts';
import type { Config } from '../settings/config.ts';
import { type Context, createContext } from '../flow/context.ts';
import { refusePooler } from '../store/refuse-pooler.ts';
import { loadSecretKey } from '../settings/secret-key.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { useEmbedded } from '../embedded/use-embedded.ts';
import { createJobs } from '../store/jobs.ts';
import { migrate } from '../store/migrate.ts';
import { createSecretBox, type SecretBox } from '../store/secret-box.ts';

const POOL_SIZE = 3;

export interface CommandStore {
  readonly config: Config;
  readonly db: Database;
  readonly box: SecretBox;
  /** Versions of the database's shape before and now. */
  readonly migrated: { readonly from: number; readonly to: number };
}

/** Called with what the operator should read. */
export type WarningHandler = (line: string) => void;

export interface StoreUse {
  /** False: an embedded store that is not there yet is made. */
  readonly mustExist?: boolean;
}

/** As it is: not migrated, perhaps with nothing in it. */
export async function withDatabase<T>(
  config: Config,
  warn: WarningHandler,
  work: (db: Database) => Promise<T>,
  { mustExist = false }: StoreUse = {},
): Promise<T> {
  for (const warning of config.warnings) warn(warning);
  const log = { debug() {}, info() {}, warn };
  const embedded =
    config.databaseUrl === null
      ? await useEmbedded(config.dataDir, log, { mustExist, awaitsStart: true })
      : null;
  try {
    const db = openDatabase({
      url: embedded?.connectionString ?? config.databaseUrl!,
      poolSize: POOL_SIZE,
      applicationName: 'mxproof command',
      // Recomputing a large ledger takes its time.
      answerTimeoutMs: 0,
      onError: () => {},
    });
    try {
      if (embedded === null) await refusePooler(db);
      return await work(db);
    } finally {
      await db.close();
    }
  } finally {
    await embedded?.release();
  }
}

export async function withStore<T>(
  config: Config,
  warn: WarningHandler,
  work: (store: CommandStore) => Promise<T>,
  use: StoreUse = {},
): Promise<T> {
  const withMigrated = async (db: Database) => {
    const log = { info: warn, warn };
    const migrated = await keepAndMigrate({ db, config, log, migrate: () => migrate(db) });
    let box: SecretBox | undefined;
    return work({
      config,
      db,
      migrated,
      // Only for commands that seal secrets: reading accounts must not generate a key.
      get box() {
        box ??= createSecretBox(loadSecretKey(config, warn));
        return box;
      },
    });
  };
  return withDatabase(config, warn, withMigrated, use);
}

/** With its jobs, for commands whose flow enqueues. */
export function withContext<T>(
  config: Config,
  warn: WarningHandler,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  return withStore(
    config,
    warn,
    ({ db }) => work(createContext(db, createJobs(db, { safetyNetSeconds: 0 }))),
    { mustExist: true },
  );
}
