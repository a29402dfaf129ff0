// What the doctor asks of a database, on a real PostgreSQL, behind poolers, and on what only looks like one.

import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../../test/database.ts';
import { startFakePooler } from '../../../test/fake-pooler.ts';
import { hasPgBouncer, startPgBouncer } from '../../../test/pgbouncer.ts';
import { findFreePort } from '../../embedded/free-port.ts';
import { openAccount } from '../../flow/open-account.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { findPooler, readDatabaseFacts } from '../../store/database-facts.ts';
import { migrate } from '../../store/migrate.ts';
import { createSecretBox } from '../../store/secret-box.ts';
import { diagnose } from './diagnose.ts';
import type { ReportedCheck } from './doctor-report.ts';

const KEY = 'a key that is long enough';
const LIMITS = { openMs: 30_000, checkMs: 30_000, allMs: 60_000, graceMs: 500 };
const folder = mkdtempSync(join(tmpdir(), 'mxproof-doctor-'));
const closers: (() => unknown)[] = [];
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, poolSize: 2 });
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await db.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(
  only: string,
  env: Readonly<Record<string, string>> = {},
  limits = LIMITS,
): Promise<readonly ReportedCheck[]> {
  const own = { DATABASE_URL: database.url, MXPROOF_SECRET_KEY: KEY, MXPROOF_DATA_DIR: folder, ...env };
  return (await diagnose(own, { only: [only], limits, closeLimitMs: 2_000 })).checks;
}

test('migrations: a database without tables is behind, is not migrated by being asked, then right, then too new', async () => {
  const told = async () => (await ask('migrations')).map(({ status, detail }) => `${status} ${detail}`);
  for (const _ of [1, 2])
    expect(await told()).toEqual([
      expect.stringMatching(/^warning The database has no tables yet, and .* needs \d+\.$/),
    ]);
  expect((await ask('secret_key'))[0]).toMatchObject({
    status: 'ok',
    detail: 'There is a key, and nothing stored yet.',
  });
  expect((await ask('backup'))[0]).toMatchObject({
    status: 'skipped',
    detail: 'The database is not migrated yet.',
  });
  await migrate(db);
  expect((await ask('backup'))[0]).toMatchObject({
    status: 'skipped',
    detail: expect.stringMatching(/^No backup/),
  });
  expect(await told()).toEqual([expect.stringMatching(/^ok The database is at version \d+/)]);
  await db.query('INSERT INTO mxproof.migrations (version) VALUES (9999)');
  expect(await told()).toEqual([
    expect.stringMatching(/^failure The database is at version 9999, and this MXProof knows/),
  ]);
  await db.query('DELETE FROM mxproof.migrations WHERE version >= 9999 OR version > 16');
  expect(await told()).toEqual([
    expect.stringMatching(/^warning The database is at version 16, and .* needs/),
  ]);
});

test('secret_key: opens what is stored, is another, is missing, is short; none is made', async () => {
  const told = async (env: Readonly<Record<string, string>>) => {
    const [line] = await ask('secret_key', env);
    return `${line!.status} ${line!.detail}`;
  };
  await openAccount(db, THE_SERVICE, createSecretBox(KEY), { name: 'one', credits: 0 });
  expect(await told({})).toBe('ok The key opens what is stored.');
  expect(await told({ MXPROOF_SECRET_KEY: 'the key of another service' })).toMatch(
    /^failure The secret key is not the one/,
  );
  expect(await told({ MXPROOF_SECRET_KEY: '' })).toMatch(
    /^warning MXPROOF_SECRET_KEY is not set, and the data folder has no key/,
  );
  expect(existsSync(join(folder, 'secret-key'))).toBe(false);
  writeFileSync(join(folder, 'secret-key'), `${KEY}\n`, { mode: 0o640 });
  expect(await told({ MXPROOF_SECRET_KEY: '' })).toMatch(
    /^failure The secret key in \S+secret-key can be read by the group of the file or by others\.$/,
  );
  chmodSync(join(folder, 'secret-key'), 0o600);
  expect(await told({ MXPROOF_SECRET_KEY: '' })).toBe('ok The key opens what is stored.');
  // As a rotation leaves it that is killed while it waits for the nodes.
  writeFileSync(join(folder, 'secret-key.next'), `${'b'.repeat(64)}\n`, { mode: 0o600 });
  expect(await told({ MXPROOF_SECRET_KEY: '' })).toMatch(/^warning A rotation .* nothing is sealed with it/);
  rmSync(join(folder, 'secret-key.next'));
  rmSync(join(folder, 'secret-key'));
  // Remembered, but what was sealed with it is gone.
  await db.query(`UPDATE mxproof.accounts SET webhook_secret = ''`);
  expect(await told({})).toBe('ok The key opens what is stored.');
  expect(await told({ DATABASE_URL: '', MXPROOF_SECRET_KEY: '' })).toBe(
    'skipped There is no key yet: the first start of the service makes it.',
  );
  await db.query('DELETE FROM mxproof.secret_key');
  expect(await told({ MXPROOF_SECRET_KEY: 'short' })).toMatch(/^warning The secret key is short\.$/);
});

test('postgres: the server of the tests has fsync off, and the doctor says what that means', async () => {
  expect(await ask('postgres')).toEqual([
    {
      id: 'postgres',
      title: 'PostgreSQL: fsync',
      status: 'failure',
      detail: expect.stringContaining('fsync is off: a power cut'),
      advice: expect.stringContaining('fsync = on'),
    },
  ]);
});

test('postgres: what is left of the connections is what the narrowest limit leaves', async () => {
  const name = new URL(database.url).pathname.slice(1);
  const wide = await readDatabaseFacts(db);
  expect(wide).toMatchObject({ isStandby: false, hasFsync: false });
  expect(wide.version).toBeGreaterThanOrEqual(140_000);
  expect(wide.connectionsAllowed).toBeGreaterThan(100);
  expect(wide.connectionsLeft).toBeLessThan(wide.connectionsAllowed);
  await db.query(`ALTER DATABASE ${name} CONNECTION LIMIT 7`);
  const narrow = await readDatabaseFacts(db);
  await db.query(`ALTER DATABASE ${name} CONNECTION LIMIT -1`);
  expect(narrow.connectionsAllowed).toBe(7);
  expect(narrow.connectionsLeft).toBeLessThan(7);
});

test('postgres: another session’s open transaction is seen', async () => {
  const other = await db.connectAlone();
  await other.query('BEGIN');
  await other.query('SELECT 1');
  const { oldestTransactionSeconds } = await readDatabaseFacts(db);
  await other.query('ROLLBACK');
  await other.end();
  expect(oldestTransactionSeconds).toBeGreaterThan(0);
});

test('clock: this machine’s own PostgreSQL agrees with it', async () => {
  expect(await ask('clock')).toMatchObject([{ status: 'ok' }]);
});

test.each([
  [{ mode: 'transaction', order: 'last', backends: 3 }, 'transaction'],
  [{ mode: 'transaction', order: 'turns', backends: 2 }, 'transaction'],
  [{ mode: 'transaction', order: 'last', backends: 1 }, 'transaction'],
  [{ mode: 'session', order: 'last', backends: 3 }, 'session'],
  [{ mode: 'session', order: 'turns', backends: 3 }, 'session'],
] as const)('a pooler that is %j is found in %s mode', async (rules, expected) => {
  const pooler = await startFakePooler(rules);
  const behind = openDatabase({ url: pooler.url, poolSize: 1 });
  try {
    expect(await findPooler(behind, new AbortController().signal)).toBe(expected);
  } finally {
    await behind.close();
    await pooler.close();
  }
});

test('PostgreSQL itself is no pooler, however busy it is', async () => {
  expect(await findPooler(db, new AbortController().signal)).toBe('none');
});

test.skipIf(!hasPgBouncer).each([
  ['transaction', 'PostgreSQL: pooler', 'A pooler in transaction mode is in between'],
  ['statement', 'PostgreSQL: pooler', 'A pooler in transaction mode is in between'],
  // The PostgreSQL behind it has fsync off, and nothing else is wrong.
  ['session', 'PostgreSQL: fsync', 'fsync is off'],
])('postgres: PgBouncer in %s mode is told from PostgreSQL', async (mode, title, detail) => {
  const pooler = await startPgBouncer(database.url, `pool_mode = ${mode}`);
  closers.push(() => pooler.stop());
  const lines = await ask('postgres', { DATABASE_URL: pooler.url });
  expect(lines.map((line) => line.title)).toContain(title);
  expect(lines.map((line) => line.detail).join('\n')).toContain(detail);
  expect(lines.some((line) => line.title === 'PostgreSQL: pooler')).toBe(title === 'PostgreSQL: pooler');
});

const unopened = async (url: string, limits = LIMITS) =>
  (await ask('postgres', { DATABASE_URL: url }, limits))[0]!;

test('postgres: a database that cannot be opened says why, what to do, and no password', async () => {
  const wrong = new URL(database.url);
  wrong.password = 'hunter2hunter2';
  const missing = new URL(database.url);
  missing.pathname = '/no_such_database';
  const closed = new URL(database.url);
  closed.port = String(await findFreePort());
  closed.password = 'hunter2hunter2';
  const lines = [await unopened(wrong.href), await unopened(missing.href), await unopened(closed.href)];
  expect(lines.map(({ status, detail, advice }) => [status, detail, advice])).toEqual([
    [
      'failure',
      expect.stringContaining('password authentication failed'),
      expect.stringContaining('Correct the user'),
    ],
    ['failure', expect.stringContaining('does not exist'), expect.stringContaining('createdb')],
    ['failure', expect.stringContaining('ECONNREFUSED'), expect.stringContaining('Start PostgreSQL')],
  ]);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test('a database that accepts and never speaks ends in a line, and what needs it is skipped', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const limits = { openMs: 100, checkMs: 200, allMs: 400, graceMs: 10 };
  const env = { DATABASE_URL: `postgresql://a:b@127.0.0.1:${port}/c`, MXPROOF_DATA_DIR: folder };
  const only = ['postgres', 'migrations', 'clock', 'backup'];
  const { ok, checks } = await diagnose(env, { only, limits, closeLimitMs: 50 });
  expect(ok).toBe(false);
  expect(checks.map(({ id, status, detail }) => `${id} ${status} ${detail}`)).toEqual([
    'clock skipped This needs the database, which could not be opened.',
    'postgres failure Cannot use the database at DATABASE_URL: PostgreSQL did not answer within 0.1 s.',
    'migrations skipped This needs the database, which could not be opened.',
    expect.stringMatching(/^backup skipped /),
  ]);
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test('a configuration that does not parse is the one failure, whatever was asked for', async () => {
  const secret = 'postgres://me:hunter2hunter2@db';
  const report = await diagnose({ DATABASE_URL: secret, MXPROOF_SMTP_PORT: 'smtp' }, { only: ['disk'] });
  expect(report).toMatchObject({
    ok: false,
    checks: [
      {
        id: 'config',
        status: 'failure',
        detail: 'MXPROOF_SMTP_PORT must be a whole number from 1 to 65535.',
      },
      { id: 'disk', status: 'skipped', detail: 'The configuration cannot be read.' },
    ],
  });
});
