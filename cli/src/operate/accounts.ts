// account create|list|show|rename, ledger verify: accounts.

import {
  type Account,
  type ActiveAccount,
  changeAccount,
  isTakenExternalId,
  openAccount,
  readAccountDetails,
  searchAccounts,
  type Tx,
  verifyLedger,
} from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { dateOf, plain, printJson, printLine, printTable } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { printSettings, settingsOnWire } from './account-settings.ts';
import { commandActor, withStore } from './with-store.ts';

const MAX_NAME_LENGTH = 200;
const PAGE_ACCOUNTS = 1_000;
export const TAKEN = 'Another account has this external ID: "mxproof account list --search" finds it.';
export const NO_ACCOUNT =
  'Account not found: "mxproof account list" lists all accounts. A service that starts for the first time creates account 1 within seconds.';

interface Json {
  readonly json?: boolean;
}

interface NewAccount extends Json {
  readonly name: string;
  readonly credits?: number;
  readonly note?: string;
  readonly externalId?: string;
}

export async function accountCreate(options: NewAccount): Promise<void> {
  const { credits = 0, note = '', externalId = null } = options;
  const wanted = { name: readName('--name', options.name), credits, note, externalId };
  const opened = await withStore(({ db, box }) => openAccount(db, commandActor(), box, wanted), {
    mustExist: false,
  }).catch((error: unknown) => {
    throw isTakenExternalId(error) ? new OperatorError(TAKEN) : error;
  });
  if (options.json) {
    printJson({
      account_id: opened.accountId,
      name: opened.name,
      external_id: externalId,
      credits: opened.credits,
      api_key: opened.apiKey,
      webhook_secret: opened.webhookSecret,
    });
    return;
  }
  printTable([
    ['account', opened.accountId],
    ['name', plain(opened.name)],
    ...(externalId === null ? [] : [['external ID', plain(externalId)]]),
    ['credits', opened.credits],
    ['API key', opened.apiKey],
    ['webhook secret', opened.webhookSecret],
  ]);
  printLine('The API key is shown only once: MXProof stores its hash.');
}

export async function accountRename(id: number, newName: string, { json }: Json): Promise<void> {
  const name = readName('The name', newName);
  const changed = await withStore(({ db }) => changeAccount(db, commandActor(), id, { name }));
  if (changed.kind !== 'changed') throw new OperatorError(NO_ACCOUNT);
  const { account } = changed.details;
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
    external_id: account.externalId,
    status: statusOf(account),
    credits: account.credits,
    credits_used: account.used,
    lists: account.lists,
    created_at: account.createdAtSeconds,
  };
}

function statusOf({ suspendedAtSeconds }: Account): 'active' | 'suspended' {
  return suspendedAtSeconds === null ? 'active' : 'suspended';
}

const HEADING = ['account', 'name', 'external ID', 'status', 'credits', 'used', 'lists', 'created'] as const;

function row(account: Account): (string | number)[] {
  const { id, name, externalId, credits, used, lists, createdAtSeconds } = account;
  const [called, known] = [plain(name), plain(externalId ?? '-')];
  return [id, called, known, statusOf(account), credits, used, lists, dateOf(createdAtSeconds)];
}

interface ListOptions extends Json {
  readonly search?: string;
  readonly status?: 'active' | 'suspended';
}

export async function accountList({ search, status, json }: ListOptions): Promise<void> {
  const accounts = await withStore(({ db }) => allMatching(db, search ?? null, status ?? null));
  if (json)
    return printJson(accounts.map((each) => ({ ...onWire(each), last_active_at: each.lastActiveAtSeconds })));
  if (accounts.length === 0) return printLine('No account matches.');
  printTable([HEADING, ...accounts.map(row)]);
}

/** Oldest first. One that is opened or deleted meanwhile moves the pages, and is found twice or not at all. */
async function allMatching(
  tx: Tx,
  q: string | null,
  status: 'active' | 'suspended' | null,
): Promise<ActiveAccount[]> {
  const found = new Map<number, ActiveAccount>();
  for (let offset = 0, more = true; more; ) {
    const { accounts, total } = await searchAccounts(tx, { q, status, offset, limit: PAGE_ACCOUNTS });
    for (const each of accounts) found.set(each.id, each);
    offset += accounts.length;
    more = accounts.length > 0 && offset < total;
  }
  return [...found.values()].sort((a, b) => a.id - b.id);
}

export async function accountShow(id: number, { json }: Json): Promise<void> {
  const details = await withStore(({ db }) => readAccountDetails(db, id));
  if (details === null) throw new OperatorError(NO_ACCOUNT);
  if (json) return printJson({ ...onWire(details.account), ...settingsOnWire(details) });
  printTable([HEADING, row(details.account)]);
  printSettings(details);
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
