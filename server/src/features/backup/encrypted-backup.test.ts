// Encrypted backups of a service, restored into another one that has nothing but the passphrase or the identity.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase } from '../../../test/database.ts';
import { createFakeChecker } from '../../../test/fake-checker.ts';
import { addresses, startTestService, type TestService } from '../../../test/service.ts';
import { addKey } from '../../flow/add-key.ts';
import { readKey } from '../../rules/api-key.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { readConfig } from '../../settings/config.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { findKeyOwners } from '../../store/keys.ts';
import { createSecretBox } from '../../store/secret-box.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';
import { readWebhookSecrets } from '../../store/webhook-secrets.ts';
import { BackupWriter, readFrames, readJson } from './backup-file.ts';
import { backupToFile } from './backup-to-file.ts';
import { restoreFromFile, verifyFile } from './restore-from-file.ts';
import { sealKey } from './sealed-key.ts';

const PASSPHRASE = { MXPROOF_BACKUP_PASSPHRASE: 'a long sentence' };

let s: TestService;
let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  s = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'mxproof-encrypted-'));
  closing.push(
    async () => rmSync(folder, { recursive: true }),
    () => s.close(),
  );
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function backUp(settings: Record<string, string>): Promise<string> {
  const file = join(folder, 'own.backup');
  const config = readConfig({ MXPROOF_SECRET_KEY: 'test', ...settings });
  const { bytes, hasKey } = await backupToFile({ actor: THE_SERVICE, db: s.db, config, file });
  expect([bytes, hasKey]).toEqual([readFileSync(file).length, Object.keys(settings).length > 0]);
  return file;
}

/** Another machine: another database and another data folder. */
async function restore(
  file: string,
  settings: Record<string, string>,
  more: { allowUnencrypted?: boolean; keyThere?: boolean } = {},
) {
  const fresh = await freshDatabase();
  const db = openDatabase({ url: fresh.url, poolSize: 2, onError: () => {} });
  closing.push(
    () => fresh.drop(),
    () => db.close(),
  );
  const dataDir = mkdtempSync(join(folder, 'other-'));
  const keyFile = join(dataDir, 'secret-key');
  if (more.keyThere) writeFileSync(keyFile, 'of a service that was started here\n');
  const config = readConfig({ DATABASE_URL: fresh.url, MXPROOF_DATA_DIR: dataDir, ...settings });
  const warnings: string[] = [];
  const warn = (line: string) => void warnings.push(line);
  const restored = restoreFromFile({ actor: THE_SERVICE, config, file, warn, ...more });
  return { db, restored, warnings, keyFile };
}

async function isEmpty(db: Database): Promise<boolean> {
  const [found] = await db.query(`SELECT to_regnamespace('mxproof')::text AS schema`);
  return found!.schema === null;
}

/** Accounts, balances, lists with their results, and keys. */
function contentOf(db: Database) {
  return Promise.all(
    ['accounts', 'api_keys', 'ledger', 'lists', 'chunks'].map((table) =>
      db.query(`SELECT * FROM mxproof.${table} ORDER BY 1, 2`),
    ),
  );
}

test('restored elsewhere: the same accounts, lists, balances and keys, and callbacks signed as before', async () => {
  const identity = await generateX25519Identity();
  const ways = [
    [PASSPHRASE, PASSPHRASE],
    [
      { MXPROOF_BACKUP_RECIPIENT: await identityToRecipient(identity) },
      { MXPROOF_BACKUP_IDENTITY: identity },
    ],
  ] as const;
  const { apiKey } = await addKey(s.db, THE_SERVICE, { accountId: s.accountId, label: 'own', manage: false });
  await s.node(createFakeChecker());
  const list = await s.submit(addresses(400), { name: 'customers of spring' });
  await s.done(list.id);
  for (const [settings, opening] of ways) {
    const file = await backUp(settings);
    for (const plain of ['customers of spring', 'MXPROOF BACKUP', 'keyFingerprint'])
      expect(readFileSync(file).includes(plain), plain).toBe(false);
    expect(await verifyFile(file, readConfig(opening))).toMatchObject({ isEncrypted: true, hasKey: true });
    const { db, restored, warnings, keyFile } = await restore(file, opening);
    await restored;
    expect(warnings).toEqual([]);
    expect(await contentOf(db)).toEqual(await contentOf(s.db));
    expect(await verifyLedger(db)).toMatchObject({ differences: [] });
    const [owner] = await findKeyOwners(db, [readKey(apiKey)!]);
    expect(owner).toMatchObject({ accountId: s.accountId });
    const key = readFileSync(keyFile, 'utf8').trim();
    expect(key).toBe('test');
    expect((await readWebhookSecrets(db, s.accountId, createSecretBox(key)))[0]).toBe(s.webhookSecret);
    rmSync(file);
  }
}, 60_000);

test('what is wrong with an encrypted backup is one sentence, and nothing is written', async () => {
  const file = await backUp(PASSPHRASE);
  const whole = readFileSync(file);
  const flipped = Buffer.from(whole);
  flipped[whole.length >> 1]! ^= 1;
  const broken = join(folder, 'broken.backup');
  const cases: [Buffer, Record<string, string>, RegExp][] = [
    [whole, { MXPROOF_BACKUP_PASSPHRASE: 'another' }, /is not encrypted with the passphrase in MXPROOF_/],
    [whole, {}, /is encrypted with a passphrase: set MXPROOF_BACKUP_PASSPHRASE to it\.$/],
    [
      whole,
      { ...PASSPHRASE, MXPROOF_SECRET_KEY: 'x' },
      /^MXPROOF_SECRET_KEY is not the key of this backup: unset/,
    ],
    [flipped, PASSPHRASE, /is cut off, damaged, or was changed without its key\.$/],
    [
      whole.subarray(0, whole.length - 1),
      PASSPHRASE,
      /is cut off, damaged, or was changed without its key\.$/,
    ],
  ];
  for (const [bytes, settings, sentence] of cases) {
    writeFileSync(broken, bytes);
    const { db, restored, keyFile } = await restore(broken, settings);
    await expect(restored).rejects.toThrow(sentence);
    expect([await isEmpty(db), existsSync(keyFile)]).toEqual([true, false]);
  }
}, 60_000);

test('where a passphrase is set, a backup that is not encrypted is restored only if that is asked for', async () => {
  const file = await backUp({});
  const refused = await restore(file, PASSPHRASE);
  await expect(refused.restored).rejects.toThrow(
    /is not encrypted, so that .+ restore it with --unencrypted\.$/,
  );
  expect(await isEmpty(refused.db)).toBe(true);
  const { restored, db } = await restore(file, PASSPHRASE, { allowUnencrypted: true });
  await restored;
  expect(await contentOf(db)).toEqual(await contentOf(s.db));
  expect(await verifyFile(file, readConfig({}))).toMatchObject({ isEncrypted: false, hasKey: false });
});

test('a backup of MXProof 0.2, with the key sealed in a file that is not encrypted, is restored with its key', async () => {
  const file = await backUp({});
  const old = join(folder, 'old.backup');
  const pieces: Buffer[] = [];
  const writer = new BackupWriter(async (bytes) => void pieces.push(bytes));
  await writer.begin();
  const source = (async function* () {
    yield readFileSync(file);
  })();
  for await (const { kind, payload } of readFrames(source)) {
    if (kind !== 'header') await writer.frame(kind as 'data', payload);
    else
      await writer.json('header', {
        ...(readJson(payload) as object),
        secretKey: await sealKey('test', 'a long sentence'),
      });
  }
  await writer.end();
  writeFileSync(old, Buffer.concat(pieces));
  const { restored, keyFile, warnings } = await restore(old, PASSPHRASE, { allowUnencrypted: true });
  await restored;
  expect(warnings).toEqual([]);
  expect(readFileSync(keyFile, 'utf8').trim()).toBe('test');
});

test('a wrong secret key is said to be wrong, and one in the data folder to be another', async () => {
  const file = await backUp({});
  const wrong = await restore(file, { MXPROOF_SECRET_KEY: 'another key of ours' });
  await expect(wrong.restored).rejects.toThrow(
    /^MXPROOF_SECRET_KEY is not the key of this backup: set it to that of the service it was made of, or unset it/,
  );
  expect(await isEmpty(wrong.db)).toBe(true);
  const right = await restore(file, { MXPROOF_SECRET_KEY: 'test' });
  await right.restored;
  expect(right.warnings).toEqual([]);
  const none = await restore(file, {}, { keyThere: true });
  await none.restored;
  expect(none.warnings).toEqual([
    expect.stringMatching(/^The backup has no secret key, and the one in \S+ is not its key: set MXPROOF_/),
  ]);
});
