// A full disk is a small tmpfs that a file fills up, so it takes root to run; elsewhere the test is skipped.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startWorld } from '../../../world/src/index.ts';
import { startNode } from '../child.ts';
import { startReceiver } from '../receiver.ts';
import { ordinaryWorld, people, until } from './fault-rig.ts';

const LAUNCHER = join(import.meta.dirname, '../../../cli/bin/mxproof.mjs');
const DISK_MB = 120;
const ADDRESSES = 900;
const STOP_LIMIT_MS = 10_000;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function newDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-disk-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  closers.push(() => execFileSync('umount', [folder]));
  chmodSync(folder, 0o755);
  return folder;
}

function fillUp(file: string): void {
  const megabyte = Buffer.alloc(1024 * 1024);
  for (let size = megabyte.length; size > 0; ) {
    try {
      writeFileSync(file, megabyte.subarray(0, size), { flag: 'a' });
    } catch {
      size = Math.floor(size / 2);
    }
  }
}

test('with its disk full the service says 503 and why, and goes on by itself when there is room, callbacks included', async ({
  skip,
}) => {
  const disk = newDisk();
  if (disk === null) return skip('a small disk could not be mounted: this takes root');
  const world = await startWorld(ordinaryWorld(250));
  closers.push(() => world.close());
  const receiver = await startReceiver((response) => response.end());
  closers.push(receiver.close);
  const caFile = join(disk, 'ca.pem');
  writeFileSync(caFile, receiver.ca);
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    MXPROOF_DATA_DIR: join(disk, 'data'),
    MXPROOF_SHOW_FIRST_KEY: '1',
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_DNS_SENTINELS: 'none',
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    MXPROOF_HELO_NAME: 'probe.mxproof.example',
    MXPROOF_CALLBACK_RETRY_SECONDS: '1,1',
    NODE_EXTRA_CA_CERTS: caFile,
  };
  const service = startNode([LAUNCHER, 'serve'], env);
  closers.push(async () => {
    // Killed, it would leave its PostgreSQL behind, and the disk in use.
    service.process.kill('SIGTERM');
    await Promise.race([service.ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
    await service.end();
  });
  const { url } = JSON.parse(await service.line(/"msg":"ready"/)) as { url: string };
  const key = /Bearer (\S+)'/.exec(await service.line(/curl .*\/v1\/account/))![1]!;
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
    return { status: answer.status, json: (await answer.json()) as any };
  };

  expect(await startNode([LAUNCHER, 'credits', 'add', '1', '1000000'], env).ended).toBe(0);
  const callback_url = receiver.url;
  const { json: list } = await call('POST', '/v1/lists', { emails: people(ADDRESSES), callback_url });
  await until(async () => world.seen.total.rcpts > 0);
  const fill = join(disk, 'fill');
  fillUp(fill);
  const more = { emails: people(100, 5_000), name: 'until the pages are full', callback_url };
  const lists: number[] = [list.id];
  await until(async () => {
    const { status, json } = await call('POST', '/v1/lists', more);
    if (status === 201) lists.push(json.id);
    else expect(json).toEqual({ error: 'service unavailable' });
    return status === 503;
  });
  await service.line(/No space left on device/);
  // There may be room for one address in a page that is there already: then it is pending, and not lost.
  const single = await call('POST', '/v1/verify', { email: people(1)[0] });
  if (single.status !== 202) expect(single).toEqual({ status: 503, json: { error: 'service unavailable' } });
  expect((await call('GET', '/healthz')).status).toBe(200);
  rmSync(fill);
  for (const id of lists) {
    await until(async () => (await call('GET', `/v1/lists/${id}`)).json.status === 'done');
    const { json } = await call('GET', `/v1/lists/${id}/results?limit=10000`);
    for (const { email, state } of json.results)
      expect([email, state]).toEqual([email, world.truth(email).state]);
    await until(async () => (await call('GET', `/v1/lists/${id}/callback`)).json.state === 'delivered');
  }
  if (single.status === 202)
    await until(async () => (await call('GET', `/v1/lists/${single.json.list_id}`)).json.status === 'done');
  const announced = receiver.received.map(({ body }) => JSON.parse(body.toString()).list.id);
  expect([...new Set(announced)].sort((a, b) => a - b)).toEqual(lists);
  const ledger = startNode([LAUNCHER, 'ledger', 'verify'], env);
  expect(await ledger.ended).toBe(0);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
