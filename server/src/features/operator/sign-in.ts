// Signs an operator's browser in with a one-time link.
// Promise: the secrets in the answer are stored nowhere; a link that was redeemed has made exactly one session.
import { randomBytes } from 'node:crypto';
import type { SessionSecrets } from '../../flow/sign-in.ts';
import type { Actor, CameFrom } from '../../rules/audit.ts';
import {
  makeSession,
  makeToken,
  SESSION_RANDOM_BYTES,
  TOKEN_RANDOM_BYTES,
} from '../../rules/bearer-token.ts';
import { writeAudit } from '../../store/audit.ts';
import type { Database, Tx } from '../../store/database.ts';
import {
  endOperatorSession,
  endOperatorSignIns,
  insertOperatorLink,
  insertOperatorSession,
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
  before: Buffer | null,
): Promise<SessionSecrets | null> {
  return db.transaction(async (tx) => {
    if (!(await takeOperatorLink(tx, link))) return null;
    if (before) await endOperatorSession(tx, before);
    const { token, proof, hash } = makeSession(randomBytes(SESSION_RANDOM_BYTES));
    await insertOperatorSession(tx, hash);
    await writeAudit(tx, operatorFrom(from), { action: 'operator.signed_in', accountId: null });
    return { token, proof };
  });
}

/** Nothing happens where the session is over already. */
export async function signOperatorOut(db: Database, from: CameFrom, session: Buffer): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await endOperatorSession(tx, session))) return;
    await writeAudit(tx, operatorFrom(from), { action: 'operator.signed_out', accountId: null });
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
export function operatorFrom(from: CameFrom): Actor {
  return { ...from, kind: 'operator', id: null, name: null };
}
