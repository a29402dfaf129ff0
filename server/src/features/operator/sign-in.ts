// Signs an operator's browser in, with a key or a one-time link.
// Promise: the secrets in the answer are stored nowhere; a link that was redeemed has made exactly one session.
import { randomBytes } from 'node:crypto';
import type { SessionSecrets } from '../../flow/sign-in.ts';
import { readAdminKey } from '../../rules/api-key.ts';
import type { Actor, CameFrom } from '../../rules/audit.ts';
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
  endOperatorSignIns,
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
  from: CameFrom,
  link: Buffer,
  { before }: { readonly before: Buffer | null },
): Promise<SessionSecrets | null> {
  return db.transaction(async (tx) =>
    (await takeOperatorLink(tx, link)) ? begin(tx, from, null, before) : null,
  );
}

/** The same with a key; null: not a valid one, or not from there. */
export async function signInWithAdminKey(
  db: Database,
  from: CameFrom,
  adminKey: string,
  before: Buffer | null,
): Promise<(SessionSecrets & { readonly scope: AdminScope }) | null> {
  const hash = readAdminKey(adminKey);
  if (hash === null) return null;
  return db.transaction(async (tx) => {
    const [found] = await findAdminKeys(tx, [hash]);
    if (!found || (found.allowedIps !== null && !isWithin(from.client ?? '', found.allowedIps))) return null;
    return { ...(await begin(tx, from, found.keyId, before)), scope: found.scope };
  });
}

async function begin(
  tx: Tx,
  from: CameFrom,
  keyId: number | null,
  before: Buffer | null,
): Promise<SessionSecrets> {
  if (before) await endOperatorSession(tx, before);
  const { token, proof, hash } = makeSession(randomBytes(SESSION_RANDOM_BYTES));
  await insertOperatorSession(tx, hash, keyId);
  await writeAudit(tx, operatorFrom(from, keyId), { action: 'operator.signed_in', accountId: null });
  return { token, proof };
}

/** Nothing happens where the session is over already. */
export async function signOperatorOut(
  db: Database,
  from: CameFrom,
  { hash, keyId }: Pick<OperatorSession, 'hash' | 'keyId'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await endOperatorSession(tx, hash))) return;
    await writeAudit(tx, operatorFrom(from, keyId), { action: 'operator.signed_out', accountId: null });
  });
}

/** All operators, and the links that could begin another session. Returns how many sessions. */
export async function signOperatorsOut(tx: Tx, actor: Actor): Promise<number> {
  const ended = await endOperatorSignIns(tx);
  await writeAudit(tx, actor, {
    action: 'operators.signed_out',
    accountId: null,
    changes: { sessions: [ended, 0] },
  });
  return ended;
}

/** A browser that an operator is signed in with, by this key or by a link. */
function operatorFrom(from: CameFrom, keyId: number | null): Actor {
  return { ...from, kind: 'operator', id: keyId, name: null };
}
