// A backup encrypted whole, as a file of age's format (https://age-encryption.org/v1), which the command `age` opens, too.
// Promise: nothing of it is used that was not written with the passphrase, or for the identity's recipient; a cut, a change and a
// wrong passphrase are one sentence; a file from outside decides neither how much memory nor how much work it takes to refuse it.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { setImmediate as immediately } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Identity, Recipient } from 'age-encryption';
import { OperatorError } from '../../rules/operator-error.ts';
import type { Config } from '../../settings/config.ts';
import { BrokenBackup } from './backup-file.ts';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

const FIRST_LINE = 'age-encryption.org/v1\n';
const LAST_LINE = /\n--- [A-Za-z0-9+/]{43}\n/;
/** Hundreds of recipients. The format itself sets no limit. */
const HEADER_MAX_BYTES = 64 * 1024;
/** Of scrypt with r = 8, as powers of two: 18 takes 256 MB and about a second, and is what `age` itself writes. */
const WORK = { least: 10, written: 17, most: 18 };
const BLOCK_SIZE = 8;
/** Of one step on the thread that answers requests, as age's own pieces. */
const PIECE_BYTES = 64 * 1024;
const SCRYPT_LABEL = 'age-encryption.org/v1/scrypt';
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const CIPHER = 'chacha20-poly1305';
/** Each key is used for one file. */
const NONCE = Buffer.alloc(12);

type Bytes = AsyncIterable<Buffer>;
type Write = (bytes: Uint8Array) => Promise<void>;

/** For one file. */
export interface BackupLock {
  /** What `work` writes is put encrypted. */
  write<T>(put: Write, work: (write: Write) => Promise<T>): Promise<T>;
  /** What was written, read back: also where this process has no identity that could open it. */
  read(source: Bytes): Promise<Bytes>;
}

/** Null: backups are not encrypted. Throws `OperatorError`. */
export async function createLock({
  backupPassphrase: passphrase,
  backupRecipient: recipient,
}: Pick<Config, 'backupPassphrase' | 'backupRecipient'>): Promise<BackupLock | null> {
  if (passphrase === null && recipient === null) return null;
  const { Encrypter, Stanza } = await import('age-encryption');
  const encrypter = new Encrypter();
  let fileKey: Uint8Array | null = null;
  // Adds no recipient to the file.
  encrypter.addRecipient({
    wrapFileKey(key) {
      fileKey = key;
      return [];
    },
  });
  if (passphrase !== null) {
    encrypter.addRecipient({
      async wrapFileKey(key) {
        const salt = randomBytes(SALT_BYTES);
        const body = sealFileKey(key, await deriveKey(passphrase, salt, WORK.written));
        return [new Stanza(['scrypt', unpadded(salt), String(WORK.written)], body)];
      },
    } satisfies Recipient);
  } else
    named('MXPROOF_BACKUP_RECIPIENT is not a recipient of age: it may be misspelt.', () =>
      encrypter.addRecipient(recipient!),
    );
  return {
    async write(put, work) {
      const plain = new TransformStream<Uint8Array, Uint8Array>();
      const input = plain.writable.getWriter();
      const encrypted = await encrypter.encrypt(plain.readable);
      const putting = (async () => {
        for await (const piece of encrypted) await put(piece);
      })();
      try {
        // Where writing fails, what could not be put says why.
        const done = await work(async (bytes) => {
          for (const piece of piecesOf(bytes)) await input.write(piece).catch(() => putting);
        });
        await input.close().catch(() => putting);
        await putting;
        return done;
      } catch (error) {
        await input.abort(error).catch(() => {});
        await putting.catch(() => {});
        throw error;
      }
    },
    read: (source) => decrypted(source, { identities: [{ unwrapFileKey: () => fileKey }] }),
  };
}

export type BackupKeys = Pick<Config, 'backupPassphrase' | 'backupIdentity'>;

export interface OpenedBackup {
  readonly isEncrypted: boolean;
  readonly plain: Bytes;
}

/** Decrypted where it is encrypted. Throws `BrokenBackup` and `OperatorError`, before anything of it is read as a backup. */
export async function openBackup(source: Bytes, keys: BackupKeys): Promise<OpenedBackup> {
  const { head, all } = await peek(source);
  if (!head.startsWith(FIRST_LINE)) return { isEncrypted: false, plain: all };
  if (!LAST_LINE.test(head)) throw new BrokenBackup('is cut off, or damaged at its beginning');
  return { isEncrypted: true, plain: await decrypted(all, { identities: identitiesFor(head, keys) }) };
}

function identitiesFor(
  head: string,
  { backupPassphrase, backupIdentity }: BackupKeys,
): (Identity | string)[] {
  if (head.startsWith(`${FIRST_LINE}-> scrypt `)) {
    if (backupPassphrase === null)
      throw new BrokenBackup('is encrypted with a passphrase: set MXPROOF_BACKUP_PASSPHRASE to it');
    return [passphraseIdentity(backupPassphrase)];
  }
  if (backupIdentity === null)
    throw new BrokenBackup(
      'is encrypted for a recipient: set MXPROOF_BACKUP_IDENTITY_FILE to the file with its identity',
    );
  // They are asked in order.
  const none: Identity = {
    unwrapFileKey() {
      throw new BrokenBackup('is encrypted for another recipient than that of MXPROOF_BACKUP_IDENTITY');
    },
  };
  return [...backupIdentity, none];
}

function passphraseIdentity(passphrase: string): Identity {
  return {
    async unwrapFileKey(stanzas) {
      const [[, salt = '', work = ''], body] = [stanzas[0]!.args, stanzas[0]!.body];
      const isWhole = /^[A-Za-z0-9+/]{22}$/.test(salt) && /^[1-9]\d*$/.test(work) && body.length === 32;
      if (stanzas.length !== 1 || !isWhole) throw new BrokenBackup('is damaged at its beginning');
      if (Number(work) < WORK.least || Number(work) > WORK.most)
        throw new BrokenBackup(
          `has a work factor of ${work.slice(0, 9)}, and only ${WORK.least} to ${WORK.most} are opened: decrypt it with "age -d"`,
        );
      const key = await deriveKey(passphrase, Buffer.from(salt, 'base64'), Number(work));
      const fileKey = openFileKey(body, key);
      if (fileKey === null)
        throw new BrokenBackup(
          'is not encrypted with the passphrase in MXPROOF_BACKUP_PASSPHRASE, or is damaged at its beginning',
        );
      return fileKey;
    },
  };
}

async function decrypted(
  source: Bytes,
  { identities }: { readonly identities: readonly (Identity | string)[] },
): Promise<Bytes> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const identity of identities)
    named('MXPROOF_BACKUP_IDENTITY is not an identity of age: it may be misspelt.', () =>
      decrypter.addIdentity(identity as string),
    );
  let fault: unknown = null;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      for await (const bytes of source)
        for (const piece of piecesOf(bytes)) {
          yield piece;
          await immediately();
        }
    } catch (error) {
      fault = error;
      throw error;
    }
  }
  const toFault = (error: unknown) =>
    fault ??
    (error instanceof OperatorError
      ? error
      : new BrokenBackup('is cut off, damaged, or was changed without its key'));
  const plain = await decrypter.decrypt(ReadableStream.from(watched())).catch((error: unknown) => {
    throw toFault(error);
  });
  return (async function* () {
    try {
      for await (const piece of plain) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    } catch (error) {
      throw toFault(error);
    }
  })();
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** The beginning as text, without that any of it is lost. */
async function peek(source: Bytes): Promise<{ head: string; all: Bytes }> {
  const pieces = source[Symbol.asyncIterator]();
  let first = Buffer.alloc(0);
  while (first.length < HEADER_MAX_BYTES) {
    const { done, value } = await pieces.next();
    if (done) break;
    first = Buffer.concat([first, value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield first;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { head: first.toString('latin1', 0, HEADER_MAX_BYTES), all: all() };
}

function deriveKey(passphrase: string, salt: Buffer, work: number): Promise<Buffer> {
  const N = 2 ** work;
  // Twice what it takes.
  const maxmem = 2 * 128 * BLOCK_SIZE * N;
  return derive(passphrase, Buffer.concat([Buffer.from(SCRYPT_LABEL), salt]), KEY_BYTES, {
    N,
    r: BLOCK_SIZE,
    p: 1,
    maxmem,
  });
}

function sealFileKey(fileKey: Uint8Array, key: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
}

/** Null: it is another key. */
function openFileKey(body: Uint8Array, key: Buffer): Buffer | null {
  const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** What the library says may quote a secret. */
function named(sentence: string, use: () => void): void {
  try {
    use();
  } catch {
    throw new OperatorError(sentence);
  }
}
