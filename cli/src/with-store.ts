// Opens the store for one operator command, whether or not a service is running, embedded or DATABASE_URL.
// Promise: whatever was started or opened is closed again, even if the command fails.

import { type Config, readConfig } from '@mxproof/server/config.ts';
import { loadSecretKey } from '@mxproof/server/secret-key.ts';
import { type Database, openDatabase } from '@mxproof/server/store/database.ts';
import { useEmbedded } from '@mxproof/server/store/embedded/use-embedded.ts';
import { migrate } from '@mxproof/server/store/migrate.ts';
import { createSecretBox, type SecretBox } from '@mxproof/server/store/secret-box.ts';

const POOL_SIZE = 3;

export interface OpenStore {
  readonly db: Database;
  readonly box: SecretBox;
  readonly config: Config;
  /** Versions of the database's shape before and now. */
  readonly migrated: { readonly from: number; readonly to: number };
}

const log = {
  debug() {},
  info() {},
  warn: (line: string) => process.stderr.write(`${line}\n`),
};

export async function withStore<T>(work: (store: OpenStore) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const embedded = config.databaseUrl === null ? await useEmbedded(config.dataDir, log) : null;
  try {
    const url = embedded?.connectionString ?? config.databaseUrl!;
    const db = openDatabase({
      url,
      poolSize: POOL_SIZE,
      applicationName: 'mxproof command',
      // Recomputing a large ledger takes its time.
      answerTimeoutMs: 0,
      onError: () => {},
    });
    try {
      const migrated = await migrate(db);
      let box: SecretBox | undefined;
      return await work({
        db,
        config,
        migrated,
        // Only for those who seal: a look at the accounts must not generate a key.
        get box() {
          box ??= createSecretBox(loadSecretKey(config, log.warn));
          return box;
        },
      });
    } finally {
      await db.close();
    }
  } finally {
    await embedded?.release();
  }
}
