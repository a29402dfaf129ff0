// erase: an address goes from every account, and the operator reads what may still hold it.

import { eraseEverywhere } from '@mxproof/server/operate';
import { counted, printJson, printLine } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { commandActor, withStore } from './with-store.ts';

export async function erase(
  address: string,
  { yes, json }: { readonly yes?: boolean; readonly json?: boolean },
): Promise<void> {
  if (!yes)
    throw new UsageError(
      'What is erased cannot be brought back: add --yes to erase the address from the lists of all accounts.',
    );
  const { lists, rows, backups, keep } = await withStore(async (store) => ({
    ...(await eraseEverywhere(store, commandActor(), address)),
    keep: store.config.backupDir === null ? null : store.config.backupKeep,
  }));
  const { count, newestMadeAt, unwritten, folders } = backups;
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
      copies_of_0_1: folders,
    });
  printLine(
    rows === 0
      ? 'No list has this address. From now on it is known as erased: a restore of a backup with it erases it.'
      : `Erased from ${counted(lists, 'list')} (${counted(rows, 'row')}).`,
  );
  if (count > 0) printLine(heldBy(count, keep));
  for (const folder of folders)
    printLine(`${folder}, the copy from before the upgrade of MXProof 0.1, holds it until you remove it.`);
  printLine(
    "PostgreSQL's write-ahead log and the free space in its files hold it until they are overwritten: the log of the embedded store by the next 1 GB of changes at the latest, that of a database of your own as long as you keep archives and standbys.",
  );
}

function heldBy(count: number, keep: number | null): string {
  const [which, them] = count === 1 ? ['The backup', 'it'] : [`The ${count} backups`, 'them'];
  const nightly = keep === null ? '' : `, and nightly ones for ${counted(keep, 'night')}`;
  return `${which} made before may hold it until you remove ${them}${nightly}. A restore erases it again, by the file "erasures" beside the backup.`;
}
