// account suspend and account resume.

import { changeAccount } from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { plain, printJson, printLine } from '../shared/print.ts';
import { NO_ACCOUNT, onWire } from './accounts.ts';
import { commandActor, withStore } from './with-store.ts';

interface Json {
  readonly json?: boolean;
}

export async function accountSuspend(accountId: number, { json }: Json): Promise<void> {
  const account = await setStatus(accountId, 'suspended');
  if (json) return printJson(onWire(account));
  printLine(`Account ${accountId} (${plain(account.name)}) is suspended: it can start nothing new.`);
  printLine('It can still read and delete what it has, and its unfinished lists continue. To resume it:');
  printLine(`  mxproof account resume ${accountId}`);
}

export async function accountResume(accountId: number, { json }: Json): Promise<void> {
  const account = await setStatus(accountId, 'active');
  if (json) return printJson(onWire(account));
  printLine(`Account ${accountId} (${plain(account.name)}) is active.`);
}

async function setStatus(accountId: number, status: 'active' | 'suspended') {
  const changed = await withStore(({ db }) => changeAccount(db, commandActor(), accountId, { status }));
  if (changed.kind !== 'changed') throw new OperatorError(NO_ACCOUNT);
  return changed.details.account;
}
