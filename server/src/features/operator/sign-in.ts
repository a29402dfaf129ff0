// Signs an operator's browser in with a one-time link.
// Promise: the secrets in the answer are stored nowhere; a link that was redeemed has made exactly one session.
import { randomBytes } from 'node:crypto';
import type { SessionSecrets } from '../../flow/sign-in.ts';
import {
  makeSession,
  makeToken,
  SESSION_RANDOM_BYTES,
  TOKEN_RANDOM_BYTES,
} from '../../rules/bearer-token.ts';
import type { Database, Tx } from '../../store/database.ts';
import {
  endOperatorSession,
  insertOperatorLink,
  insertOperatorSession,
  takeOperatorLink,
} from './stored-sign-ins.ts';

/** Its token, for a URL. */
export async function makeOperatorLink(tx: Tx): Promise<string> {
  const { token, hash } = makeToken(randomBytes(TOKEN_RANDOM_BYTES));
  await insertOperatorLink(tx, hash);
  return token;
}

/** `before`: the session the browser had, which ends. Null: unknown, too old or redeemed before. */
export async function redeemOperatorLink(
  db: Database,
  link: Buffer,
  before: Buffer | null,
): Promise<SessionSecrets | null> {
  return db.transaction(async (tx) => {
    if (!(await takeOperatorLink(tx, link))) return null;
    if (before) await endOperatorSession(tx, before);
    const { token, proof, hash } = makeSession(randomBytes(SESSION_RANDOM_BYTES));
    await insertOperatorSession(tx, hash);
    return { token, proof };
  });
}
