// Opens the store for one operator command, migrated, whether or not a service is running.

import { type StoreUse, type WarningHandler, withDatabase } from '../embedded/with-database.ts';
import { keepAndMigrate } from '../features/backup/before-upgrade.ts';
import { type Context, createContext } from '../flow/context.ts';
import type { Config } from '../settings/config.ts';
import { loadSecretKey } from '../settings/secret-key.ts';
import type { Database } from '../store/database.ts';
import { createJobs } from '../store/jobs.ts';
import { migrate } from '../store/migrate.ts';
import { createSecretBox, type SecretBox } from '../store/secret-box.ts';

export type { StoreUse };

export interface CommandStore {
  readonly config: Config;
  readonly db: Database;
  readonly box: SecretBox;
  /** Versions of the database's shape before and now. */
  readonly migrated: { readonly from: number; readonly to: number };
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
    ({ db }) => work(createContext(db, createJobs(db, { safetyNetSeconds: 0 }), null)),
    { mustExist: true },
  );
}
