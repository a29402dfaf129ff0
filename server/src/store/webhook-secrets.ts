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
  if (first) await readWebhookSecrets(tx, first.id, box);
  await tx.query('INSERT INTO mxproof.secret_key (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [
    box.fingerprint,
  ]);
  // A concurrent start may have stored another key first.
  await isRemembered(tx, box);
}

async function isRemembered(tx: Tx, box: SecretBox): Promise<boolean> {
  const [row] = await tx.query<{ fingerprint: Buffer }>('SELECT fingerprint FROM mxproof.secret_key');
  if (row && !row.fingerprint.equals(box.fingerprint)) throw new WrongSecretKey(OTHER_KEY);
  return row !== undefined;
}

/** Whether this is the key that what is stored is sealed with; `unused`: nothing is. Changes nothing. */
export async function trySecretKey(tx: Tx, box: SecretBox): Promise<'opens' | 'other key' | 'unused'> {
  const [table] = await tx.query<{ exists: boolean }>(
    `SELECT to_regclass('mxproof.secret_key') IS NOT NULL AS exists`,
  );
  if (!table?.exists) return 'unused';
  try {
    const isKnown = await isRemembered(tx, box);
    const [sealed] = await tx.query<{ id: number }>(
      `SELECT id FROM mxproof.accounts WHERE test_of IS NULL AND webhook_secret <> '' ORDER BY id LIMIT 1`,
    );
    if (sealed) await readWebhookSecrets(tx, sealed.id, box);
    return isKnown || sealed ? 'opens' : 'unused';
  } catch (error) {
    if (error instanceof WrongSecretKey) return 'other key';
    throw error;
  }
}

/** For an operator who has lost the key before: from now on this is the one, and every secret must be set anew. */
export async function replaceSecretKey(tx: Tx, box: SecretBox): Promise<void> {
  // Secrets sealed with the lost key can no longer sign.
  await tx.query(`UPDATE mxproof.accounts SET webhook_secret = '', previous_webhook_secret = NULL`);
  await tx.query(
    'INSERT INTO mxproof.secret_key (fingerprint) VALUES ($1) ON CONFLICT (is_only) DO UPDATE SET fingerprint = $1',
    [box.fingerprint],
  );
}

/** How long the secret before signs callbacks beside the new one. */
export const PREVIOUS_SECRET_HOURS = 24;

/** The secret before, if there is one, goes on signing beside it for a day. False: no such account. */
export async function setWebhookSecret(
  tx: Tx,
  accountId: number,
  secret: string,
  box: SecretBox,
): Promise<boolean> {
  await ensureSecretKey(tx, box);
  const rows = await tx.query(
    `UPDATE mxproof.accounts SET webhook_secret = $2, previous_webhook_secret = nullif(webhook_secret, ''),
       previous_webhook_secret_until = now() + make_interval(hours => ${PREVIOUS_SECRET_HOURS})
     WHERE id = $1 AND test_of IS NULL RETURNING id`,
    [accountId, box.seal(secret, `account ${accountId}`)],
  );
  return rows.length === 1;
}

/** What callbacks are signed with now, the newest first; a test twin's are its live account's. Empty: no such account. */
export async function readWebhookSecrets(tx: Tx, accountId: number, box: SecretBox): Promise<string[]> {
  const [row] = await tx.query<{ id: number; newest: Buffer; previous: Buffer | null }>(
    `SELECT live.id, live.webhook_secret AS newest,
       CASE WHEN live.previous_webhook_secret_until > now() THEN live.previous_webhook_secret END AS previous
     FROM mxproof.accounts a JOIN mxproof.accounts live ON live.id = coalesce(a.test_of, a.id) WHERE a.id = $1`,
    [accountId],
  );
  if (!row) return [];
  const sealed = row.previous === null ? [row.newest] : [row.newest, row.previous];
  return sealed.map((each) => box.open(each, `account ${row.id}`));
}
