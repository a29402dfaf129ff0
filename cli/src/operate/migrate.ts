// migrate: for operators who migrate the database separately from the start.

import { printJson, printLine } from '../shared/print.ts';
import { withStore } from './with-store.ts';

export async function migrateOnly({ json }: { readonly json?: boolean }): Promise<void> {
  // Opening the store for a command migrates it, under the advisory lock.
  const { from, to } = await withStore(async ({ migrated }) => migrated, { mustExist: false });
  if (json) return printJson({ from, to });
  printLine(
    from === to
      ? `The database is already at version ${to}.`
      : `Migrated the database from version ${from} to ${to}.`,
  );
}
