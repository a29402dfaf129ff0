// key create|list|revoke and secret rotate: what an account signs in and is signed to with.

import { addKey, rotateWebhookSecret } from '@mxproof/server/flow/open-account.ts';
import { StartRefused } from '@mxproof/server/start-refused.ts';
import { findAccount } from '@mxproof/server/store/accounts.ts';
import type { Tx } from '@mxproof/server/store/database.ts';
import { keysOf, revokeKey } from '@mxproof/server/store/keys.ts';
import { readArguments, readCount, readId } from './arguments.ts';
import { dateOf, plain, printJson, printLine, printTable } from './print.ts';
import { withStore } from './with-store.ts';

const NO_ACCOUNT = 'There is no such account: "mxproof account list" shows them.';

async function mustExist(tx: Tx, accountId: number): Promise<void> {
  if ((await findAccount(tx, accountId)) === null) throw new StartRefused(NO_ACCOUNT);
}

export async function keyCreate(args: readonly string[]): Promise<void> {
  const { words, flags } = readArguments(args, ['<account>'], {
    ...{ label: 'text', 'rate-requests': 'text', 'rate-addresses': 'text', json: 'switch' },
  } as const);
  const accountId = readId('The account', words[0]);
  const rateRequests = readCount('--rate-requests', flags['rate-requests'], 1) ?? null;
  const rateAddresses = readCount('--rate-addresses', flags['rate-addresses'], 1) ?? null;
  const made = await withStore(({ db }) =>
    db.transaction(async (tx) => {
      await mustExist(tx, accountId);
      return addKey(tx, { accountId, label: flags.label ?? '', rateRequests, rateAddresses });
    }),
  );
  if (flags.json) return printJson({ account_id: accountId, key_id: made.keyId, api_key: made.apiKey });
  printTable([
    ['key', made.keyId],
    ['API key', made.apiKey],
  ]);
  printLine('The key is shown this once: only its hash is kept.');
}

export async function keyList(args: readonly string[]): Promise<void> {
  const { words, flags } = readArguments(args, ['<account>'], { json: 'switch' });
  const accountId = readId('The account', words[0]);
  const keys = await withStore(async ({ db }) => {
    await mustExist(db, accountId);
    return keysOf(db, accountId);
  });
  if (flags.json) {
    const onWire = keys.map((key) => ({
      key_id: key.id,
      prefix: key.prefix,
      label: key.label,
      created_at: key.createdAtSeconds,
      revoked_at: key.revokedAtSeconds,
    }));
    return printJson(onWire);
  }
  const rows = keys.map((key) => [
    ...[key.id, `${key.prefix}…`, plain(key.label)],
    ...[dateOf(key.createdAtSeconds), dateOf(key.revokedAtSeconds)],
  ]);
  printTable([['key', 'begins with', 'label', 'created', 'revoked'], ...rows]);
}

export async function keyRevoke(args: readonly string[]): Promise<void> {
  const { words } = readArguments(args, ['<key>'], {});
  const keyId = readId('The key', words[0]);
  const done = await withStore(({ db }) => revokeKey(db, keyId));
  if (!done)
    throw new StartRefused(
      'There is no such key, or it was revoked before: "mxproof key list <account>" shows them.',
    );
  printLine(`Key ${keyId} is revoked.`);
}

export async function secretRotate(args: readonly string[]): Promise<void> {
  const { words, flags } = readArguments(args, ['<account>'], { json: 'switch' });
  const accountId = readId('The account', words[0]);
  const secret = await withStore(({ db, box }) => rotateWebhookSecret(db, box, accountId));
  if (secret === null) throw new StartRefused(NO_ACCOUNT);
  if (flags.json) printJson({ account_id: accountId, webhook_secret: secret });
  else printLine(`Callbacks of account ${accountId} are signed with ${secret} from now on.`);
}
