// Erasures and backups: a real store, real files, restored elsewhere.

import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase } from '../../../test/database.ts';
import { createFakeChecker } from '../../../test/fake-checker.ts';
import { startTestService, type TestService } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { rotateAllWebhookSecrets } from '../../flow/open-account.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { erasedHash, erasureLine } from '../../rules/erased-hash.ts';
import { readConfig } from '../../settings/config.ts';
import { keptBackups } from '../../store/backups.ts';
import { openDatabase } from '../../store/database.ts';
import { mendErasureKey, readErasureKey } from '../../store/erasure-key.ts';
import { createSecretBox } from '../../store/secret-box.ts';
import { verifyLedger } from '../../store/verify-ledger.ts';
import { backupToFile } from '../backup/backup-to-file.ts';
import { restoreFromFile } from '../backup/restore-from-file.ts';
import { requestErasure } from './erase-address.ts';
import { eraseEverywhere } from './erase-everywhere.ts';
import { type SeenErasures, spreadErasures } from './erasures-file.ts';

/** What every open file has. */
const opened = await open(import.meta.filename);
const handles = Object.getPrototypeOf(opened) as FileHandle;
await opened.close();

let s: TestService;
let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  s = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'mxproof-erasures-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await s.close();
  rmSync(folder, { recursive: true });
});

const configOf = (settings: Record<string, string> = {}) =>
  readConfig({ MXPROOF_DATA_DIR: join(folder, 'data'), MXPROOF_SECRET_KEY: 'test', ...settings });

const eraseHere = (email: string) => eraseEverywhere({ ...s, config: configOf() }, THE_SERVICE, email);

async function backUp(into = folder): Promise<string> {
  mkdirSync(into, { recursive: true });
  const file = join(into, 'own.backup');
  await backupToFile({ actor: THE_SERVICE, db: s.db, config: configOf(), file });
  return file;
}

async function restoreElsewhere(
  file: string,
  options: { erasures?: string | null; settings?: Record<string, string> } = {},
) {
  const fresh = await freshDatabase();
  closing.push(() => fresh.drop());
  const { settings = {}, ...more } = options;
  const config = configOf({ DATABASE_URL: fresh.url, ...settings });
  const warnings: string[] = [];
  const restored = await restoreFromFile({
    actor: THE_SERVICE,
    config,
    file,
    warn: (line) => warnings.push(line),
    ...more,
  });
  const db = openDatabase({ url: fresh.url, poolSize: 4, onError: () => {} });
  closing.push(() => db.close());
  const texts = await db.query<{ emails: string; name: string }>(
    'SELECT c.emails, l.name_json AS name FROM mxproof.chunks c JOIN mxproof.lists l ON l.id = c.list_id ORDER BY l.id, c.n',
  );
  return { db, restored, warnings, texts: texts.map(({ emails, name }) => `${name} ${emails}`) };
}

const linesIn = (path: string) => readFileSync(join(path, 'erasures'), 'utf8').split('\n').filter(Boolean);

test('what was erased after a backup is erased in what is restored of it, and money is exact', async () => {
  const checker = createFakeChecker({ namesRecipients: true });
  const node = await s.node(checker);
  const finished = await s.submit(['ok@example.com', 'no@example.com'], { name: 'about ok@example.com' });
  await s.done(finished.id);
  const running = await s.submit(['slow@example.com', 'ok@example.com']);
  const alone = await s.submit(['slow@example.com']);
  await until(async () => {
    if ((await s.list(running.id))!.checked !== 1) throw new Error('not yet');
  });
  const file = await backUp();
  expect(linesIn(folder)).toEqual([]);
  expect(await eraseHere('OK@example.com')).toMatchObject({
    lists: 2,
    rows: 2,
    backups: { count: 1, unwritten: [] },
  });
  await eraseHere('slow@example.com');
  checker.release();
  await node.stop();
  // Hashes and dates, and nothing that says whose.
  expect(linesIn(folder)).toHaveLength(2);
  expect(readFileSync(join(folder, 'erasures'), 'utf8')).not.toContain('example');

  const { db, restored, texts } = await restoreElsewhere(file);
  expect(restored.erased).toEqual({ erasures: 2, rows: 4 });
  expect(texts).toEqual(['"about [erased]" ["","no@example.com"]', '"test" ["",""]', '"test" [""]']);
  // Pending ones ended with the restore, and their lists with them.
  const lists = await db.query(
    'SELECT id, status, deliverable, unknown FROM mxproof.lists WHERE id = ANY($1) ORDER BY id',
    [[running.id, alone.id]],
  );
  expect(lists).toEqual([
    { id: running.id, status: 'done', deliverable: 1, unknown: 1 },
    { id: alone.id, status: 'done', deliverable: 0, unknown: 1 },
  ]);
  expect(await verifyLedger(db)).toMatchObject({ differences: [] });
  const [{ used } = { used: 0 }] = await db.query<{ used: number }>(
    'SELECT used FROM mxproof.accounts WHERE id = $1',
    [s.accountId],
  );
  expect(used).toBe(3);
  // The next backup of the restored store knows them too.
  await backupToFile({ actor: THE_SERVICE, db, config: configOf(), file: join(folder, 'next.backup') });
  expect(linesIn(folder)).toHaveLength(2);
});

test('an address that was submitted again after it had been erased stays', async () => {
  await s.submit(['ok@example.com']);
  await eraseHere('ok@example.com');
  // As if the erasure had been yesterday, and this store did not know it.
  await s.db.query(`UPDATE mxproof.erasures SET asked_at = asked_at - interval '1 day'`);
  await s.submit(['ok@example.com', 'no@example.com']);
  const file = await backUp();
  await s.db.query('DELETE FROM mxproof.erasures');
  const later = join(folder, 'later.backup');
  await backupToFile({ actor: THE_SERVICE, db: s.db, config: configOf(), file: later });
  for (const each of [file, later])
    expect((await restoreElsewhere(each)).texts).toEqual([
      '"test" [""]',
      '"test" ["ok@example.com","no@example.com"]',
    ]);
});

test('a restore erases all spellings of an address, and by hashes of the spelling that older erasures have', async () => {
  await s.submit([
    'anna@bücher.example',
    'anna@bu\u0308cher.example',
    'anna@xn--bcher-kva.example',
    'a@b.co',
  ]);
  const file = await backUp();
  await eraseHere('Anna@Bu\u0308cher.example');
  expect((await restoreElsewhere(file)).texts).toEqual(['"test" ["","","","a@b.co"]']);
  const { secret, id } = await readErasureKey(s.db, s.box);
  const older = {
    askedAt: new Date(),
    keyId: id,
    accountId: null,
    hash: erasedHash(secret, 'anna@bücher.example'),
  };
  writeFileSync(join(folder, 'erasures'), `${erasureLine(older)}\n`);
  expect((await restoreElsewhere(file)).texts).toEqual([
    '"test" ["","anna@bu\u0308cher.example","anna@xn--bcher-kva.example","a@b.co"]',
  ]);
});

test('without the file the address is back, and the restore knows that it does not know', async () => {
  await s.submit(['ok@example.com']);
  const file = await backUp();
  await eraseHere('ok@example.com');
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  const copy = join(elsewhere, 'copy.backup');
  writeFileSync(copy, readFileSync(file));
  const unknown = await restoreElsewhere(copy);
  expect(unknown.restored.erased).toBeNull();
  expect(unknown.texts).toEqual(['"test" ["ok@example.com"]']);
  const named = await restoreElsewhere(copy, { erasures: join(folder, 'erasures') });
  expect(named.texts).toEqual(['"test" [""]']);
  await expect(restoreElsewhere(copy, { erasures: join(folder, 'none') })).rejects.toThrow(
    `Cannot read ${join(folder, 'none')} (ENOENT).`,
  );
  await expect(restoreElsewhere(copy, { erasures: copy })).rejects.toThrow('is no file of erasures: line 1');
});

test('without the secret key nothing is restored that was erased, unless that is wanted', async () => {
  await s.submit(['ok@example.com']);
  const file = await backUp();
  await eraseHere('ok@example.com');
  const settings = { MXPROOF_SECRET_KEY: '' };
  await expect(restoreElsewhere(file, { settings })).rejects.toThrow(
    'Addresses were erased after this backup (1), and to find them in it takes the secret key',
  );
  const { texts } = await restoreElsewhere(file, { settings, erasures: null });
  expect(texts).toEqual(['"test" ["ok@example.com"]']);
  // A key that is replaced makes hashes of its own, which say so.
  const lost = createSecretBox('a new key');
  await rotateAllWebhookSecrets(s.db, THE_SERVICE, lost, mendErasureKey);
  await eraseEverywhere({ db: s.db, box: lost, config: configOf() }, THE_SERVICE, 'no@example.com');
  const { restored, warnings } = await restoreElsewhere(file);
  expect(restored.erased).toEqual({ erasures: 1, rows: 1 });
  expect(warnings.join('\n')).toContain(
    '1 of the 2 addresses erased after this backup are known by another key',
  );
});

test('every folder with a backup that is still there gets each erasure once, whatever was cut or written beside', async () => {
  const folders = ['a', 'b', 'c'].map((name) => join(folder, name));
  for (const each of folders) await backUp(each);
  rmSync(join(folders[1]!, 'own.backup'));
  appendFileSync(join(folders[2]!, 'erasures'), '2026-11-17T21:04:05.678Z 9f86d0');
  await eraseHere('ok@example.com');
  expect(await spreadErasures(s.db, folder)).toEqual({ folders: 2, failed: [] });
  expect(folders.map((each) => linesIn(each).length)).toEqual([1, 0, 2]);
  expect(linesIn(folders[2]!)[1]).toBe(linesIn(folders[0]!)[0]);
  expect((await restoreElsewhere(join(folders[2]!, 'own.backup'))).restored.erased).toEqual({
    erasures: 1,
    rows: 0,
  });
  expect(await keptBackups(s.db)).toHaveLength(3);
});

test('what is erased in a restored store is told to the folder of the backup that it came from', async () => {
  const file = await backUp();
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  renameSync(file, join(elsewhere, 'moved.backup'));
  const { db } = await restoreElsewhere(join(elsewhere, 'moved.backup'));
  await eraseEverywhere({ ...s, db, config: configOf() }, THE_SERVICE, 'ok@example.com');
  expect(linesIn(elsewhere)).toHaveLength(1);
});

/** Reads of files through any handle, and how much. */
function countReads(): { bytes: number } {
  const counted = { bytes: 0 };
  const { read } = handles;
  handles.read = async function (this: FileHandle, ...given: never[]) {
    const result = await (read as (...all: never[]) => Promise<{ bytesRead: number }>).apply(this, given);
    counted.bytes += result.bytesRead;
    return result;
  } as typeof read;
  closing.push(async () => {
    handles.read = read;
  });
  return counted;
}

test('a process reads the file once, and then only what others have added', async () => {
  await backUp();
  for (let n = 0; n < 50; n++) await eraseHere(`a${n}@example.com`);
  const seen: SeenErasures = new Map();
  await spreadErasures(s.db, folder, seen);
  const file = join(folder, 'erasures');
  const counted = countReads();
  const ask = (email: string) =>
    requestErasure(s.db, THE_SERVICE, s.box, { email, accountId: null, isMine: true });
  await ask('b@example.com');
  await spreadErasures(s.db, folder, seen);
  expect([linesIn(folder).length, counted.bytes]).toEqual([51, 0]);
  // Another process is first.
  await ask('c@example.com');
  await spreadErasures(s.db, folder);
  counted.bytes = 0;
  await spreadErasures(s.db, folder, seen);
  expect([linesIn(folder).length, counted.bytes]).toEqual([52, linesIn(folder)[51]!.length + 1]);
  // A file that is another one is read whole.
  writeFileSync(`${file}.copy`, '');
  renameSync(`${file}.copy`, file);
  await spreadErasures(s.db, folder, seen);
  expect(linesIn(folder)).toHaveLength(52);
});

test('a large file whose lines repeat each other becomes small, and one whose lines do not goes on growing', async () => {
  await backUp();
  await eraseHere('ok@example.com');
  const [own] = linesIn(folder);
  const line = (n: number, hash: number) =>
    `${new Date(1e12 + n).toISOString()} 9f86d081884c7d65 ${n % 2 === 0 ? '*' : 7} ${hash.toString(16).padStart(64, '0')}\n`;
  const file = join(folder, 'erasures');
  const spread = (text: string) => {
    writeFileSync(file, text);
    return spreadErasures(s.db, folder);
  };
  const repeating = Array.from({ length: 12_000 }, (_, n) => line(n, n % 10)).join('');
  expect(await spread(repeating)).toEqual({ folders: 1, failed: [] });
  // Of ten addresses, half of them of an account, the latest each, and of this store.
  expect(new Set(linesIn(folder))).toEqual(
    new Set([own, ...Array.from({ length: 10 }, (_, n) => line(11_990 + n, n).trim())]),
  );
  const different = Array.from({ length: 12_000 }, (_, n) => line(n, n)).join('');
  expect(await spread(different)).toEqual({ folders: 1, failed: [] });
  expect(readFileSync(file, 'utf8')).toBe(`${different}${own}\n`);
});
