// Encrypts stored webhook secrets with MXPROOF_SECRET_KEY (AES-256-GCM).
// Promise: a row copied to another account cannot be decrypted, and a wrong key is reported in one sentence.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FINGERPRINT_BYTES = 16;

/** What is stored was sealed with another key. */
export class WrongSecretKey extends Error {}

export interface SecretBox {
  seal(text: string, boundTo: string): Buffer;
  open(sealed: Buffer, boundTo: string): string;
  /** Tells two keys apart, and says nothing else about them. */
  readonly fingerprint: Buffer;
}

export function createSecretBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'mxproof webhook secrets v1', 32));
  return {
    fingerprint: Buffer.from(hkdfSync('sha256', secretKey, '', 'mxproof fingerprint v1', FINGERPRINT_BYTES)),
    seal(text, boundTo) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(Buffer.from(boundTo));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, boundTo) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE_BYTES));
        decipher.setAAD(Buffer.from(boundTo));
        decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES));
        const body = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch {
        throw new WrongSecretKey(
          'Cannot decrypt a stored webhook secret: MXPROOF_SECRET_KEY is not the key it was encrypted with.',
        );
      }
    },
  };
}
