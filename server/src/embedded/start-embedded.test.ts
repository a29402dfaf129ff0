import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { endStores, newFolder, onEnd, quiet, sql, start, startService } from '../../test/stores.ts';
import { startEmbedded } from './start-embedded.ts';

const isRoot = process.getuid?.() === 0;
// Each test makes a cluster and starts servers: ten seconds and more on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
afterEach(endStores);

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

test('a store of another PostgreSQL major stops the start with a sentence that names the way out', async () => {
  const dataDir = newFolder();
  await (await startEmbedded({ dataDir, log: quiet })).stop();
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n');
  await expect(startEmbedded({ dataDir, log: quiet })).rejects.toThrow(
    /created by PostgreSQL 17 and this MXProof ships 18: dump it .* or choose another MXPROOF_DATA_DIR\.$/,
  );
  // And the refusal gave the folder back.
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '18\n');
  await start(dataDir);
});

test.runIf(isRoot)(
  'root’s store below a folder that only root may enter is put where its user can reach it',
  async () => {
    const closed = newFolder(0o700);
    const dataDir = join(closed, 'data');
    const service = startService(dataDir);
    const said = await service.line(/^info .*the database is in/);
    const home = said.split('the database is in ')[1]!.replace(/\/postgres$/, '');
    onEnd(() => rmSync(home, { recursive: true, force: true }));
    await service.line(/^ready/);
    expect(home).toMatch(/^\/var\/lib\/mxproof-shared\/[0-9a-f]{16}$/);
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
