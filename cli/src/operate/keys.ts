// key create|list|revoke, secret rotate and secret rotate-all: an account's credentials.

import {
  addKey,
  findAccount,
  type KeyAccess,
  keysOf,
  revokeKey,
  rotateAllWebhookSecrets,
  rotateWebhookSecret,
  type Tx,
} from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { dateOf, plain, printJson, printLine, printTable } from '../shared/print.ts';
import { NO_ACCOUNT } from './accounts.ts';
import { commandActor, withStore } from './with-store.ts';

async function mustExist(tx: Tx, accountId: number): Promise<void> {
  const account = await findAccount(tx, accountId);
  if (account === null || account.test) throw new OperatorError(NO_ACCOUNT);
}

interface Json {
  readonly json?: boolean;
}

interface NewKey extends Json {
  readonly label?: string;
  readonly test?: boolean;
  /** False: `--no-manage`. */
  readonly manage: boolean;
  readonly access?: KeyAccess;
  readonly expires?: number;
  readonly allowIp?: readonly string[];
  readonly rateRequests?: number;
  readonly rateAddresses?: number;
}

export async function keyCreate(accountId: number, options: NewKey): Promise<void> {
  const { label = '', test = false, access = 'full', rateRequests = null, rateAddresses = null } = options;
  const manage = options.manage && access === 'full';
  const { expires: expiresAtSeconds = null, allowIp: allowedIps = null } = options;
  const made = await withStore(({ db }) =>
    db.transaction(async (tx) => {
      await mustExist(tx, accountId);
      const limits = { expiresAtSeconds, allowedIps, rateRequests, rateAddresses };
      return addKey(tx, commandActor(), { accountId, label, test, manage, access, ...limits });
    }),
  );
  if (options.json) return printJson({ account_id: accountId, key_id: made.key.id, api_key: made.apiKey });
  printTable([
    ['key', made.key.id],
    ['API key', made.apiKey],
  ]);
  printLine('The API key is shown only once: MXProof stores its hash.');
}

export async function keyList(accountId: number, { json }: Json): Promise<void> {
  const keys = await withStore(async ({ db }) => {
    await mustExist(db, accountId);
    return keysOf(db, accountId, { revoked: true });
  });
  if (json) {
    const onWire = keys.map((key) => ({
      key_id: key.id,
      prefix: key.prefix,
      label: key.label,
      test: key.test,
      manage: key.manage,
      access: key.access,
      created_at: key.createdAtSeconds,
      last_used_at: key.lastUsedAtSeconds,
      expires_at: key.expiresAtSeconds,
      allowed_ips: key.allowedIps,
      revoked_at: key.revokedAtSeconds,
    }));
    return printJson(onWire);
  }
  const rows = keys.map((key) => [
    ...[key.id, `${key.prefix}…`, plain(key.label), key.access],
    ...[dateOf(key.createdAtSeconds), dateOf(key.lastUsedAtSeconds), dateOf(key.expiresAtSeconds)],
    dateOf(key.revokedAtSeconds),
  ]);
  const dates = ['created', 'last used', 'expires', 'revoked'];
  printTable([['key', 'begins with', 'label', 'access', ...dates], ...rows]);
}

export async function keyRevoke(keyId: number, { json }: Json): Promise<void> {
  const done = await withStore(({ db }) => revokeKey(db, commandActor(), keyId, null));
  if (!done)
    throw new OperatorError(
      'Key not found or already revoked: "mxproof key list <account>" lists the keys of an account.',
    );
  if (json) printJson({ key_id: keyId, revoked: true });
  else printLine(`Key ${keyId} revoked.`);
}

export async function secretRotate(accountId: number, { json }: Json): Promise<void> {
  const secret = await withStore(({ db, box }) =>
    db.transaction((tx) => rotateWebhookSecret(tx, commandActor(), box, accountId)),
  );
  if (secret === null) throw new OperatorError(NO_ACCOUNT);
  if (json) printJson({ account_id: accountId, webhook_secret: secret });
  else printLine(`New webhook secret of account ${accountId}: ${secret}`);
}

/** After the key was lost: what is sealed cannot be opened any more, and every receiver needs a new secret. */
export async function secretRotateAll({ json }: Json): Promise<void> {
  const rotated = await withStore(({ db, box }) => rotateAllWebhookSecrets(db, commandActor(), box));
  if (json)
    return printJson(
      rotated.map(({ accountId, secret }) => ({ account_id: accountId, webhook_secret: secret })),
    );
  printTable([
    ['account', 'new webhook secret'],
    ...rotated.map(({ accountId, secret }) => [accountId, secret]),
  ]);
}
