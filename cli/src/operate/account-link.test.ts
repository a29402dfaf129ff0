// The URL of a sign-in link is that of a running node, whatever PORT and HOST the command itself is given.
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../server/src/store/database.ts';
import { type Child, startNode } from '../../../server/test/child.ts';
import { freshDatabase, type TestDatabase } from '../../../server/test/database.ts';
import { mxproof } from '../../test/run-mxproof.ts';

const LAUNCHER = join(import.meta.dirname, '../../bin/mxproof.mjs');
const home = mkdtempSync(join(tmpdir(), 'mxproof-link-'));
let database: TestDatabase;
let db: Database;
let operator: Record<string, string>;
const children: Child[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, poolSize: 1, onError: () => {} });
  operator = {
    HOME: home,
    DATABASE_URL: database.url,
    MXPROOF_DATA_DIR: home,
    MXPROOF_SECRET_KEY: 'a key of the tests',
    MXPROOF_DNS_SENTINELS: 'none',
    MXPROOF_HELO_NAME: 'probe.example.com',
  };
});
afterAll(async () => {
  for (const child of children) await child.end();
  await db.close();
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

async function serve(env: Record<string, string> = {}, ...args: string[]): Promise<[Child, string]> {
  const child = startNode([LAUNCHER, 'serve', ...args], {
    PATH: process.env.PATH,
    PORT: '0',
    ...operator,
    ...env,
  });
  children.push(child);
  const { url } = JSON.parse(await child.line(/"msg":"ready"/)) as { url: string };
  await child.line(/"msg":"console: /);
  return [child, url];
}

const run = (...args: string[]) => mxproof(args, operator);

async function link(...args: string[]): Promise<{ origin: string; url: string; notes: string }> {
  const { status, stdout, stderr } = await run('account', 'link', '1', ...args);
  expect(status, stderr).toBe(0);
  const [url = '', words] = stdout.split('\n');
  expect(url).toMatch(/\/sign-in\/[\w-]{43}$/);
  expect(words).toBe('It signs in one browser, once, within 15 minutes.');
  return { origin: new URL(url).origin, url, notes: stderr };
}

test('the link leads to the service that runs, wherever it listens, and says when none does', async () => {
  const [first, url] = await serve({ MXPROOF_RATE_REQUEST: '5' });
  expect(first.lines.join('\n')).toContain('has no effect: did you mean MXPROOF_RATE_REQUESTS?"');
  expect(first.lines.join('\n')).toContain(`"msg":"console: ${url}/ (a link that signs a browser in: `);
  const made = await link();
  expect(made).toMatchObject({ origin: url, notes: '' });
  expect((await fetch(made.url)).status).toBe(200);

  const [own, words, scope] = (await run('admin', 'link')).stdout.split('\n');
  expect(own).toMatch(/\/operator\/sign-in\/[\w-]{43}$/);
  expect(words).toBe('It signs in one browser, once, within 15 minutes.');
  expect(scope).toMatch(/^For 12 hours the browser can see and change everything: accounts, /);
  const pressed = await fetch(own!, { method: 'POST', headers: { origin: url } });
  expect(pressed.headers.get('set-cookie')).toMatch(/^mxproof_operator=/);
  expect((await fetch(own!, { method: 'POST', headers: { origin: url } })).status).toBe(404);
  expect(JSON.parse((await run('admin', 'link', '--json')).stdout)).toMatchObject({ running: true });
  expect((await run('admin', 'sign-out')).stdout).toBe('Operator: 1 session ended.\n');

  const [second] = await serve({ MXPROOF_PUBLIC_URL: 'https://verify.example.com/' }, '--no-checks');
  expect(second.lines.join('\n')).toContain('"msg":"console: https://verify.example.com/ (');
  expect(await link()).toMatchObject({ origin: 'https://verify.example.com', notes: '' });
  expect((await link('--url', 'https://other.example.com')).origin).toBe('https://other.example.com');

  for (const child of [first, second]) {
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  }
  expect(await link()).toMatchObject({
    origin: 'http://127.0.0.1:8080',
    notes:
      'No service is running on this store: start it first ("mxproof serve"). With these settings it will be at http://127.0.0.1:8080.\n',
  });
});

test('an address that works on another machine only is not passed off as one of this', async () => {
  const node = (id: string, url: string, machine: string) =>
    db.query('INSERT INTO mxproof.http_nodes (id, url, is_public, machine) VALUES ($1, $2, false, $3)', [
      id,
      url,
      machine,
    ]);
  await node('00000000-0000-4000-8000-000000000001', 'http://127.0.0.1:9001', 'elsewhere\u001b[1m');
  expect(await link()).toMatchObject({
    origin: 'http://127.0.0.1:9001',
    notes: expect.stringMatching(/^The service runs on elsewhere\S*, and this address works on that machine/),
  });
  await node('00000000-0000-4000-8000-000000000002', 'http://127.0.0.1:9002', hostname());
  expect(await link()).toMatchObject({
    origin: 'http://127.0.0.1:9002',
    notes: 'Other nodes serve the same console: http://127.0.0.1:9001.\n',
  });
  // Silent for too long: it has died.
  await db.query("UPDATE mxproof.http_nodes SET seen_at = now() - interval '1 minute'");
  expect((await link()).notes).toMatch(/^No service is running/);
});
