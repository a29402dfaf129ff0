// Signs an operator's browser in, with a key, a one-time link or a provider's word.
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
  type OperatorProof,
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
    (await takeOperatorLink(tx, link)) ? beginOperatorSession(tx, from, BY_LINK, before) : null,
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
    const proof = { keyId: found.keyId, subject: null };
    return { ...(await beginOperatorSession(tx, from, proof, before)), scope: found.scope };
  });
}

const BY_LINK: OperatorProof = { keyId: null, subject: null };

/** `before`: the session that the browser had, which ends. */
export async function beginOperatorSession(
  tx: Tx,
  from: CameFrom,
  proof: OperatorProof,
  before: Buffer | null,
): Promise<SessionSecrets> {
  if (before) await endOperatorSession(tx, before);
  const { hash, ...secrets } = makeSession(randomBytes(SESSION_RANDOM_BYTES));
  await insertOperatorSession(tx, hash, proof);
  await writeAudit(tx, operatorFrom(from, proof), { action: 'operator.signed_in', accountId: null });
  return secrets;
}

/** Nothing happens where the session is over already. */
export async function signOperatorOut(
  db: Database,
  from: CameFrom,
  { hash, ...proof }: OperatorProof & Pick<OperatorSession, 'hash'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await endOperatorSession(tx, hash))) return;
    await writeAudit(tx, operatorFrom(from, proof), { action: 'operator.signed_out', accountId: null });
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

/** A browser that an operator is signed in with. */
function operatorFrom(from: CameFrom, { keyId, subject }: OperatorProof): Actor {
  return { ...from, kind: 'operator', id: keyId, name: subject };
}
