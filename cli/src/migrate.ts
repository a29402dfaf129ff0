// migrate: for operators who migrate the database separately from the start.

import { printLine } from './print.ts';
import { withStore } from './with-store.ts';

export async function migrateOnly(): Promise<void> {
  // Opening the store for a command migrates it, under the advisory lock.
  const { from, to } = await withStore(async ({ migrated }) => migrated);
  printLine(
    from === to
      ? `The database is already at version ${to}.`
      : `Migrated the database from version ${from} to ${to}.`,
  );
}
