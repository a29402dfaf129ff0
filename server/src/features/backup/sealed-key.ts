// The secret key inside a backup, sealed with the operator's passphrase: a restored store needs it to sign callbacks.
// Promise: without the passphrase the file says nothing about the key; a wrong one is one sentence.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { OperatorError } from '../../rules/operator-error.ts';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** About 64 MB and a quarter of a second for each guess. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export async function sealKey(secretKey: string, passphrase: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', await derive(passphrase, salt, KEY_BYTES, SCRYPT), nonce);
  const body = Buffer.concat([cipher.update(secretKey, 'utf8'), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), body]).toString('base64');
}

export async function openKey(sealed: string, passphrase: string): Promise<string> {
  const bytes = Buffer.from(sealed, 'base64');
  const at = (from: number, length?: number) =>
    bytes.subarray(from, length === undefined ? undefined : from + length);
  try {
    const key = await derive(passphrase, at(0, SALT_BYTES), KEY_BYTES, SCRYPT);
    const decipher = createDecipheriv('aes-256-gcm', key, at(SALT_BYTES, NONCE_BYTES));
    decipher.setAuthTag(at(SALT_BYTES + NONCE_BYTES, TAG_BYTES));
    const body = at(SALT_BYTES + NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  } catch {
    throw new OperatorError(
      'MXPROOF_BACKUP_PASSPHRASE is not the one that the secret key in this backup is sealed with.',
    );
  }
}
