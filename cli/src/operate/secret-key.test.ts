import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Child, startNode } from '../../../server/test/child.ts';

const launcher = join(import.meta.dirname, '../../bin/mxproof.mjs');
const folder = mkdtempSync(join(tmpdir(), 'mxproof-secret-key-'));
const children: Child[] = [];
afterAll(async () => {
  for (const each of children) await each.end();
  rmSync(folder, { recursive: true, force: true });
});

const env = {
  PATH: process.env.PATH,
  PORT: '0',
  MXPROOF_DATA_DIR: join(folder, 'data'),
  MXPROOF_DNS_SERVERS: '127.0.0.1:9',
  MXPROOF_HELO_NAME: 'probe.example.com',
  MXPROOF_SHOW_FIRST_KEY: '1',
};

function run(...words: string[]): Child {
  const child = startNode([launcher, ...words], env);
  children.push(child);
  return child;
}

const keyFiles = () =>
  readdirSync(join(folder, 'data'))
    .filter((name) => name.startsWith('secret-key'))
    .sort();

test('one command rotates the key of a running service, also where one before was killed; the service goes on, and starts again', async () => {
  const service = run('serve');
  const { url } = JSON.parse(await service.line(/"msg":"ready"/)) as { url: string };
  const [, key] = /Bearer (mx_live_[\w-]+)/.exec(await service.line(/curl .*\/v1\/account/))!;
  const before = readFileSync(join(folder, 'data/secret-key'), 'utf8');
  // It waits until the service has read the new key, and is killed there.
  const killed = run('secret-key', 'rotate');
  await killed.line(/Waiting until the nodes have the new key/);
  killed.process.kill('SIGKILL');
  await killed.ended;
  expect(keyFiles()).toEqual(['secret-key', 'secret-key.next']);
  const rotated = run('secret-key', 'rotate', '--json');
  const { sealed, kept_at } = JSON.parse(await rotated.line(/^{/)) as { sealed: number; kept_at: string };
  expect(await rotated.ended).toBe(0);
  expect(sealed).toBe(2);
  expect(readFileSync(kept_at, 'utf8')).toBe(before);
  expect(readFileSync(join(folder, 'data/secret-key'), 'utf8')).not.toBe(before);
  // The running service seals with the new key.
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/v1/account/webhook-secret`, { method: 'POST', headers });
  expect(answer.status).toBe(200);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  // And a start finds only the new key, once the one before is removed.
  rmSync(kept_at);
  const again = run('serve');
  await again.line(/"msg":"ready"/);
  again.process.kill('SIGTERM');
  expect(await again.ended).toBe(0);
});
