// account delete: an account goes, with everything that is its own.
// Promise: it ends when nothing is left to remove, with or without a running service; cut off anywhere, it goes on when it is run
// again, and the nodes of a service go on by themselves.
import { type Account, deleteAccount, findAccount, removeAccountStep } from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { counted, plain, printJson, printLine } from '../shared/print.ts';
import { createProgress } from '../shared/progress.ts';
import { UsageError } from '../shared/usage-error.ts';
import { existingAccount, NO_ACCOUNT } from './accounts.ts';
import { commandActor, withStore } from './with-store.ts';

export async function accountDelete(
  accountId: number,
  { yes, json }: { readonly yes?: boolean; readonly json?: boolean },
): Promise<void> {
  if (!yes) {
    const account = await withStore(({ db }) => existingAccount(findAccount(db, accountId)));
    throw new UsageError(whatGoes(account));
  }
  const progress = createProgress(null, process.stderr.isTTY && !json, 'steps done');
  await withStore(async ({ db }) => {
    const deleted = await deleteAccount({ db }, commandActor(), accountId, { forMs: 0 });
    let { more } = await removeAccountStep({ db }, accountId);
    // Of one that was deleted before, something may be left.
    if (deleted === 'no_account' && !more) throw new OperatorError(NO_ACCOUNT);
    for (; more; progress.step()) ({ more } = await removeAccountStep({ db }, accountId));
  });
  progress.clear();
  if (json) return printJson({ account_id: accountId, deleted: true });
  printLine(`Account ${accountId} is deleted, with its keys, browsers, lists and results.`);
  printLine(
    'A row without a name, its ledger and the audit trail stay. Earlier backups still contain all of its data.',
  );
}

function whatGoes({ id, name, credits, lists }: Account): string {
  return `Account ${id} (${plain(name)}) has ${counted(credits, 'credit')} and ${counted(lists, 'list')}. Deleting it cannot be undone: its keys, sessions, lists and results are removed, and unfinished lists end and are refunded. A row without a name stays, with the ledger and the audit trail. Add --yes to delete it.`;
}
