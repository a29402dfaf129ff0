// admin key create|list|revoke: keys of the operator's programs.

import {
  type AdminKeyInfo,
  type AdminScope,
  adminKeys,
  createAdminKey,
  endAdminKey,
} from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { dateOf, plain, printJson, printLine, printTable } from '../shared/print.ts';
import { commandActor, withStore } from './with-store.ts';

interface Json {
  readonly json?: boolean;
}

interface NewAdminKey extends Json {
  readonly scope: AdminScope;
  readonly label?: string;
  readonly expires?: number;
  readonly allowIp?: readonly string[];
}

export async function adminKeyCreate(options: NewAdminKey): Promise<void> {
  const { scope, label = '', expires = null, allowIp = null } = options;
  const wanted = { scope, label, expiresAtSeconds: expires, allowedIps: allowIp };
  const { key, adminKey } = await withStore(({ db }) => createAdminKey(db, commandActor(), wanted), {
    mustExist: false,
  });
  if (options.json) return printJson({ key_id: key.id, scope, admin_key: adminKey });
  printTable([
    ['key', key.id],
    ['scope', scope],
    ['admin key', adminKey],
  ]);
  printLine('The admin key is shown only once: MXProof stores its hash.');
  if (scope === 'write')
    printLine(
      'It may do everything that an operator may, including deleting accounts: store it like the root password.',
    );
}

export async function adminKeyList({ json }: Json): Promise<void> {
  const keys = await withStore(({ db }) => adminKeys(db));
  if (json) return printJson(keys.map(onWire));
  if (keys.length === 0)
    return printLine('No admin keys: "mxproof admin key create --scope read" makes one.');
  const rows = keys.map((key) => [
    ...[key.id, `${key.prefix}…`, plain(key.label), key.scope],
    ...[dateOf(key.createdAtSeconds), dateOf(key.lastUsedAtSeconds), dateOf(key.expiresAtSeconds)],
    dateOf(key.revokedAtSeconds),
  ]);
  const dates = ['created', 'last used', 'expires', 'revoked'];
  printTable([['key', 'begins with', 'label', 'scope', ...dates], ...rows]);
}

export async function adminKeyRevoke(keyId: number, { json }: Json): Promise<void> {
  const isDone = await withStore(({ db }) => endAdminKey(db, commandActor(), keyId));
  if (!isDone)
    throw new OperatorError(
      'Admin key not found or already revoked: "mxproof admin key list" lists them. Keys of accounts are revoked by "mxproof key revoke".',
    );
  if (json) printJson({ key_id: keyId, revoked: true });
  else printLine(`Admin key ${keyId} revoked; the browser sessions that were started with it have ended.`);
}

function onWire(key: AdminKeyInfo): Record<string, unknown> {
  return {
    key_id: key.id,
    prefix: key.prefix,
    label: key.label,
    scope: key.scope,
    created_at: key.createdAtSeconds,
    last_used_at: key.lastUsedAtSeconds,
    expires_at: key.expiresAtSeconds,
    allowed_ips: key.allowedIps,
    revoked_at: key.revokedAtSeconds,
  };
}
