// Backups of a real store in a real folder, over nights that are given.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase } from '../../../test/database.ts';
import { quiet, startTestService, type TestService } from '../../../test/service.ts';
import { until } from '../../../test/until.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { readConfig } from '../../settings/config.ts';
import { keptBackups } from '../../store/backups.ts';
import { openDatabase } from '../../store/database.ts';
import { judgeFolder } from '../doctor/backup-check.ts';
import { backupFault } from './backup-schedule.ts';
import { backupToFile } from './backup-to-file.ts';
import { isDue, makeNightlyBackup, startNightlyBackups } from './nightly-backup.ts';
import { restoreFromFile, verifyFile } from './restore-from-file.ts';
import { forgetNightly, readBackupState, sayNightly, sweepNightly } from './stored-nightly.ts';

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
  readConfig({ MXPROOF_DATA_DIR: join(folder, 'data'), MXPROOF_SECRET_KEY: 'test', ...more });
const never = new AbortController().signal;
const nightly = (more: Record<string, string>, nowMs: number) =>
  makeNightlyBackup({ db: service.db, config: config(more), folder, log: quiet }, nowMs, never);
const DAY_MS = 86_400_000;
const LOOK_MS = 50;

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
    'revoked-keys',
  ]);
  const kept = await keptBackups(service.db);
  expect(kept.map(({ path }) => path.slice(-24))).toEqual([
    '20261121T030000Z.backup'.padStart(24, '-'),
    '20261120T030000Z.backup'.padStart(24, '-'),
    '20261119T030000Z.backup'.padStart(24, '-'),
  ]);
  for (const { path } of kept)
    expect(await verifyFile(path, config())).toMatchObject({ header: { secretKey: null } });
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
  const made = await backupToFile({
    actor: THE_SERVICE,
    db,
    config: config({ MXPROOF_BACKUP_PASSPHRASE: 'p' }),
    file,
  });
  expect(made).toMatchObject({ path: file, hasKey: true, bytes: statSync(file).size });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(backupToFile({ actor: THE_SERVICE, db, config: config(), file })).rejects.toThrow(
    'exists already',
  );
  expect(await verifyFile(file, config({ MXPROOF_BACKUP_PASSPHRASE: 'p' }))).toMatchObject({ hasKey: true });

  const other = join(folder, 'other.backup');
  const early = AbortSignal.abort(new Error('the service stops'));
  await expect(
    backupToFile({ actor: THE_SERVICE, db, config: config(), file: other, signal: early }),
  ).rejects.toThrow('stops');
  const middle = new AbortController();
  const onProgress = () => middle.abort(new Error('the service stops'));
  await expect(
    backupToFile({
      actor: THE_SERVICE,
      db,
      config: config(),
      file: other,
      signal: middle.signal,
      onProgress,
    }),
  ).rejects.toThrow('stops');
  expect(existsSync(other)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(await keptBackups(db)).toHaveLength(1);
});

const backupsIn = (path: string) => readdirSync(path).filter((name) => name.endsWith('.backup'));
const start = (into = folder, log = quiet) =>
  startNightlyBackups({ db: service.db, config: config(), folder: into, log, lookMs: LOOK_MS });

test('a restart tries again at once when one is due, however lately a process died that was at it', async () => {
  await service.db.query(
    `INSERT INTO mxproof.turns (duty, taken_at) VALUES ('nightly backup', now() - interval '2 minutes')`,
  );
  const running = start();
  try {
    await until(() => backupsIn(folder).length === 1, 20_000);
  } finally {
    await running.stop();
  }
});

test('nodes that start at the same moment make one', async () => {
  const nodes = [start(), start(), start()];
  try {
    await until(async () => (await keptBackups(service.db)).length > 0);
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
  expect(backupsIn(folder)).toHaveLength(1);
});

test('what cannot be read back as it was written is no backup', async () => {
  const file = join(folder, 'own.backup');
  const onProgress = () => {
    const [part] = readdirSync(folder);
    const fd = openSync(join(folder, part!), 'r+');
    if (statSync(join(folder, part!)).size > 100) writeSync(fd, 'x', 50);
    closeSync(fd);
  };
  await expect(
    backupToFile({ actor: THE_SERVICE, db: service.db, config: config(), file, onProgress }),
  ).rejects.toThrow(/own\.backup cannot be read back/);
  expect(readdirSync(folder)).toEqual([]);
  expect(await keptBackups(service.db)).toEqual([]);
});

test('a backup of the future, from before the clock was set back, does not stop those of today', async () => {
  await nightly({}, Date.now());
  await service.db.query(`UPDATE mxproof.backups SET made_at = now() + interval '1 year'`);
  expect(await isDue(service.db, Date.now())).toBe(true);
  // And is the first to go, not the one that was just made.
  writeFileSync(join(folder, 'mxproof-20990101T030000Z.backup'), 'from a clock that was ahead');
  const at = Date.now() + 1_000;
  await nightly({ MXPROOF_BACKUP_KEEP: '1' }, at);
  expect(backupsIn(folder)).toEqual([
    `mxproof-${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.backup`,
  ]);
  expect(await isDue(service.db, Date.now())).toBe(false);
});

const state = () => readBackupState(service.db);

test('a disk that is full or read-only is named, by the doctor too, and keeps the backups that it has', async ({
  skip,
}) => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'ignore' });
  try {
    mount('-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk);
  } catch {
    return skip('a small disk could not be mounted: this takes root');
  }
  const backUp = (nowMs: number) =>
    makeNightlyBackup({ db: service.db, config: config(), folder: disk, log: quiet }, nowMs, never);
  try {
    await backUp(Date.now());
    const [first] = backupsIn(disk);
    writeFileSync(join(disk, 'other'), Buffer.alloc(4096));
    try {
      for (;;) writeFileSync(join(disk, 'other'), Buffer.alloc(4096), { flag: 'a' });
    } catch {
      // It is full.
    }
    await expect(backUp(Date.now() + DAY_MS)).rejects.toThrow(/^Cannot write \S+ \(ENOSPC\)\.$/);
    expect(await judgeFolder(disk)).toBeNull();
    mount('-o', 'remount,ro', disk);
    await expect(backUp(Date.now() + DAY_MS)).rejects.toThrow(/^Cannot write \S+ \(EROFS\)\.$/);
    expect(await judgeFolder(disk)).toMatchObject({
      status: 'failure',
      detail: expect.stringContaining('(EROFS)'),
    });
    expect(readdirSync(disk).sort()).toEqual(['erasures', first, 'other', 'revoked-keys']);
    expect(await verifyFile(join(disk, first!), config())).toMatchObject({ tables: expect.any(Number) });
  } finally {
    execFileSync('umount', [disk]);
  }
});

test('a write that fails is noted in one sentence for all nodes, and forgotten with the next that goes well', async () => {
  const away = join(folder, 'away');
  mkdirSync(away);
  const lines: string[] = [];
  const failing = start(away, pino({}, { write: (line: string) => lines.push(line) }));
  try {
    // The file of erasures is there before its writer has looked at it for the last time.
    await until(() => lines.some((line) => line.includes('nightly backup made')));
    expect(await state()).toMatchObject({ failure: null, newestMs: expect.any(Number) });
    // The disk is gone, and the next night begins.
    rmSync(away, { recursive: true });
    await service.db.query(`UPDATE mxproof.backups SET made_at = made_at - interval '2 days'`);
    await service.db.query(`UPDATE mxproof.turns SET taken_at = taken_at - interval '1 hour'`);
    await until(async () =>
      expect((await state()).failure).toMatch(/^Cannot write \S+away\/mxproof-\w+\.backup \(ENOENT\)\.$/),
    );
  } finally {
    await failing.stop();
  }
  // As long as the folder is away, so may be what was in it.
  expect(await keptBackups(service.db)).toHaveLength(1);
  mkdirSync(away);
  await service.db.query(`UPDATE mxproof.turns SET taken_at = taken_at - interval '1 minute'`);
  const restarted = start(away);
  try {
    await until(async () => expect((await state()).failure).toBeNull());
  } finally {
    await restarted.stop();
  }
  expect(backupsIn(away)).toHaveLength(1);
  expect(backupFault(await state(), Date.now())).toBeNull();
});

test('a process waits longer with each failure, and a failing disk is not written to every look', async () => {
  const away = join(folder, 'away');
  const failing = start(away);
  try {
    await until(async () => expect((await state()).failure).not.toBeNull());
    const [{ failed_at: first } = {}] = await service.db.query(
      'SELECT failed_at FROM mxproof.nightly_backups',
    );
    await service.db.query(`UPDATE mxproof.turns SET taken_at = taken_at - interval '1 hour'`);
    const [{ seen_at: seen } = {}] = await service.db.query<{ seen_at: Date }>(
      'SELECT seen_at FROM mxproof.nightly_backups',
    );
    await until(async () => {
      const [row] = await service.db.query<{ seen_at: Date }>('SELECT seen_at FROM mxproof.nightly_backups');
      return row!.seen_at.getTime() > seen!.getTime() + 5 * LOOK_MS;
    });
    expect(await service.db.query('SELECT failed_at FROM mxproof.nightly_backups')).toEqual([
      { failed_at: first },
    ]);
  } finally {
    await failing.stop();
  }
});

test('one that was removed by hand is none, and another is made', async () => {
  const running = start();
  try {
    await until(() => backupsIn(folder).length === 1);
    rmSync(join(folder, backupsIn(folder)[0]!));
    // The name has the second in it, and so has the lease.
    await service.db.query(`UPDATE mxproof.turns SET taken_at = taken_at - interval '1 minute'`);
    await until(() => backupsIn(folder).length === 1);
  } finally {
    await running.stop();
  }
  const all = await service.db.query('SELECT removed_at IS NULL AS kept FROM mxproof.backups ORDER BY id');
  expect(all).toEqual([{ kept: false }, { kept: true }]);
});

test('a backup by command counts in the folder of nightly ones, and nowhere else', async () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  await sayNightly(service.db, hostname(), folder);
  await sayNightly(service.db, 'another machine', other);
  await backupToFile({
    actor: THE_SERVICE,
    db: service.db,
    config: config(),
    file: join(other, 'own.backup'),
  });
  expect(await state()).toMatchObject({ newestMs: null, nightlySinceMs: expect.any(Number) });
  await backupToFile({
    actor: THE_SERVICE,
    db: service.db,
    config: config(),
    file: join(folder, 'own.backup'),
  });
  expect(await state()).toMatchObject({ newestMs: expect.any(Number) });
});

test('what a machine is to write is remembered while it is gone, and given up by its nodes or after a week', async () => {
  const { db } = service;
  const machines = async () =>
    (await db.query<{ machine: string }>('SELECT machine FROM mxproof.nightly_backups ORDER BY 1')).map(
      ({ machine }) => machine,
    );
  const unseenFor = (span: string) =>
    db.query(`UPDATE mxproof.nightly_backups SET seen_at = now() - $1::interval`, [span]);
  await sayNightly(db, 'a', folder);
  await sayNightly(db, 'b', folder);
  // Another process of the machine says otherwise.
  await forgetNightly(db, 'a');
  expect(await machines()).toEqual(['a', 'b']);
  await unseenFor('6 minutes');
  await forgetNightly(db, 'a');
  expect(await machines()).toEqual(['b']);
  await unseenFor('6 days');
  await sweepNightly(db);
  expect(await machines()).toEqual(['b']);
  await unseenFor('8 days');
  await sweepNightly(db);
  expect(await machines()).toEqual([]);
});

test('a pause of the whole service counts from its end, one of an hour does not', async () => {
  const { db } = service;
  const sinceMinutes = async () => {
    const { nowMs, nightlySinceMs } = await state();
    return Math.round((nowMs - nightlySinceMs!) / 60_000);
  };
  const pause = async (seen: string) => {
    await db.query(
      `UPDATE mxproof.nightly_backups SET since = now() - interval '9 days', seen_at = now() - $1::interval`,
      [seen],
    );
    await sayNightly(db, 'a', folder);
  };
  await sayNightly(db, 'a', folder);
  await pause('1 hour');
  expect(await sinceMinutes()).toBe(9 * 24 * 60);
  await pause('25 hours');
  expect(await sinceMinutes()).toBe(0);
});

test('a restored store expects no backups of the machines that the other one had', async () => {
  await sayNightly(service.db, 'a', folder);
  const file = join(folder, 'own.backup');
  await backupToFile({ actor: THE_SERVICE, db: service.db, config: config(), file });
  const fresh = await freshDatabase();
  const db = openDatabase({ url: fresh.url, poolSize: 1, onError: () => {} });
  try {
    await restoreFromFile({
      actor: THE_SERVICE,
      config: config({ DATABASE_URL: fresh.url }),
      file,
      warn: () => {},
    });
    expect(await readBackupState(db)).toMatchObject({ nightlySinceMs: null, failure: null });
  } finally {
    await db.close();
    await fresh.drop();
  }
});
