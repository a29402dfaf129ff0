// The database of a store for as long as one command runs, embedded or at DATABASE_URL.
// Promise: whatever was started or opened is closed again, even if the command fails.
import { type Database, openDatabase } from '../store/database.ts';
import { refusePooler } from '../store/refuse-pooler.ts';
import { useEmbedded } from './use-embedded.ts';

const POOL_SIZE = 3;

/** Called with what the operator should read. */
export type WarningHandler = (line: string) => void;

/** Of the configuration. */
export interface StorePlace {
  /** Null: the embedded one. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly warnings: readonly string[];
}

export interface StoreUse {
  /** False: an embedded store that is not there yet is made. */
  readonly mustExist?: boolean;
}

/** As it is: not migrated, perhaps with nothing in it. */
export async function withDatabase<T>(
  config: StorePlace,
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
