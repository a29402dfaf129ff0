// A real embedded store of an older version, opened by this one.
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freshDatabase } from '../../../test/database.ts';
import { quiet } from '../../../test/service.ts';
import { startEmbedded } from '../../embedded/start-embedded.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { type Config, readConfig } from '../../settings/config.ts';
import { withStore } from '../../start/command-store.ts';
import { openStore } from '../../start/open-store.ts';
import { keptBackups } from '../../store/backups.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { applyMigrations, newestVersion } from '../../store/migrate.ts';
import { spreadErasures } from '../erasure/erasures-file.ts';
import { keepAndMigrate } from './before-upgrade.ts';
import { restoreFromFile, verifyFile } from './restore-from-file.ts';

const DUMP = readFileSync(new URL('../../../test/fixtures/store-0.1.0.sql', import.meta.url), 'utf8');
const DUMP_VERSION = 2;
const DUMP_JOBS = 8;
const OLDER = Number(
  readdirSync(new URL('../../store/migrations/', import.meta.url))
    .sort()
    .at(-2)!
    .slice(0, 4),
);
const KEPT = 3;
const folder = mkdtempSync(join(tmpdir(), 'mxproof-upgrade-'));
const dataDir = join(folder, 'data');
const silent = { debug() {}, info() {}, warn() {} };
const stops: (() => unknown)[] = [];
let lines: string[] = [];
const warn = (line: string) => void lines.push(line);

beforeAll(() => chmodSync(folder, 0o755));
beforeEach(() => {
  lines = [];
});
afterAll(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
});

function config(env: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ MXPROOF_DATA_DIR: dataDir, ...env });
}

/** Makes the store in the data folder one of an older version. */
async function makeOlder(older: (db: Database) => Promise<unknown>, dir = dataDir): Promise<void> {
  const embedded = await startEmbedded({ dataDir: dir, log: silent });
  const db = openDatabase({ url: embedded.connectionString, poolSize: 2, onError: () => {} });
  await db.query('DROP SCHEMA IF EXISTS mxproof CASCADE');
  await older(db);
  await db.close();
  await embedded.stop();
}

async function makeOlderByOne(dir = dataDir): Promise<void> {
  await makeOlder(async (db) => {
    await db.transaction((tx) => applyMigrations(tx, OLDER));
    await db.query(`INSERT INTO mxproof.accounts (name, credits, webhook_secret) VALUES ('old', 7, '')`);
    await db.query(`INSERT INTO mxproof.ledger (account_id, kind, amount) VALUES (1, 'grant', 7)`);
  }, dir);
}

/** As a service's start does; returns the version of the store afterwards. */
async function startOnce(given = config()): Promise<number> {
  const own: (() => unknown)[] = [];
  const life = {
    onStop: (_: string, __: number, stop: () => unknown) => own.push(stop),
    isStopping: () => false,
  };
  const log = Object.assign(Object.create(quiet) as typeof quiet, {
    info: (...said: unknown[]) => warn(String(said.at(-1))),
    warn: (...said: unknown[]) => warn(String(said.at(-1))),
  });
  try {
    return await versionOf((await openStore(given, log, life as never)).db);
  } finally {
    for (const stop of own.reverse()) await stop();
  }
}

async function versionOf(db: Database): Promise<number> {
  const [row] = await db.query<{ version: number }>('SELECT max(version) AS version FROM mxproof.migrations');
  return row!.version;
}

const copies = () =>
  readdirSync(dataDir)
    .filter((name) => name.startsWith('before-upgrade'))
    .sort();

test('a store of 0.1 is copied as a folder that 0.1 opens, and then migrated', async () => {
  await makeOlder((db) => db.query(DUMP));
  await expect(withStore(config(), warn, async () => {})).rejects.toThrow(
    'This store is of MXProof 0.1: stop that, and start "mxproof serve" once',
  );
  expect(copies()).toEqual([]);
  expect(await startOnce()).toBe(newestVersion());
  const [name] = copies();
  expect(name).toMatch(/^before-upgrade-0\.1-to-0\.2-\d{8}T\d{6}Z$/);
  const copy = join(dataDir, name!);
  expect(lines.join('\n')).toContain(`start MXProof 0.1 with MXPROOF_DATA_DIR=${copy}`);

  const embedded = await startEmbedded({ dataDir: copy, log: silent });
  const db = openDatabase({ url: embedded.connectionString, poolSize: 2, onError: () => {} });
  try {
    expect(await versionOf(db)).toBe(DUMP_VERSION);
    expect(await db.query('SELECT count(*) AS jobs FROM mxproof_jobs.job')).toEqual([{ jobs: DUMP_JOBS }]);
  } finally {
    await db.close();
    await embedded.stop();
  }
  // Nothing is left to migrate, and nothing is copied again.
  expect(await startOnce()).toBe(newestVersion());
  expect(copies()).toEqual([name]);
});

test('a store of a later version is backed up to a file, noted, from which it comes back', async () => {
  await makeOlderByOne();
  const noted = await withStore(config(), warn, ({ db }) => keptBackups(db));
  const file = join(dataDir, copies().find((name) => name.endsWith('.backup'))!);
  expect(file).toContain(`before-upgrade-${OLDER}-to-${newestVersion()}-`);
  expect(noted.map(({ path, isNightly }) => [path, isNightly])).toEqual([[file, false]]);
  expect(lines.join('\n')).toContain(`the store as it was is in ${file}; the way back is "mxproof restore"`);
  expect((await verifyFile(file, config())).header.version).toBe(OLDER);
  // As beside every backup: nothing was erased yet, and what is erased from now on is added.
  const erasures = () => readFileSync(join(dataDir, 'erasures'), 'utf8').split('\n').length - 1;
  expect(erasures()).toBe(0);
  const erase = (db: Database) =>
    db.query(
      `INSERT INTO mxproof.erasures (key_id, hash, done_at, up_to_list) VALUES ('0123456789abcdef', sha256('x'), now(), 0)`,
    );
  await withStore(config(), warn, async ({ db }) => {
    await erase(db);
    expect(await spreadErasures(db, dataDir)).toEqual({ folders: 1, failed: [] });
    expect(erasures()).toBe(1);
    // As after an upgrade that was killed before it could note its backup.
    await db.query('DELETE FROM mxproof.backups');
    await erase(db);
    expect(await spreadErasures(db, dataDir)).toEqual({ folders: 1, failed: [] });
    expect(erasures()).toBe(2);
  });
  const other = await freshDatabase();
  stops.push(() => other.drop());
  const elsewhere = config({ DATABASE_URL: other.url });
  expect(readdirSync(dataDir)).toContain('erasures');
  await restoreFromFile({ actor: THE_SERVICE, config: elsewhere, file, warn });
  const accounts = await withStore(elsewhere, warn, ({ db }) =>
    db.query('SELECT name, credits FROM mxproof.accounts'),
  );
  expect(accounts).toEqual([{ name: 'old', credits: 7 }]);
});

test('where the backup cannot be written the start ends with what to do, and the store is as it was', async () => {
  await makeOlderByOne();
  // A folder that takes no file: root may write to any other.
  const closed = { ...config(), dataDir: '/proc' };
  const before = copies();
  const embedded = await startEmbedded({ dataDir, log: silent });
  stops.push(() => embedded.stop());
  const db = openDatabase({ url: embedded.connectionString, poolSize: 2, onError: () => {} });
  try {
    const migrate = () => Promise.reject(new Error('it was migrated all the same'));
    const log = { info: warn, warn } as never;
    await expect(keepAndMigrate({ db, config: closed, log, migrate })).rejects.toThrow(
      /^The store cannot be backed up before the upgrade and is left as it was: Cannot write \/proc\/before-\S+ \(E\w+\); make room in MXPROOF_DATA_DIR, or set MXPROOF_UPGRADE_BACKUP=0/,
    );
    expect(await versionOf(db)).toBe(OLDER);
  } finally {
    await db.close();
    await embedded.stop();
  }
  expect(copies()).toEqual(before);
});

test('the newest few are kept, and none is made where none is wanted', async () => {
  for (const year of ['2001', '2002', '2003']) {
    writeFileSync(join(dataDir, `before-upgrade-17-to-20-${year}0101T000000Z.backup`), '');
    mkdirSync(join(dataDir, `before-upgrade-17-to-20-${year}0202T000000Z.part`));
  }
  await makeOlderByOne();
  expect(await startOnce(config({ MXPROOF_UPGRADE_BACKUP: '0' }))).toBe(newestVersion());
  expect(lines.join('\n')).toContain('without a backup by MXProof');
  expect(copies().filter((name) => name.includes('-17-to-20-200'))).toHaveLength(6);

  await makeOlderByOne();
  expect(await startOnce()).toBe(newestVersion());
  expect(copies()).toHaveLength(KEPT);
  expect(copies().filter((name) => /-200\d/.test(name))).toEqual([]);
});

test('of a database of your own none is made, and the log says so', async () => {
  const own = await freshDatabase();
  stops.push(() => own.drop());
  const db = openDatabase({ url: own.url, poolSize: 1, onError: () => {} });
  await db.transaction((tx) => applyMigrations(tx, OLDER));
  await db.close();
  const before = copies();
  expect(await startOnce(config({ DATABASE_URL: own.url }))).toBe(newestVersion());
  expect(lines.join('\n')).toContain('the only way back is one of your own');
  expect(copies()).toEqual(before);
});

test.skipIf(process.getuid?.() !== 0)(
  'what root keeps in the data folder of another user is that user’s, down to the last file',
  async () => {
    const theirs = join(folder, 'theirs');
    const owner = 65_534;
    mkdirSync(theirs, { mode: 0o700 });
    chownSync(theirs, owner, owner);
    const given = config({ MXPROOF_DATA_DIR: theirs });
    await makeOlder((db) => db.query(DUMP), theirs);
    expect(await startOnce(given)).toBe(newestVersion());
    await makeOlderByOne(theirs);
    expect(await startOnce(given)).toBe(newestVersion());
    const kept = readdirSync(theirs).filter((name) => /^before-upgrade|^erasures/.test(name));
    expect(kept.map((name) => name.replace(/\d{8}T\d{6}Z/, 'DATE'))).toEqual([
      'before-upgrade-0.1-to-0.2-DATE',
      `before-upgrade-${OLDER}-to-${newestVersion()}-DATE.backup`,
      'erasures',
    ]);
    const copy = readdirSync(join(theirs, kept[0]!), { recursive: true, encoding: 'utf8' });
    expect(copy).toContain('postgres/PG_VERSION');
    for (const name of [...kept, ...copy.map((each) => join(kept[0]!, each))])
      expect([name, lstatSync(join(theirs, name)).uid]).toEqual([name, owner]);
  },
);
