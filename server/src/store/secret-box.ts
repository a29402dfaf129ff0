// Encrypts what is secret in the store with MXPROOF_SECRET_KEY (AES-256-GCM).
// Promise: a row copied to another account cannot be decrypted, and a wrong key is reported in one sentence. While the key is
// rotated, what either key has sealed is opened; what seals is one of them, which the store names (webhook-secrets.ts).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FINGERPRINT_BYTES = 16;

/** What is stored was sealed with another key. */
export class WrongSecretKey extends Error {}

export interface Sealer {
  /** Tells two keys apart, and says nothing else about them. */
  readonly fingerprint: Buffer;
  seal(text: string, boundTo: string): Buffer;
}

export interface SecretBox {
  open(sealed: Buffer, boundTo: string): string;
  /** Of the first key: that of a store which has not been sealed with any. */
  readonly fingerprint: Buffer;
  /** Of all keys that are there now. */
  fingerprints(): Buffer[];
  /** With the key of this fingerprint; null: it is not there. */
  sealer(fingerprint: Buffer): Sealer | null;
}

interface Key extends Sealer {
  /** Null: another key has sealed it. */
  open(sealed: Buffer, boundTo: string): string | null;
}

/** `keys`: the first one, or all as they are when they are asked for: a rotation puts another one beside it. */
export function createSecretBox(keys: string | (() => readonly string[])): SecretBox {
  const read = typeof keys === 'string' ? () => [keys] : keys;
  let known = new Map<string, Key>();
  function readAgain(): Key[] {
    known = new Map(read().map((text) => [text, known.get(text) ?? createKey(text)]));
    return [...known.values()];
  }
  readAgain();
  return {
    get fingerprint() {
      return [...known.values()][0]!.fingerprint;
    },
    fingerprints: () => readAgain().map(({ fingerprint }) => fingerprint),
    sealer(fingerprint) {
      const isIt = (key: Key) => key.fingerprint.equals(fingerprint);
      return [...known.values()].find(isIt) ?? readAgain().find(isIt) ?? null;
    },
    open(sealed, boundTo) {
      for (const ready of [() => [...known.values()], readAgain])
        for (const key of ready()) {
          const text = key.open(sealed, boundTo);
          if (text !== null) return text;
        }
      throw new WrongSecretKey(
        'Cannot decrypt a stored webhook secret: MXPROOF_SECRET_KEY is not the key it was encrypted with.',
      );
    },
  };
}

export function fingerprintOf(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'mxproof fingerprint v1', FINGERPRINT_BYTES));
}

function createKey(secretKey: string): Key {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'mxproof webhook secrets v1', 32));
  return {
    fingerprint: fingerprintOf(secretKey),
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
        return null;
      }
    },
  };
}
