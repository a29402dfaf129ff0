// Signs an operator's browser in, with a key or a one-time link.
// Promise: the secrets in the answer are stored nowhere; a link that was redeemed has made exactly one session.
import { randomBytes } from 'node:crypto';
import type { SessionSecrets } from '../../flow/sign-in.ts';
import { readAdminKey } from '../../rules/api-key.ts';
import type { Actor } from '../../rules/audit.ts';
import {
  makeSession,
  makeToken,
  SESSION_RANDOM_BYTES,
  TOKEN_RANDOM_BYTES,
} from '../../rules/bearer-token.ts';
import { isWithin } from '../../rules/cidr.ts';
import { writeAudit } from '../../store/audit.ts';
import type { Database, Tx } from '../../store/database.ts';
import { type AdminScope, findAdminKeys } from './stored-admin-keys.ts';
import {
  endOperatorSession,
  insertOperatorLink,
  insertOperatorSession,
  type OperatorSession,
  takeOperatorLink,
} from './stored-sign-ins.ts';

/** Its token, for a URL. */
export async function makeOperatorLink(tx: Tx, actor: Actor): Promise<string> {
  const { token, hash } = makeToken(randomBytes(TOKEN_RANDOM_BYTES));
  await insertOperatorLink(tx, hash);
  await writeAudit(tx, actor, { action: 'operator.link_created', accountId: null });
  return token;
}

/** `before`: the session the browser had, which ends. Null: unknown, too old or redeemed before. */
export async function redeemOperatorLink(
  db: Database,
  link: Buffer,
  before: Buffer | null,
  from: Origin,
): Promise<SessionSecrets | null> {
  return db.transaction(async (tx) =>
    (await takeOperatorLink(tx, link)) ? begin(tx, null, before, from) : null,
  );
}

/** The same with a key; null: not a valid one, or not from there. */
export async function signInWithAdminKey(
  db: Database,
  adminKey: string,
  before: Buffer | null,
  from: Origin,
): Promise<(SessionSecrets & { readonly scope: AdminScope }) | null> {
  const hash = readAdminKey(adminKey);
  if (hash === null) return null;
  return db.transaction(async (tx) => {
    const [found] = await findAdminKeys(tx, [hash]);
    if (!found || (found.allowedIps !== null && !isWithin(from.client, found.allowedIps))) return null;
    return { ...(await begin(tx, found.keyId, before, from)), scope: found.scope };
  });
}

async function begin(
  tx: Tx,
  keyId: number | null,
  before: Buffer | null,
  { client, requestId }: Origin,
): Promise<SessionSecrets> {
  if (before) await endOperatorSession(tx, before);
  const { token, proof, hash } = makeSession(randomBytes(SESSION_RANDOM_BYTES));
  await insertOperatorSession(tx, hash, keyId);
  const actor = { kind: 'operator', id: keyId, name: null, client, requestId } as const;
  await writeAudit(tx, actor, { action: 'operator.signed_in', accountId: null });
  return { token, proof };
}

/** Where a request comes from, and which it is. */
export interface Origin {
  readonly client: string;
  readonly requestId: string;
}

export function signOutOperator(
  db: Database,
  { hash, keyId }: Pick<OperatorSession, 'hash' | 'keyId'>,
  { client, requestId }: Origin,
): Promise<void> {
  return db.transaction(async (tx) => {
    await endOperatorSession(tx, hash);
    const actor = { kind: 'operator', id: keyId, name: null, client, requestId } as const;
    await writeAudit(tx, actor, { action: 'operator.signed_out', accountId: null });
  });
}
