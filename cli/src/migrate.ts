// migrate: brings the database to this version's shape, for operators who do that apart from the start.

import { readArguments } from './arguments.ts';
import { printLine } from './print.ts';
import { withStore } from './with-store.ts';

export async function migrateOnly(args: readonly string[]): Promise<void> {
  readArguments(args, [], {});
  // Opening the store for a command migrates it, under the advisory lock.
  const { from, to } = await withStore(async ({ migrated }) => migrated);
  printLine(
    from === to
      ? `The database is at version ${to} already.`
      : `The database went from version ${from} to ${to}.`,
  );
}
