// Webhook secrets at rest, and the fingerprint of the one key that all of them are sealed with.
// Promise: nothing is sealed with another key, by whatever process: its callbacks could never be signed.
import type { Tx } from './database.ts';
import { type Sealer, type SecretBox, WrongSecretKey } from './secret-box.ts';

const OTHER_KEY =
  "MXPROOF_SECRET_KEY is not the key this database's webhook secrets are encrypted with: set it to the service's value, or, if that was generated, set MXPROOF_DATA_DIR to the service's data folder.";

/**
 * What seals, until the transaction ends: a rotation waits for those that have begun with the key before. Throws `WrongSecretKey`
 * unless the key is in the box; the first one that opens what is there is remembered as it.
 */
export async function ensureSecretKey(tx: Tx, box: SecretBox): Promise<Sealer> {
  const known = await rememberedSealer(tx, box, 'FOR SHARE');
  if (known !== null) return known;
  const [first] = await tx.query<{ id: number }>(
    `SELECT id FROM mxproof.accounts WHERE test_of IS NULL AND webhook_secret <> '' ORDER BY id LIMIT 1`,
  );
  if (first) await readWebhookSecrets(tx, first.id, box);
  await tx.query('INSERT INTO mxproof.secret_key (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING', [
    box.fingerprint,
  ]);
  // A concurrent start may have stored another key first.
  return (await rememberedSealer(tx, box, 'FOR SHARE'))!;
}

/** Of a process that is to live on: it opens what either key of an unfinished rotation has sealed. */
export async function ensureSecretKeys(tx: Tx, box: SecretBox): Promise<void> {
  await ensureSecretKey(tx, box);
  const previous = (await keysInUse(tx))?.previous ?? null;
  if (previous !== null && box.sealer(previous) === null)
    throw new WrongSecretKey(
      'A rotation of the secret key is not finished, and this node has the new key only: set MXPROOF_SECRET_KEY to the key before and MXPROOF_SECRET_KEY_NEXT to the new one, and run "mxproof secret-key rotate" to its end.',
    );
}

/** Fingerprints; null: nothing has been sealed yet. `previous`: of the key before, while a rotation goes on. */
export async function keysInUse(tx: Tx): Promise<{ fingerprint: Buffer; previous: Buffer | null } | null> {
  const [row] = await tx.query<{ fingerprint: Buffer; previous: Buffer | null }>(
    'SELECT fingerprint, previous FROM mxproof.secret_key',
  );
  return row ?? null;
}

/** Of a store of any version; null: nothing has been sealed yet. */
export async function fingerprintInUse(tx: Tx): Promise<Buffer | null> {
  const [row] = await tx.query<{ fingerprint: Buffer }>('SELECT fingerprint FROM mxproof.secret_key');
  return row?.fingerprint ?? null;
}

/** Of a store of any version. */
export async function isRotating(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ is: boolean }>(
    `SELECT to_jsonb(k) ->> 'previous' IS NOT NULL AS is FROM mxproof.secret_key k`,
  );
  return row?.is ?? false;
}

/** Null: no key is remembered yet. */
async function rememberedSealer(tx: Tx, box: SecretBox, lock: 'FOR SHARE' | ''): Promise<Sealer | null> {
  const [row] = await tx.query<{ fingerprint: Buffer }>(`SELECT fingerprint FROM mxproof.secret_key ${lock}`);
  if (!row) return null;
  const sealer = box.sealer(row.fingerprint);
  if (sealer === null) throw new WrongSecretKey(OTHER_KEY);
  return sealer;
}

/** Whether this is the key that what is stored is sealed with; `unused`: nothing is. Changes nothing. */
export async function trySecretKey(tx: Tx, box: SecretBox): Promise<'opens' | 'other key' | 'unused'> {
  const [table] = await tx.query<{ exists: boolean }>(
    `SELECT to_regclass('mxproof.secret_key') IS NOT NULL AS exists`,
  );
  if (!table?.exists) return 'unused';
  try {
    const isKnown = (await rememberedSealer(tx, box, '')) !== null;
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
    `INSERT INTO mxproof.secret_key (fingerprint) VALUES ($1)
     ON CONFLICT (is_only) DO UPDATE SET fingerprint = $1, previous = NULL`,
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
  const sealer = await ensureSecretKey(tx, box);
  const rows = await tx.query(
    `UPDATE mxproof.accounts SET webhook_secret = $2, previous_webhook_secret = nullif(webhook_secret, ''),
       previous_webhook_secret_until = now() + make_interval(hours => ${PREVIOUS_SECRET_HOURS})
     WHERE id = $1 AND test_of IS NULL AND deleted_at IS NULL RETURNING id`,
    [accountId, sealer.seal(secret, accountBinding(accountId))],
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
  return sealed.map((each) => box.open(each, accountBinding(row.id)));
}

export const accountBinding = (id: number) => `account ${id}`;
