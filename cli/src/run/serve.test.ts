import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type Child, startNode } from '../../../server/test/child.ts';
import { freshDatabase } from '../../../server/test/database.ts';
import { startReceiver } from '../../../server/test/receiver.ts';
import { sql } from '../../../server/test/stores.ts';
import { until } from '../../../server/test/until.ts';
import { startWorld } from '../../../world/src/index.ts';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../bin/project-node.mjs';

const launcher = join(import.meta.dirname, '../../bin/mxproof.mjs');
const STOP_LIMIT_MS = 10_000;
const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof serve '));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function serve(
  dataDir: string,
  env: Record<string, string> = {},
  args: readonly string[] = ['serve'],
): Child {
  const all = {
    PATH: process.env.PATH,
    PORT: '0',
    MXPROOF_DATA_DIR: dataDir,
    MXPROOF_DNS_SERVERS: '127.0.0.1:9',
    MXPROOF_HELO_NAME: 'probe.example.com',
    MXPROOF_SHOW_FIRST_KEY: '1',
    ...env,
  };
  const child = startNode([launcher, ...args], all);
  cleanups.push(async () => {
    child.process.kill('SIGTERM');
    await Promise.race([child.ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
    await child.end();
  });
  return child;
}

async function readyUrl(child: Child): Promise<string> {
  return (JSON.parse(await child.line(/"msg":"ready"/)) as { url: string }).url;
}

test('commands that are pasted right after the first start wait for it, and find its account', async () => {
  const dataDir = newFolder();
  const service = serve(dataDir, { MXPROOF_SHOW_FIRST_KEY: '0' });
  // It says so before it has loaded what a command would otherwise find missing.
  await until(() => existsSync(join(dataDir, `service.lock/starting-${service.process.pid}`)));
  const env = { PATH: process.env.PATH, MXPROOF_DATA_DIR: dataDir };
  const [link, added, listed] = [
    ['account', 'link', '1', '--json'],
    ['credits', 'add', '1', '5', '--json'],
    ['account', 'list', '--json'],
  ].map((words) => startNode([launcher, ...words], env)) as [Child, Child, Child];
  // At its own address: it was not made before the service was there.
  const made = JSON.parse(await link.line(/^{/)) as { url: string; running: boolean };
  expect([made.running, new URL(made.url).origin]).toEqual([true, await readyUrl(service)]);
  expect(JSON.parse(await added.line(/^{/))).toMatchObject({ account_id: 1, credits: 1_005 });
  expect(JSON.parse(await listed.line(/^\[/))).toHaveLength(1);
  for (const command of [link, added, listed]) expect(await command.ended).toBe(0);
});

test('the first start prints an account once, its lines work as pasted, and SIGTERM ends it all with 0', async () => {
  const dataDir = newFolder();
  const first = serve(dataDir);
  const url = await readyUrl(first);
  const line = await first.line(/curl .*\/v1\/account/);
  const [, target, header] = /curl -s (\S+) -H '([^']+)'/.exec(line)!;
  const [name, value] = header!.split(': ');
  const account = await fetch(target!, { headers: { [name!]: value! } });
  expect(await account.json()).toMatchObject({ credits: 1000, credits_used: 0, lists: 0 });
  expect(await first.line(/webhook secret/)).toMatch(/webhook secret {2}\S{32,}/);
  expect(await first.line(/Docs:/)).toBe(`Docs: ${url}/docs`);
  expect((await fetch(`${url}/docs`)).status).toBe(200);
  const link = (await first.line(/Sign in to the console/)).split(' ').at(-1)!;
  expect(await (await fetch(link)).text()).toContain('first account');
  const pressed = await fetch(link, { method: 'POST', headers: { origin: url } });
  expect([pressed.status, pressed.headers.get('set-cookie')]).toEqual([
    200,
    expect.stringMatching(/HttpOnly/),
  ]);
  // A command beside the running service.
  const beside = startNode([launcher, 'account', 'list', '--json'], {
    PATH: process.env.PATH,
    MXPROOF_DATA_DIR: dataDir,
  });
  expect(JSON.parse(await beside.line(/^\[/))).toHaveLength(1);
  await beside.ended;
  first.process.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const json = first.lines.filter((each) => each.startsWith('{')).join('\n');
  expect(json).not.toMatch(/mx_live_|whsec_|sign-in\/[\w-]/);

  const second = serve(dataDir);
  await readyUrl(second);
  second.process.kill('SIGINT');
  expect(await second.ended).toBe(0);
  expect(second.lines.join('\n')).not.toMatch(/mx_live_|whsec_/);
});

test('however it is started, the service runs with the memory settings, in the process that was started', async () => {
  const child = serve(newFolder());
  await readyUrl(child);
  const proc = (file: string) => readFileSync(`/proc/${child.process.pid}/${file}`, 'utf8').split('\0');
  expect(proc('cmdline')).toEqual(expect.arrayContaining([...NODE_FLAGS]));
  for (const [name, value] of Object.entries(NODE_ENVIRONMENT))
    expect(proc('environ')).toContain(`${name}=${value}`);
});

test('while PostgreSQL is down the service answers 503, and serves again by itself', async () => {
  const dataDir = newFolder();
  const service = serve(dataDir);
  const url = await readyUrl(service);
  const key = /Bearer (\S+)'/.exec(await service.line(/curl .*\/v1\/account/))![1]!;
  const status = async () =>
    (await fetch(`${url}/v1/account`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await status()).toBe(200);
  process.kill(
    Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]),
    'SIGKILL',
  );
  const seen = new Set<number>();
  await until(async () => {
    const now = await status();
    seen.add(now);
    return now === 200 && (seen.size > 1 || service.lines.some((line) => line.includes('running again')));
  });
  expect([...seen].filter((each) => each !== 200 && each !== 503)).toEqual([]);
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

test('a check that waits for an unresponsive server does not hold up SIGTERM: its caller gets a 202 with the location, and nothing is lost', async () => {
  const world = await startWorld({
    domains: { 'silent.example': { host: { at: { rcpt: { next: 'silent' } } } } },
  });
  cleanups.push(() => world.close());
  const dataDir = newFolder();
  const env = {
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
  };
  const service = serve(dataDir, env);
  const url = await readyUrl(service);
  const key = /Bearer (\S+)'/.exec(await service.line(/curl .*\/v1\/account/))![1]!;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = fetch(`${url}/v1/verify`, {
    method: 'POST',
    headers,
    body: '{"email":"ann@silent.example"}',
  });
  answer.catch(() => {});
  await until(async () => world.seen.total.rcpts > 0);
  service.process.kill('SIGTERM');
  const response = await answer;
  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({ state: 'pending', list_id: 1 });
  expect(await service.ended).toBe(0);

  const next = serve(dataDir, env);
  const list = await fetch(`${await readyUrl(next)}/v1/lists/1`, { headers });
  expect(await list.json()).toMatchObject({ total: 1, checked: 0, finished_at: null });
  next.process.kill('SIGTERM');
  expect(await next.ended).toBe(0);
});

test('several nodes that start at once on one database migrate it once and make one first account', async () => {
  const database = await freshDatabase();
  cleanups.push(() => database.drop());
  const env = { DATABASE_URL: database.url, MXPROOF_SECRET_KEY: 'a key all nodes share' };
  const roles = [['serve'], ['serve', '--no-checks'], ['work'], ['serve']];
  const nodes = roles.map((args) => serve(newFolder(), env, args));
  await Promise.all(nodes.map((node) => node.line(/"msg":"(ready|checking)"/)));
  await Promise.any(nodes.map((node) => node.line(/API key/)));
  for (const node of nodes) node.process.kill('SIGTERM');
  expect(await Promise.all(nodes.map((node) => node.ended))).toEqual([0, 0, 0, 0]);
  const all = nodes.flatMap((node) => node.lines).join('\n');
  expect(all.match(/API key/g)).toHaveLength(1);
  expect(all.match(/database migrated/g)).toHaveLength(1);
});

test('a start that cannot listen says so in one sentence, leaves no PostgreSQL behind and shows no key that is lost', async () => {
  const one = serve(newFolder());
  const { port } = new URL(await readyUrl(one));
  const dataDir = newFolder();
  const two = serve(dataDir, { PORT: port });
  expect(await two.line(/^PORT/)).toBe(
    `PORT ${port} is already in use on 127.0.0.1: set PORT to another port.`,
  );
  expect(await two.ended).toBe(1);
  expect(() => readFileSync(join(dataDir, 'postgres/postmaster.pid'))).toThrow('ENOENT');
  // And the first account is still to be shown.
  await serve(dataDir).line(/API key/);
});

test('a worker beside a service on its embedded store is refused, and leaves the data folder alone', async () => {
  const dataDir = newFolder();
  const service = serve(dataDir, {}, ['serve', '--no-checks']);
  await readyUrl(service);
  // It is not sent to a worker that would be refused.
  const health = serve(dataDir, {}, ['healthcheck', '--role', 'work']);
  await health.line(/^No node that checks runs on .+: start "mxproof serve" without --no-checks\.$/);
  const held = () => readdirSync(join(dataDir, 'service.lock')).sort();
  const before = held();
  const worker = serve(dataDir, {}, ['work']);
  expect(await worker.ended).toBe(1);
  expect(worker.lines).toEqual([
    expect.stringMatching(/^A worker needs the PostgreSQL that the service uses: set DATABASE_URL/),
  ]);
  expect(held()).toEqual(before);
});

test('a secret key that does not open what is stored stops the start in one sentence', async () => {
  const dataDir = newFolder();
  const first = serve(dataDir, { MXPROOF_SECRET_KEY: 'the right one' });
  await readyUrl(first);
  first.process.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const second = serve(dataDir, { MXPROOF_SECRET_KEY: 'another one' });
  await second.line(/^MXPROOF_SECRET_KEY is not the key .*: set it to the service's value, or/);
  expect(await second.ended).toBe(1);
});

test('a running service follows the operator’s file of disposable domains, and tells the operator of a source that rests', async () => {
  const folder = newFolder();
  const database = await freshDatabase();
  cleanups.push(() => database.drop());
  const receiver = await startReceiver((response) => response.writeHead(204).end());
  cleanups.push(() => receiver.close());
  const file = join(folder, 'disposable');
  writeFileSync(file, 'throwaway.com\n');
  writeFileSync(join(folder, 'ca.pem'), receiver.ca);
  const env = { DATABASE_URL: database.url, MXPROOF_SECRET_KEY: 'a key of the tests' };
  expect(await serve(folder, env, ['migrate']).ended).toBe(0);
  await sql(
    database.url,
    `INSERT INTO mxproof.source_states (source, provider, resting_since, rested_by)
     VALUES ('192.0.2.10', 'google', now(), 'refusals')`,
  );
  const child = serve(folder, {
    ...env,
    MXPROOF_DISPOSABLE_FILE: file,
    MXPROOF_ALERT_URL: receiver.url,
    MXPROOF_ALERT_SECRET: `whsec_${Buffer.from('thirty-two bytes of a secret key').toString('base64')}`,
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
  });
  const url = await readyUrl(child);
  const [, key] = /Bearer (mx_live_[\w-]+)/.exec(await child.line(/curl .*\/v1\/account/))!;
  const isDisposable = async (domain: string) => {
    const answer = await fetch(`${url}/v1/suggest?email=a@${domain}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return ((await answer.json()) as { disposable: boolean }).disposable;
  };
  expect(await isDisposable('throwaway.com')).toBe(true);
  writeFileSync(file, '!throwaway.com\nanother.com\n');
  await until(() => isDisposable('another.com'));
  expect(await isDisposable('throwaway.com')).toBe(false);
  await until(() => receiver.received.length === 1);
  expect(JSON.parse(receiver.received[0]!.body.toString())).toMatchObject({
    event: 'alert',
    alert: { condition: 'source_resting', subject: '192.0.2.10', status: 'began' },
  });
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
});
