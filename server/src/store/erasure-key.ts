// The key of the hashes by which erased addresses are known.
// Promise: at rest it is sealed with the secret key, from the first process on that opens the store with one; a backup without
// the secret key says nothing of who was erased, not even to one who guesses.
import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

import type { Tx } from './database.ts';
import { type Sealer, type SecretBox, WrongSecretKey } from './secret-box.ts';
import { ensureSecretKey } from './webhook-secrets.ts';

/** Of the key itself. */
export const KEY_BINDING = 'erasures';
const KEY_BYTES = 32;
const ID_CHARACTERS = 16;

export interface ErasureKey {
  readonly secret: KeyObject;
  /** Tells it apart from other keys, and says nothing else about it. */
  readonly id: string;
}

/** Seals it where it is not sealed yet, in one transaction with looking which key does. Throws `WrongSecretKey`. */
export async function readErasureKey(tx: Tx, box: SecretBox): Promise<ErasureKey> {
  const sealer = await ensureSecretKey(tx, box);
  const { plain, sealed } = await readRow(tx);
  if (sealed !== null) return keyOf(Buffer.from(box.open(sealed, KEY_BINDING), 'hex'));
  await seal(tx, sealer, plain!, 'WHERE plain IS NOT NULL');
  return keyOf(plain!);
}

/** Of a store that was never started: it is not sealed yet. Null: it is. */
export async function readPlainKey(tx: Tx): Promise<ErasureKey | null> {
  const { plain } = await readRow(tx);
  return plain && keyOf(plain);
}

async function readRow(tx: Tx): Promise<{ plain: Buffer | null; sealed: Buffer | null }> {
  const [row] = await tx.query<{ plain: Buffer | null; sealed: Buffer | null }>(
    'SELECT plain, sealed FROM mxproof.erasure_key',
  );
  if (!row) throw new Error('the database has no key for erasures');
  return row;
}

/** For an operator who has lost the secret key: a new one, where the one before cannot be opened. */
export async function mendErasureKey(tx: Tx, box: SecretBox): Promise<void> {
  try {
    await readErasureKey(tx, box);
  } catch (error) {
    if (!(error instanceof WrongSecretKey)) throw error;
    await seal(tx, await ensureSecretKey(tx, box), randomBytes(KEY_BYTES), '');
    // What was to be erased cannot be read any more: it is to be asked for again.
    await tx.query('UPDATE mxproof.erasures SET done_at = now(), sealed = NULL WHERE done_at IS NULL');
    // By these hashes nothing is found any more.
    await tx.query('DELETE FROM mxproof.checked_addresses');
    await tx.query('DELETE FROM mxproof.outcomes');
  }
}

async function seal(tx: Tx, sealer: Sealer, key: Buffer, where: string): Promise<void> {
  await tx.query(`UPDATE mxproof.erasure_key SET plain = NULL, sealed = $1 ${where}`, [
    sealer.seal(key.toString('hex'), KEY_BINDING),
  ]);
}

function keyOf(bytes: Buffer): ErasureKey {
  const id = createHash('sha256').update('mxproof erasure key\n').update(bytes).digest('hex');
  return { secret: createSecretKey(bytes), id: id.slice(0, ID_CHARACTERS) };
}
