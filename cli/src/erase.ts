// erase: an address goes from every account, and the operator reads what may still hold it.

import { eraseEverywhere } from '@mxproof/server/operate';
import { printJson, printLine } from './print.ts';
import { UsageError } from './usage-error.ts';
import { withStore } from './with-store.ts';

export async function erase(
  address: string,
  { yes, json }: { readonly yes?: boolean; readonly json?: boolean },
): Promise<void> {
  if (!yes)
    throw new UsageError(
      'What is erased cannot be brought back: add --yes to erase the address from the lists of all accounts.',
    );
  const { lists, rows, backups, keep } = await withStore(async (store) => ({
    ...(await eraseEverywhere(store, address)),
    keep: store.config.backupDir === null ? null : store.config.backupKeep,
  }));
  const { count, newestMadeAt, unwritten } = backups;
  for (const folder of unwritten)
    process.stderr.write(
      `Cannot write ${folder}/erasures: copy the file "erasures" of another backup there, or a restore of those in this folder brings the address back.\n`,
    );
  if (json)
    return printJson({
      lists,
      rows,
      backups: count,
      backups_kept: keep,
      newest_backup_at: newestMadeAt?.toISOString() ?? null,
    });
  printLine(`Erased from ${lists} lists (${rows} rows).`);
  if (count > 0) printLine(heldBy(count, keep));
  printLine(
    "PostgreSQL's write-ahead log holds it until it is overwritten: in the embedded store by the next 1 GB of changes at the latest; in yours as long as you keep archives and standbys.",
  );
}

function heldBy(count: number, keep: number | null): string {
  const until =
    keep === null ? 'until you remove them' : `until they are removed: nightly ones after ${keep} nights`;
  return `${count} backups that were made before hold it ${until}. A restore of one erases it again, by the file "erasures" beside it.`;
}
