import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { type Child, startNode } from '../../../test/child.ts';
import { isPostmasterOf, processIdentity } from './process-identity.ts';
import { type Embedded, startEmbedded } from './start-embedded.ts';
import { useEmbedded } from './use-embedded.ts';

const quiet = { debug() {}, info() {}, warn() {} };
const isRoot = process.getuid?.() === 0;
const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function newFolder(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof store '));
  chmodSync(folder, mode);
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function start(dataDir: string): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, log: quiet });
  cleanups.push(() => embedded.stop());
  return embedded;
}

function startService(dataDir: string): Child {
  const child = startNode([join(import.meta.dirname, '../../../test/embedded-service.ts'), dataDir]);
  cleanups.push(() => child.end());
  return child;
}

async function sql(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('waited 15 s in vain');
    await sleep(20);
  }
}

test('the first start makes a store that is safe, private, and there again at the next start', async () => {
  const dataDir = join(newFolder(), 'a b/data');
  const first = await startEmbedded({ dataDir, log: quiet });
  const [settings] = await sql(
    first.connectionString,
    `select current_setting('fsync') as fsync, current_setting('listen_addresses') as listens,
       current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
       current_setting('unix_socket_directories') as sockets`,
  );
  expect(settings).toEqual({
    fsync: 'on',
    listens: '127.0.0.1',
    checksums: 'on',
    encoding: 'UTF8',
    sockets: '',
  });
  await sql(first.connectionString, 'create table kept as select 7 as n');
  expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
  const url = new URL(first.connectionString);
  url.password = 'wrong';
  await expect(sql(url.href, 'select 1')).rejects.toThrow('password authentication failed');
  await first.stop();
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);

  const second = await start(dataDir);
  expect(await sql(second.connectionString, 'select n from kept')).toEqual([{ n: 7 }]);
});

test('two data folders are two stores on one machine', async () => {
  const [one, two] = await Promise.all([start(newFolder()), start(newFolder())]);
  await sql(one.connectionString, 'create table mine (n int)');
  expect(await sql(two.connectionString, "select to_regclass('mine') as t")).toEqual([{ t: null }]);
});

test('a second start on a data folder in use stops with one sentence, and the first goes on', async () => {
  const dataDir = newFolder();
  const first = await start(dataDir);
  const second = startService(dataDir);
  expect(await second.line(/^refused/)).toMatch(
    /^refused MXProof is already running on the data folder .*: stop it, or choose .*\.$/,
  );
  expect(await second.ended).toBe(1);
  expect(await sql(first.connectionString, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('a PostgreSQL that is killed is started again on the same port with what was committed', async () => {
  const dataDir = newFolder();
  const embedded = await start(dataDir);
  const changes: boolean[] = [];
  embedded.onChange((isUp) => changes.push(isUp));
  await sql(embedded.connectionString, 'create table kept as select 7 as n');
  for (const round of [1, 2]) {
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await until(() => changes.length === round * 2);
    expect(await sql(embedded.connectionString, 'select n from kept')).toEqual([{ n: 7 }]);
  }
  expect(changes).toEqual([false, true, false, true]);
  expect(embedded.isUp()).toBe(true);
});

test('after kill -9 of the service the next start adopts the orphan, keeps it alive and stops it', async () => {
  const dataDir = newFolder();
  const service = startService(dataDir);
  await service.line(/^ready/);
  const orphan = postmasterPid(dataDir);
  service.process.kill('SIGKILL');
  await service.ended;
  expect(processIdentity(orphan)).not.toBeNull();

  const next = await start(dataDir);
  expect(postmasterPid(dataDir)).toBe(orphan);
  await sql(next.connectionString, 'create table kept as select 7 as n');
  process.kill(orphan, 'SIGKILL');
  await until(
    () =>
      next.isUp() &&
      existsSync(join(dataDir, 'postgres/postmaster.pid')) &&
      postmasterPid(dataDir) !== orphan,
  );
  await until(() =>
    sql(next.connectionString, 'select n from kept').then(
      (rows) => rows.length === 1,
      () => false,
    ),
  );
  const last = postmasterPid(dataDir);
  await next.stop();
  expect(processIdentity(last)).toBeNull();
});

test('stale lock files of both kinds do not stop a start, even when their process numbers went to others', async () => {
  const dataDir = newFolder();
  const service = startService(dataDir);
  const url = (await service.line(/^ready/)).slice('ready '.length);
  await sql(url, 'create table kept as select 7 as n');
  const pid = postmasterPid(dataDir);
  service.process.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await service.ended;
  await until(() => processIdentity(pid) === null);
  // The number now belongs to a process that is no PostgreSQL: this one.
  const pidFile = join(dataDir, 'postgres/postmaster.pid');
  writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(process.pid)));
  const next = await start(dataDir);
  expect(await sql(next.connectionString, 'select n from kept')).toEqual([{ n: 7 }]);
});

test('a first start that was killed half-way leaves nothing the next one trips over', async () => {
  const dataDir = newFolder();
  mkdirSync(join(dataDir, 'postgres.new-killed/cluster'), { recursive: true });
  await start(dataDir);
  expect(existsSync(join(dataDir, 'postgres.new-killed'))).toBe(false);
});

test('a store of another PostgreSQL major stops the start with a sentence that names the way out', async () => {
  const dataDir = newFolder();
  await (await startEmbedded({ dataDir, log: quiet })).stop();
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n');
  await expect(startEmbedded({ dataDir, log: quiet })).rejects.toThrow(
    /made by PostgreSQL 17 and this MXProof brings 18: dump it .* or choose another MXPROOF_DATA_DIR\.$/,
  );
  // And the refusal gave the folder back.
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '18\n');
  await start(dataDir);
});

test('a command uses the running service’s server, and one of its own where there is none', async () => {
  const dataDir = newFolder();
  const alone = await useEmbedded(dataDir, quiet);
  await sql(alone.connectionString, 'create table kept as select 7 as n');
  const pid = postmasterPid(dataDir);
  // A service that starts meanwhile waits for the command instead of failing.
  const service = startService(dataDir);
  await sleep(300);
  await alone.release();
  expect(isPostmasterOf(pid, join(dataDir, 'postgres'))).toBe(false);
  await service.line(/^ready/);

  const beside = await useEmbedded(dataDir, quiet);
  expect(await sql(beside.connectionString, 'select n from kept')).toEqual([{ n: 7 }]);
  await beside.release();
  expect(isPostmasterOf(postmasterPid(dataDir), join(dataDir, 'postgres'))).toBe(true);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

test.runIf(isRoot)(
  'root’s store below a folder nobody else may enter is put where its user can reach it',
  async () => {
    const closed = newFolder(0o700);
    const dataDir = join(closed, 'data');
    const service = startService(dataDir);
    const said = await service.line(/^info .*the database is in/);
    const home = said.split('the database is in ')[1]!.replace(/\/postgres$/, '');
    cleanups.push(() => rmSync(home, { recursive: true, force: true }));
    await service.line(/^ready/);
    expect(home).toMatch(/^\/var\/lib\/mxproof\/[0-9a-f]{16}$/);
    expect(statSync(join(home, 'postgres')).uid).not.toBe(0);
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);

    // A copy of the data folder must not end up on the same database.
    execFileSync('cp', ['-a', dataDir, join(closed, 'copy')]);
    await expect(startEmbedded({ dataDir: join(closed, 'copy'), log: quiet })).rejects.toThrow('of which');
    // A data folder that was moved takes its database along.
    execFileSync('mv', [dataDir, join(closed, 'moved')]);
    const moved = await start(join(closed, 'moved'));
    expect(await sql(moved.connectionString, 'select 1 as n')).toEqual([{ n: 1 }]);
  },
);
