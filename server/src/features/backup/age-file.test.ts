// Files of age's format in memory: what is written, and what a stranger may have made of it.
import { identityToRecipient } from 'age-encryption';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../settings/config.ts';
import { type BackupKeys, createLock, openBackup } from './age-file.ts';
import { BrokenBackup } from './backup-file.ts';

// As age-keygen made it.
const IDENTITY = 'AGE-SECRET-KEY-1KERT53E0WUCQEA5FKZE6R9X2JSZSNAQHNFWEEKF86EHW66F8AMPSSL2FT9';
const PLAIN = Buffer.alloc(200_000, 'what a backup has in it, ');

const keys = (more: Record<string, string> = {}): BackupKeys => readConfig(more);
const withPassphrase = keys({ MXPROOF_BACKUP_PASSPHRASE: 'a long sentence' });

async function encrypt(settings: Record<string, string>, plain: Buffer = PLAIN): Promise<Buffer> {
  const lock = await createLock(readConfig(settings));
  const pieces: Uint8Array[] = [];
  await lock!.write(
    async (piece) => void pieces.push(piece),
    async (write) => {
      for (let at = 0; at < plain.length; at += 70_000) await write(plain.subarray(at, at + 70_000));
    },
  );
  const file = Buffer.concat(pieces);
  expect(await all(await lock!.read(inPieces(file)))).toEqual(plain);
  return file;
}

async function* inPieces(file: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += 50_000) yield file.subarray(at, at + 50_000);
}

async function all(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function open(file: Buffer, by: BackupKeys): Promise<Buffer> {
  return all((await openBackup(inPieces(file), by)).plain);
}

/** The header as text, with other words in the first line of its first recipient. */
function withStanza(file: Buffer, change: (line: string) => string): Buffer {
  const [first, stanza, ...rest] = file.toString('latin1').split('\n');
  return Buffer.from([first, change(stanza!), ...rest].join('\n'), 'latin1');
}

let file: Buffer;
beforeAll(async () => {
  file = await encrypt({ MXPROOF_BACKUP_PASSPHRASE: 'a long sentence' });
});

test('with the passphrase it is what was written, and without it nothing', async () => {
  expect(file.includes('what a backup has')).toBe(false);
  expect(await open(file, withPassphrase)).toEqual(PLAIN);
  await expect(open(file, keys({ MXPROOF_BACKUP_PASSPHRASE: 'another' }))).rejects.toThrow(
    /^is not encrypted with the passphrase in MXPROOF_BACKUP_PASSPHRASE/,
  );
  await expect(open(file, keys())).rejects.toThrow(/^is encrypted with a passphrase: set MXPROOF_/);
});

test('with the identity of the recipient it is what was written, and with another nothing', async () => {
  const recipient = await identityToRecipient(IDENTITY);
  const forOne = await encrypt({ MXPROOF_BACKUP_RECIPIENT: recipient });
  const holder = keys({
    MXPROOF_BACKUP_IDENTITY: `# created: 2026-11-19\n# public key: ${recipient}\n${IDENTITY}\n`,
  });
  expect(await open(forOne, holder)).toEqual(PLAIN);
  await expect(open(forOne, withPassphrase)).rejects.toThrow(/^is encrypted for a recipient: set MXPROOF_/);
  const { generateX25519Identity } = await import('age-encryption');
  const other = keys({ MXPROOF_BACKUP_IDENTITY: await generateX25519Identity() });
  await expect(open(forOne, other)).rejects.toThrow(/^is encrypted for another recipient/);
});

test('a recipient or an identity that is misspelt is one sentence, without its value', async () => {
  const recipient = await identityToRecipient(IDENTITY);
  const slip = (text: string) => text.replace(/.$/, (last) => (last === 'q' || last === 'Q' ? 'p' : 'q'));
  await expect(createLock(readConfig({ MXPROOF_BACKUP_RECIPIENT: slip(recipient) }))).rejects.toThrow(
    /^MXPROOF_BACKUP_RECIPIENT is not a recipient of age: it may be misspelt\.$/,
  );
  const forOne = await encrypt({ MXPROOF_BACKUP_RECIPIENT: recipient });
  const misspelt = slip(IDENTITY).toUpperCase();
  await expect(open(forOne, keys({ MXPROOF_BACKUP_IDENTITY: misspelt }))).rejects.toThrow(
    /^MXPROOF_BACKUP_IDENTITY is not an identity of age: it may be misspelt\.$/,
  );
  expect(() => readConfig({ MXPROOF_BACKUP_RECIPIENT: 'ssh-ed25519 AAAA' })).toThrow('age-keygen');
  expect(() => readConfig({ MXPROOF_BACKUP_IDENTITY: 'AGE-SECRET-KEY-1' })).toThrow('age-keygen');
  expect(() =>
    readConfig({ MXPROOF_BACKUP_RECIPIENT: recipient, MXPROOF_BACKUP_PASSPHRASE: 'a long sentence' }),
  ).toThrow(/are both set/);
});

test('wherever a bit is flipped or the file ends early, it is refused, and what was given out before is what was written', async () => {
  const forOne = await encrypt({ MXPROOF_BACKUP_RECIPIENT: await identityToRecipient(IDENTITY) });
  const holder = keys({ MXPROOF_BACKUP_IDENTITY: IDENTITY });
  const spoiled = fc.record({
    at: fc.oneof(fc.nat(300), fc.nat(forOne.length - 1)),
    isCut: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(spoiled, async ({ at, isCut }) => {
      const broken = Buffer.from(isCut ? forOne.subarray(0, at) : forOne);
      if (!isCut) broken[at]! ^= 1;
      const opened = await openBackup(inPieces(broken), holder).catch((error: unknown) => error);
      if (opened instanceof BrokenBackup) return;
      const { plain, isEncrypted } = opened as Awaited<ReturnType<typeof openBackup>>;
      // Without its first line it is some other file, and never a backup.
      if (!isEncrypted) {
        expect((await all(plain)).equals(broken)).toBe(true);
        return;
      }
      let given = 0;
      await expect(
        (async () => {
          for await (const piece of plain) {
            expect(piece.equals(PLAIN.subarray(given, given + piece.length))).toBe(true);
            given += piece.length;
          }
        })(),
      ).rejects.toBeInstanceOf(BrokenBackup);
    }),
    { numRuns: 100 },
  );
});

test('bytes behind its end are refused', async () => {
  await expect(open(Buffer.concat([file, Buffer.from('x')]), withPassphrase)).rejects.toThrow(/^is cut off/);
});

test('a file from outside demands neither more work nor more memory than a bound', async () => {
  for (const work of ['19', '9', '99999999999', '1e9', '-1', '018'])
    await expect(
      open(
        withStanza(file, (line) => line.replace(/17$/, work)),
        withPassphrase,
      ),
    ).rejects.toThrow(/^(has a work factor of|is damaged)/);
  const endless = async function* () {
    yield Buffer.from('age-encryption.org/v1\n-> scrypt ');
    for (;;) {
      read += 50_000;
      yield Buffer.alloc(50_000, 'A');
    }
  };
  let read = 0;
  await expect(openBackup(endless(), withPassphrase)).rejects.toThrow(/damaged at its beginning/);
  expect(read).toBeLessThan(200_000);
});

test('a file that cannot be read is said to be that, and not damaged', async () => {
  const failing = async function* () {
    yield file.subarray(0, 150_000);
    throw Object.assign(new Error('the disk'), { syscall: 'read', code: 'EIO' });
  };
  const reading = async () => all((await openBackup(failing(), withPassphrase)).plain);
  await expect(reading()).rejects.toThrow('the disk');
});

test('what cannot be put ends the writing with its reason', async () => {
  const lock = await createLock(readConfig({ MXPROOF_BACKUP_PASSPHRASE: 'a long sentence' }));
  const full = async () => {
    throw new Error('no room');
  };
  await expect(
    lock!.write(full, async (write) => {
      for (;;) await write(PLAIN);
    }),
  ).rejects.toThrow('no room');
  const stopped = (await createLock(readConfig({ MXPROOF_BACKUP_PASSPHRASE: 'a long sentence' })))!;
  await expect(
    stopped.write(
      async () => {},
      async (write) => {
        await write(PLAIN);
        throw new Error('the service stops');
      },
    ),
  ).rejects.toThrow('the service stops');
});

test('an empty file and one that is something else are given as they are', async () => {
  for (const plain of [Buffer.alloc(0), Buffer.from('MXPROOF BACKUP 1\n…')]) {
    const opened = await openBackup(inPieces(plain), withPassphrase);
    expect(opened.isEncrypted).toBe(false);
    expect(await all(opened.plain)).toEqual(plain);
  }
});
