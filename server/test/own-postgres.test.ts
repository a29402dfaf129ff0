// The operator's own PostgreSQL (DATABASE_URL): any installed one from 14 on, as Debian's; runs where one is found.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startNode } from './child.ts';
import { until } from './until.ts';

const bin = globSync('/usr/lib/postgresql/*/bin').find(
  (folder) => Number(folder.split('/')[4]) >= 14 && existsSync(join(folder, 'initdb')),
);
const isRequired = process.env.MXPROOF_REQUIRE_EXTRAS === '1';
if (!bin && !isRequired) console.warn('skipped: no PostgreSQL 14 or newer in /usr/lib/postgresql');

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function startOwnPostgres(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  // PostgreSQL refuses root; the package that brings it also brings its user.
  const { uid, gid } =
    process.getuid?.() === 0 ? statSync('/var/lib/postgresql') : { uid: undefined, gid: undefined };
  const user = uid === undefined || gid === undefined ? {} : { uid, gid };
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const password = join(folder, 'password');
  writeFileSync(password, 'secret\n', { mode: 0o644 });
  const cluster = join(folder, 'cluster');
  const options = { ...user, cwd: '/', encoding: 'utf8' } as const;
  const made = spawnSync(
    join(bin!, 'initdb'),
    [
      '-D',
      cluster,
      '-U',
      'operator',
      '-A',
      'scram-sha-256',
      `--pwfile=${password}`,
      '-N',
      '-E',
      'UTF8',
      '--locale=C',
    ],
    options,
  );
  expect(made.status, made.stderr).toBe(0);
  const port = await freePort();
  const args = [
    '-D',
    cluster,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    'fsync=off',
  ];
  const server = spawn(join(bin!, 'postgres'), args, { ...user, cwd: '/', stdio: 'ignore' });
  const ended = once(server, 'exit');
  const url = `postgresql://operator:secret@127.0.0.1:${port}/postgres`;
  await until(async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect().finally(() => client.end().catch(() => {}));
  });
  const stop = async () => {
    server.kill('SIGINT');
    await ended;
  };
  return { url, stop };
}

test.runIf(bin || isRequired)('the same service runs on the operator’s own PostgreSQL', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-own-'));
  const own = await startOwnPostgres(folder);
  const launcher = join(import.meta.dirname, '../../cli/bin/mxproof.mjs');
  const service = startNode([launcher, 'serve'], {
    PATH: process.env.PATH,
    PORT: '0',
    DATABASE_URL: own.url,
    MXPROOF_SECRET_KEY: 'a key for this test',
    MXPROOF_DATA_DIR: join(folder, 'data'),
    MXPROOF_HELO_NAME: 'probe.example.com',
    MXPROOF_DNS_SERVERS: '127.0.0.1:9',
  });
  try {
    const { url } = JSON.parse(await service.line(/"msg":"ready"/)) as { url: string };
    const key = /Bearer (\S+)'/.exec(await service.line(/curl .*\/v1\/account/))![1]!;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const call = async (path: string, body?: object) => {
      const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
      const answer = await fetch(`${url}/v1${path}`, request);
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    expect(await call('/verify', { email: 'no address' })).toMatchObject({
      status: 200,
      body: { reason: 'invalid_email' },
    });
    const emails = Array.from({ length: 600 }, (_, n) => `not an address ${n}`);
    const list = await call('/lists', { emails });
    expect(list).toMatchObject({ status: 201, body: { total: 600 } });
    await until(async () => (await call(`/lists/${list.body.id}`)).body.status === 'done');
    expect(await call('/account')).toMatchObject({ body: { credits: 399, credits_used: 601, lists: 2 } });
  } finally {
    service.process.kill('SIGTERM');
    const status = await service.ended;
    await own.stop();
    rmSync(folder, { recursive: true, force: true });
    expect(status).toBe(0);
  }
});
