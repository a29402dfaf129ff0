// account create|list|show, credits add, ledger verify: who may ask, and with what money.

import { openAccount } from '@mxproof/server/flow/open-account.ts';
import { StartRefused } from '@mxproof/server/start-refused.ts';
import { type Account, allAccounts, findAccount, grantCredits } from '@mxproof/server/store/accounts.ts';
import { verifyLedger } from '@mxproof/server/store/ledger.ts';
import { readArguments, readCount, readId } from './arguments.ts';
import { dateOf, plain, printJson, printLine, printTable } from './print.ts';
import { UsageError } from './usage.ts';
import { withStore } from './with-store.ts';

const MAX_NAME_LENGTH = 200;

export async function accountCreate(args: readonly string[]): Promise<void> {
  const { flags } = readArguments(args, [], { name: 'text', credits: 'text', json: 'switch' });
  const name = flags.name?.trim();
  if (!name) throw new UsageError('--name is missing.');
  if (name.length > MAX_NAME_LENGTH)
    throw new UsageError(`--name must have at most ${MAX_NAME_LENGTH} characters.`);
  const credits = readCount('--credits', flags.credits, 0) ?? 0;
  const opened = await withStore(({ db, box }) => openAccount(db, box, { name, credits }));
  if (flags.json) {
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
  printLine('The key is shown this once: only its hash is kept.');
}

function onWire(account: Account): Record<string, unknown> {
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

export async function accountList(args: readonly string[]): Promise<void> {
  const { flags } = readArguments(args, [], { json: 'switch' });
  const accounts = await withStore(({ db }) => allAccounts(db));
  if (flags.json) printJson(accounts.map(onWire));
  else printTable([HEADING, ...accounts.map(row)]);
}

export async function accountShow(args: readonly string[]): Promise<void> {
  const { words, flags } = readArguments(args, ['<account>'], { json: 'switch' });
  const account = await withStore(({ db }) =>
    existingAccount(findAccount(db, readId('The account', words[0]))),
  );
  if (flags.json) printJson(onWire(account));
  else printTable([HEADING, row(account)]);
}

export async function creditsAdd(args: readonly string[]): Promise<void> {
  const { words, flags } = readArguments(args, ['<account>', '<credits>'], { note: 'text', json: 'switch' });
  const id = readId('The account', words[0]);
  const amount = readCount('The number of credits', words[1], 1)!;
  const account = await withStore(({ db }) =>
    db.transaction(async (tx) => {
      await grantCredits(tx, id, amount, flags.note ?? '');
      return existingAccount(findAccount(tx, id));
    }),
  );
  if (flags.json) printJson(onWire(account));
  else printLine(`Account ${account.id} now has ${account.credits} credits.`);
}

async function existingAccount(found: Promise<Account | null>): Promise<Account> {
  const account = await found;
  if (account === null)
    throw new StartRefused('There is no such account: "mxproof account list" shows them.');
  return account;
}

/** Exit status 1 when something differs, so that a monitor can call it. */
export async function ledgerVerify(args: readonly string[]): Promise<void> {
  const { flags } = readArguments(args, [], { json: 'switch' });
  const found = await withStore(({ db }) => verifyLedger(db));
  if (flags.json) printJson(found);
  else {
    for (const each of found.differences)
      printLine(`${each.what}: stored ${each.stored}, recomputed ${each.recomputed}`);
    const differing =
      found.differences.length === 0 ? 'everything agrees' : `${found.differences.length} differences`;
    printLine(`${found.accounts} accounts, ${found.lists} lists: ${differing}.`);
  }
  if (found.differences.length > 0) process.exitCode = 1;
}
