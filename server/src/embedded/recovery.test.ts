import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { startNode } from '../../test/child.ts';
import {
  endStores,
  newFolder,
  onEnd,
  postgresPid,
  quiet,
  sql,
  start,
  startService,
} from '../../test/stores.ts';
import { until } from '../../test/until.ts';
import { isPostgresOf, processIdentity } from './process-identity.ts';
import { useEmbedded } from './use-embedded.ts';

// Each test makes a cluster and starts servers: ten seconds and more on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
afterEach(endStores);

test('a PostgreSQL that is killed is started again on the same port with what was committed', async () => {
  const dataDir = newFolder();
  const embedded = await start(dataDir);
  const changes: boolean[] = [];
  embedded.onChange((isUp) => changes.push(isUp));
  await sql(embedded.connectionString, 'create table kept as select 7 as n');
  for (const round of [1, 2]) {
    process.kill(postgresPid(dataDir), 'SIGKILL');
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
  const orphan = postgresPid(dataDir);
  service.process.kill('SIGKILL');
  await service.ended;
  expect(processIdentity(orphan)).not.toBeNull();

  const next = await start(dataDir);
  expect(postgresPid(dataDir)).toBe(orphan);
  await sql(next.connectionString, 'create table kept as select 7 as n');
  process.kill(orphan, 'SIGKILL');
  await until(
    () =>
      next.isUp() && existsSync(join(dataDir, 'postgres/postmaster.pid')) && postgresPid(dataDir) !== orphan,
  );
  await until(() =>
    sql(next.connectionString, 'select n from kept').then(
      (rows) => rows.length === 1,
      () => false,
    ),
  );
  const last = postgresPid(dataDir);
  await next.stop();
  expect(processIdentity(last)).toBeNull();
});

test('stale lock files of both kinds do not stop a start, even when their process numbers went to others', async () => {
  const dataDir = newFolder();
  const service = startService(dataDir);
  const url = (await service.line(/^ready/)).slice('ready '.length);
  await sql(url, 'create table kept as select 7 as n');
  const pid = postgresPid(dataDir);
  service.process.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await service.ended;
  await until(() => processIdentity(pid) === null);
  // The number now belongs to a process of the same user that is no PostgreSQL.
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  const other = spawn('sleep', ['60'], { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid, gid }) });
  onEnd(() => other.kill('SIGKILL'));
  const pidFile = join(dataDir, 'postgres/postmaster.pid');
  writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(other.pid)));
  const next = await start(dataDir);
  expect(await sql(next.connectionString, 'select n from kept')).toEqual([{ n: 7 }]);
});

test('a first start that was killed half-way leaves nothing the next one trips over', async () => {
  const dataDir = newFolder();
  mkdirSync(join(dataDir, 'postgres.new-killed/cluster'), { recursive: true });
  await start(dataDir);
  expect(existsSync(join(dataDir, 'postgres.new-killed'))).toBe(false);
});

test('a command uses the running service’s server, and one of its own where there is none', async () => {
  const dataDir = newFolder();
  const alone = await useEmbedded(dataDir, quiet);
  await sql(alone.connectionString, 'create table kept as select 7 as n');
  const pid = postgresPid(dataDir);
  // A service that starts meanwhile waits for the command instead of failing.
  const service = startService(dataDir);
  await service.line(/^info data folder in use by process \d+, waiting$/);
  await alone.release();
  expect(isPostgresOf(pid, join(dataDir, 'postgres'))).toBe(false);
  await service.line(/^ready/);

  const beside = await useEmbedded(dataDir, quiet);
  expect(await sql(beside.connectionString, 'select n from kept')).toEqual([{ n: 7 }]);
  await beside.release();
  expect(isPostgresOf(postgresPid(dataDir), join(dataDir, 'postgres'))).toBe(true);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

test('a service that exits without stopping its PostgreSQL takes it along', async () => {
  const dataDir = newFolder();
  const file = JSON.stringify(join(import.meta.dirname, 'start-embedded.ts'));
  const script = `const { startEmbedded } = await import(${file});
    const log = { debug() {}, info() {}, warn() {} };
    await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log });
    process.exit(3);`;
  const child = startNode(['--input-type=module', '-e', script]);
  onEnd(() => child.end());
  expect(await child.ended).toBe(3);
  await until(() => !existsSync(join(dataDir, 'postgres/postmaster.pid')));
  const next = await start(dataDir);
  expect(await sql(next.connectionString, 'select 1 as n')).toEqual([{ n: 1 }]);
});
