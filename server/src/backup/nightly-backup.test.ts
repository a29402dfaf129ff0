// Backups of a real store in a real folder, over nights that are given.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { quiet, startTestService, type TestService } from '../../test/service.ts';
import { readConfig } from '../config.ts';
import { keptBackups } from '../store/backups.ts';
import { backupToFile } from './backup-to-file.ts';
import { isDue, makeNightlyBackup } from './nightly-backup.ts';
import { verifyFile } from './restore-from-file.ts';

let service: TestService;
let folder: string;
beforeEach(async () => {
  service = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'mxproof-backups-'));
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const config = (more: Record<string, string> = {}) =>
  readConfig({ MXPROOF_DATA_DIR: join(folder, 'data'), MXPROOF_SECRET_KEY: 'a key of the tests', ...more });
const never = new AbortController().signal;
const nightly = (more: Record<string, string>, nowMs: number) =>
  makeNightlyBackup({ db: service.db, config: config(more), folder, log: quiet }, nowMs, never);
const DAY_MS = 86_400_000;

test('each night makes one, and the oldest beyond those kept are removed, nothing else', async () => {
  writeFileSync(join(folder, 'mxproof-20260101.backup'), 'of another program');
  writeFileSync(
    join(folder, 'mxproof-20260101T000000Z.backup.0123abcd.part'),
    'of a process that was killed',
  );
  const first = Date.UTC(2026, 10, 17, 3);
  for (let night = 0; night < 5; night += 1)
    await nightly({ MXPROOF_BACKUP_KEEP: '3' }, first + night * DAY_MS);
  expect(readdirSync(folder).sort()).toEqual([
    'erasures',
    'mxproof-20260101.backup',
    'mxproof-20261119T030000Z.backup',
    'mxproof-20261120T030000Z.backup',
    'mxproof-20261121T030000Z.backup',
  ]);
  const kept = await keptBackups(service.db);
  expect(kept.map(({ path }) => path.slice(-24))).toEqual([
    '20261121T030000Z.backup'.padStart(24, '-'),
    '20261120T030000Z.backup'.padStart(24, '-'),
    '20261119T030000Z.backup'.padStart(24, '-'),
  ]);
  for (const { path } of kept) expect(await verifyFile(path)).toMatchObject({ header: { secretKey: null } });
});

test('it is due once a night, by the hour of UTC', async () => {
  const { db } = service;
  expect(await isDue(db, Date.now())).toBe(true);
  await nightly({}, Date.now());
  await db.query(`UPDATE mxproof.backups SET made_at = '2026-11-17T03:20:00Z'`);
  expect(await isDue(db, Date.UTC(2026, 10, 17, 23))).toBe(false);
  expect(await isDue(db, Date.UTC(2026, 10, 18, 2, 59))).toBe(false);
  expect(await isDue(db, Date.UTC(2026, 10, 18, 3))).toBe(true);
});

test('a name that is taken stays as it is, and a backup that fails leaves nothing', async () => {
  const { db } = service;
  const file = join(folder, 'own.backup');
  const made = await backupToFile({ db, config: config({ MXPROOF_BACKUP_PASSPHRASE: 'p' }), file });
  expect(made).toMatchObject({ path: file, hasKey: true, bytes: statSync(file).size });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(backupToFile({ db, config: config(), file })).rejects.toThrow('exists already');
  expect(await verifyFile(file)).toMatchObject({ header: { secretKey: expect.any(String) } });

  const other = join(folder, 'other.backup');
  const early = AbortSignal.abort(new Error('the service stops'));
  await expect(backupToFile({ db, config: config(), file: other, signal: early })).rejects.toThrow('stops');
  const middle = new AbortController();
  const onProgress = () => middle.abort(new Error('the service stops'));
  await expect(
    backupToFile({ db, config: config(), file: other, signal: middle.signal, onProgress }),
  ).rejects.toThrow('stops');
  expect(existsSync(other)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(await keptBackups(db)).toHaveLength(1);
});
