// Signs a browser in, with a key or a one-time link.
// Promise: the secrets in the answer are stored nowhere; a link that was redeemed has made exactly one session.
import { randomBytes } from 'node:crypto';
import { readKey } from '../rules/api-key.ts';
import { makeSession, makeToken, SESSION_RANDOM_BYTES, TOKEN_RANDOM_BYTES } from '../rules/bearer-token.ts';
import { isWithin } from '../rules/cidr.ts';
import type { Database, Tx } from '../store/database.ts';
import { findKeyOwners } from '../store/keys.ts';
import { endSession, insertSession } from '../store/sessions.ts';
import { insertLink, takeLink } from '../store/sign-in-links.ts';

export interface SessionSecrets {
  /** For the cookie. */
  readonly token: string;
  /** For the storage of the page. */
  readonly proof: string;
}

export interface NewSession extends SessionSecrets {
  readonly accountId: number;
  readonly test: boolean;
}

/** `before`: the session the browser had, which ends. Null: not a key that may sign in, or not from there. */
export async function signInWithKey(
  db: Database,
  { apiKey, ip, before }: { apiKey: string; ip: string; before: Buffer | null },
): Promise<NewSession | null> {
  const key = readKey(apiKey);
  if (!key) return null;
  return db.transaction(async (tx) => {
    const [owner] = await findKeyOwners(tx, [key]);
    // Such a key is in a form's program, not in a person's hands.
    if (!owner || owner.access === 'verify') return null;
    if (owner.allowedIps !== null && !isWithin(ip, owner.allowedIps)) return null;
    const { accountId, keyId, test } = owner;
    return { accountId, test, ...(await begin(tx, { accountId, keyId, before })) };
  });
}

/** Null: unknown, too old or redeemed before. */
export async function redeemLink(
  db: Database,
  hash: Buffer,
  before: Buffer | null,
): Promise<SessionSecrets | null> {
  return db.transaction(async (tx) => {
    const accountId = await takeLink(tx, hash);
    return accountId === null ? null : begin(tx, { accountId, keyId: null, before });
  });
}

/** Its token, for a URL. */
export async function makeSignInLink(tx: Tx, accountId: number): Promise<string> {
  const { token, hash } = makeToken(randomBytes(TOKEN_RANDOM_BYTES));
  await insertLink(tx, accountId, hash);
  return token;
}

async function begin(
  tx: Tx,
  { accountId, keyId, before }: { accountId: number; keyId: number | null; before: Buffer | null },
): Promise<SessionSecrets> {
  if (before) await endSession(tx, before);
  const { token, proof, hash } = makeSession(randomBytes(SESSION_RANDOM_BYTES));
  await insertSession(tx, { accountId, keyId, hash });
  return { token, proof };
}
