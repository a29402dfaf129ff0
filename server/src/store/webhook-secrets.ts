// Webhook secrets at rest, and the fingerprint of the one key that all of them are sealed with.
// Promise: nothing is sealed with another key, by whatever process: its callbacks could never be signed.
import type { Tx } from './database.ts';
import { type SecretBox, WrongSecretKey } from './secret-box.ts';

const OTHER_KEY =
  "MXPROOF_SECRET_KEY is not the key this database's webhook secrets are encrypted with: set it to the service's value, or, if that was generated, set MXPROOF_DATA_DIR to the service's data folder.";

/** Throws `WrongSecretKey` unless this is the key; the first one that opens what is there is remembered as it. */
export async function ensureSecretKey(tx: Tx, box: SecretBox): Promise<void> {
  if (await isRemembered(tx, box)) return;
  const [first] = await tx.query<{ id: number }>(
    'SELECT id FROM mxproof.accounts WHERE test_of IS NULL ORDER BY id LIMIT 1',
  );
  if (first) await readWebhookSecret(tx, first.id, box);
  await tx.query('INSERT INTO mxproof.secret_key (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [
    box.fingerprint,
  ]);
  // Somebody else may have been first.
  await isRemembered(tx, box);
}

async function isRemembered(tx: Tx, box: SecretBox): Promise<boolean> {
  const [row] = await tx.query<{ fingerprint: Buffer }>('SELECT fingerprint FROM mxproof.secret_key');
  if (row && !row.fingerprint.equals(box.fingerprint)) throw new WrongSecretKey(OTHER_KEY);
  return row !== undefined;
}

/** For an operator who has lost the key before: from now on this is the one, and every secret must be set anew. */
export async function replaceSecretKey(tx: Tx, box: SecretBox): Promise<void> {
  await tx.query(
    'INSERT INTO mxproof.secret_key (fingerprint) VALUES ($1) ON CONFLICT (is_only) DO UPDATE SET fingerprint = $1',
    [box.fingerprint],
  );
}

/** False: no such account. */
export async function setWebhookSecret(
  tx: Tx,
  accountId: number,
  secret: string,
  box: SecretBox,
): Promise<boolean> {
  await ensureSecretKey(tx, box);
  const rows = await tx.query('UPDATE mxproof.accounts SET webhook_secret = $2 WHERE id = $1 RETURNING id', [
    accountId,
    box.seal(secret, `account ${accountId}`),
  ]);
  return rows.length === 1;
}

export async function readWebhookSecret(tx: Tx, accountId: number, box: SecretBox): Promise<string | null> {
  const [row] = await tx.query<{ webhook_secret: Buffer }>(
    'SELECT webhook_secret FROM mxproof.accounts WHERE id = $1',
    [accountId],
  );
  return row ? box.open(row.webhook_secret, `account ${accountId}`) : null;
}
