// `mxproof doctor` as an operator runs it.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../../server/test/database.ts';
import { type Env, mxproof, onTerminal } from '../../test/run-mxproof.ts';

const folder = mkdtempSync(join(tmpdir(), 'mxproof-doctor-'));
let database: TestDatabase;
let env: Env;
beforeAll(async () => {
  database = await freshDatabase();
  env = {
    DATABASE_URL: database.url,
    MXPROOF_DATA_DIR: folder,
    MXPROOF_SECRET_KEY: 'a key that is long enough',
    MXPROOF_DNS_SERVERS: '127.0.0.1:9',
  };
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('what it is asked for alone, as a tree or as JSON of exactly that shape; status 0 or 1', async () => {
  const well = await mxproof(['doctor', '--only', 'config', '--only', 'policy,secret_key'], env);
  expect(well).toEqual({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/\n3 ok\. Nothing is wrong\.\n$/),
  });
  expect(well.stdout).not.toContain('PostgreSQL');
  const sick = await mxproof(['doctor', '--only', 'postgres', '--json'], env);
  expect(sick).toMatchObject({ status: 1, stderr: '' });
  expect(JSON.parse(sick.stdout)).toEqual({
    ok: false,
    checks: [
      {
        id: 'postgres',
        title: 'PostgreSQL: fsync',
        status: 'failure',
        detail: expect.stringContaining('fsync is off'),
        advice: expect.stringContaining('fsync = on'),
      },
    ],
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('an id that there is not is a wrong call that names those there are', async () => {
  const ran = await mxproof(['doctor', '--only', 'disks'], env);
  expect(ran).toMatchObject({ status: 2, stdout: '' });
  expect(ran.stderr).toMatch(
    /^--only must be one or more of config, .*disk.* source\.ptr.*, source, .*\.\n$/,
  );
});

test('a configuration that does not parse gets a report as well', async () => {
  const ran = await mxproof(['doctor'], { ...env, MXPROOF_SMTP_PORT: 'smtp' });
  expect(ran).toMatchObject({ status: 1, stderr: '' });
  expect(ran.stdout).toMatch(/✗ failure {2}Configuration .*MXPROOF_SMTP_PORT must be/);
  expect(ran.stdout).toMatch(/1 failure, \d+ skipped\. To repair: config\.\n$/);
});

test('on a terminal it has colours unless they are refused, and says what it waits for', async () => {
  const only = ['doctor', '--only', 'config'];
  const seen = await onTerminal(only, env).ran;
  expect(seen.stdout).toContain('waiting for config');
  expect(seen.stdout).toContain('\u001b[32m✓ ok');
  const plain = await onTerminal(only, { ...env, NO_COLOR: '1' }).ran;
  expect(plain.stdout).toContain('✓ ok       Configuration');
});

test('it ends by itself although the database never speaks, and shows no password', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const url = `postgresql://anyone:hunter2hunter2@127.0.0.1:${port}/x`;
  const ran = await mxproof(['doctor', '--only', 'postgres'], { ...env, DATABASE_URL: url });
  expect(ran.status).toBe(1);
  expect(ran.stdout).toContain('PostgreSQL did not answer within 9 s');
  expect(ran.stdout + ran.stderr).not.toContain('hunter2');
  for (const socket of sockets) socket.destroy();
  silent.close();
});
