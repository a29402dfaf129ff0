// account create|list|show|rename, ledger verify: accounts.

import {
  type Account,
  allAccounts,
  findAccount,
  openAccount,
  readAccountMail,
  renameAccount,
  verifyLedger,
} from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { dateOf, plain, printJson, printLine, printTable } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { mailOnWire, printMail } from './account-mail.ts';
import { commandActor, withStore } from './with-store.ts';

const MAX_NAME_LENGTH = 200;
export const NO_ACCOUNT =
  'Account not found: "mxproof account list" lists all accounts. A service that starts for the first time creates account 1 within seconds.';

interface Json {
  readonly json?: boolean;
}

interface NewAccount extends Json {
  readonly name: string;
  readonly credits?: number;
}

export async function accountCreate(options: NewAccount): Promise<void> {
  const name = readName('--name', options.name);
  const credits = options.credits ?? 0;
  const opened = await withStore(({ db, box }) => openAccount(db, commandActor(), box, { name, credits }), {
    mustExist: false,
  });
  if (options.json) {
    printJson({
      account_id: opened.accountId,
      name: opened.name,
      credits: opened.credits,
      api_key: opened.apiKey,
      webhook_secret: opened.webhookSecret,
    });
    return;
  }
  printTable([
    ['account', opened.accountId],
    ['name', plain(opened.name)],
    ['credits', opened.credits],
    ['API key', opened.apiKey],
    ['webhook secret', opened.webhookSecret],
  ]);
  printLine('The API key is shown only once: MXProof stores its hash.');
}

export async function accountRename(id: number, newName: string, { json }: Json): Promise<void> {
  const name = readName('The name', newName);
  const account = await withStore(({ db }) => existingAccount(renameAccount(db, id, name)));
  if (json) printJson(onWire(account));
  else printLine(`Account ${account.id} is now called ${plain(account.name)}.`);
}

function readName(what: string, given: string): string {
  const name = given.trim();
  if (name === '') throw new UsageError(`${what} must not be empty.`);
  if (name.length > MAX_NAME_LENGTH)
    throw new UsageError(`${what} must have at most ${MAX_NAME_LENGTH} characters.`);
  return name;
}

export function onWire(account: Account): Record<string, unknown> {
  return {
    account_id: account.id,
    name: account.name,
    credits: account.credits,
    credits_used: account.used,
    lists: account.lists,
    created_at: account.createdAtSeconds,
  };
}

const HEADING = ['account', 'name', 'credits', 'used', 'lists', 'created'] as const;

function row(account: Account): (string | number)[] {
  const { id, name, credits, used, lists, createdAtSeconds } = account;
  return [id, plain(name), credits, used, lists, dateOf(createdAtSeconds)];
}

export async function accountList({ json }: Json): Promise<void> {
  const accounts = await withStore(({ db }) => allAccounts(db));
  if (json) printJson(accounts.map(onWire));
  else printTable([HEADING, ...accounts.map(row)]);
}

export async function accountShow(id: number, { json }: Json): Promise<void> {
  const { account, mail } = await withStore(async ({ db }) => ({
    account: await existingAccount(findAccount(db, id)),
    mail: await readAccountMail(db, id),
  }));
  if (json) return printJson({ ...onWire(account), ...mailOnWire(mail) });
  printTable([HEADING, row(account)]);
  printMail(mail);
}

/** Throws unless it is one that operators deal with. */
export async function existingAccount(found: Promise<Account | null>): Promise<Account> {
  const account = await found;
  if (account === null || account.test) throw new OperatorError(NO_ACCOUNT);
  return account;
}

/** Exit status 1 if something differs, so that a monitor can call it. */
export async function ledgerVerify({ json }: Json): Promise<number> {
  const found = await withStore(({ db }) => verifyLedger(db));
  if (json) printJson(found);
  else {
    for (const each of found.differences)
      printLine(`${each.what}: stored ${each.stored}, recomputed ${each.recomputed}`);
    const differing =
      found.differences.length === 0 ? 'no differences' : `${found.differences.length} differences`;
    printLine(`${found.accounts} accounts, ${found.lists} lists: ${differing}.`);
  }
  return found.differences.length > 0 ? 1 : 0;
}
