import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Child, startNode } from '../../test/child.ts';
import { freshDatabase } from '../../test/database.ts';
import { until } from '../../test/until.ts';
import { findFreePort } from '../embedded/free-port.ts';

const launcher = join(import.meta.dirname, '../../../cli/bin/mxproof.mjs');
const WELL = [200, '{"status":"ok"}', null];
const notReady = (why: string) => [503, '{"error":"service unavailable"}', why];
const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function start(command: 'serve' | 'work', env: Record<string, string>): Child {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-probes-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const child = startNode([launcher, command], {
    PATH: process.env.PATH,
    PORT: '0',
    MXPROOF_DATA_DIR: folder,
    MXPROOF_SECRET_KEY: 'a key of the tests',
    MXPROOF_DNS_SERVERS: '127.0.0.1:9',
    MXPROOF_HELO_NAME: 'probe.example.com',
    ...env,
  });
  cleanups.push(() => child.end());
  return child;
}

async function probe(port: number, path: string) {
  const answered = await fetch(`http://127.0.0.1:${port}${path}`);
  return [answered.status, await answered.text(), answered.headers.get('mxproof-error-detail')];
}

/** A database that can be absent: what connects to its port is led to the tests' PostgreSQL. */
async function absentDatabase() {
  const database = await freshDatabase();
  cleanups.push(() => database.drop());
  const to = new URL(database.url);
  const from = new URL(database.url);
  from.port = String(await findFreePort());
  let server: Server | null = null;
  const appear = () =>
    new Promise<void>((resolve) => {
      server = createServer((socket) => {
        const onward = connect(Number(to.port), to.hostname);
        for (const each of [socket, onward])
          each
            .on('error', () => {})
            .on('close', () => {
              socket.destroy();
              onward.destroy();
            });
        socket.pipe(onward).pipe(socket);
      }).listen(Number(from.port), from.hostname, resolve);
    });
  cleanups.push(() => server?.close());
  return { url: from.href, port: from.port, appear };
}

test.each([
  ['serve', 'PORT'],
  ['work', 'MXPROOF_METRICS_PORT'],
] as const)('while "mxproof %s" waits for its database it says why, is alive at %s, and is not ready', async (command, at) => {
  const database = await absentDatabase();
  const port = await findFreePort();
  const service = start(command, { DATABASE_URL: database.url, [at]: String(port) });
  await until(() => probe(port, '/healthz'));
  expect(await probe(port, '/healthz')).toEqual(WELL);
  await until(async () => (await probe(port, '/readyz'))[2] === 'database');
  expect(await probe(port, '/readyz')).toEqual(notReady('database'));
  if (command === 'serve') expect(await probe(port, '/v1/account')).toEqual(notReady('database'));
  const said = /"msg":"waiting for the database: connect ECONNREFUSED 127\.0\.0\.1:\d+"/;
  await service.line(said);
  await until(() => service.lines.filter((line) => said.test(line)).length > 1);
  await database.appear();
  await service.line(/"msg":"(ready|checking)"/);
  await until(async () => (await probe(port, '/readyz'))[0] === 200);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

test.each([
  ['serve', 'PORT', /"msg":"ready"/],
  ['work', 'MXPROOF_METRICS_PORT', /"msg":"checking"/],
] as const)('"mxproof %s" that is told to stop goes on for a while, says so to probes at %s, and stops at once on a second signal', async (command, at, begun) => {
  const database = await freshDatabase();
  cleanups.push(() => database.drop());
  const port = await findFreePort();
  const env = { DATABASE_URL: database.url, [at]: String(port), MXPROOF_DRAIN_SECONDS: '300' };
  const service = start(command, env);
  await service.line(begun);
  await until(async () => (await probe(port, '/readyz'))[0] === 200);
  service.process.kill('SIGTERM');
  await service.line(/draining/);
  expect(await probe(port, '/readyz')).toEqual(notReady('draining'));
  expect(await probe(port, '/healthz')).toEqual(WELL);
  if (command === 'serve') expect((await probe(port, '/v1/account'))[0]).toBe(401);
  // Not the second of two that npm sends at once, which is not counted.
  await until(() => {
    service.process.kill('SIGTERM');
    return service.process.exitCode !== null;
  });
  expect(await service.ended).toBe(0);
});

test('a password with an @ in it is not taken for a host', async () => {
  const service = start('serve', { DATABASE_URL: 'postgresql://ann:p@ss@127.0.0.1:5432/mxproof' });
  expect(await service.ended).toBe(1);
  expect(service.lines).toEqual([
    'DATABASE_URL has more than one @: write those of the user and the password as %40.',
  ]);
});
