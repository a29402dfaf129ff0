import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { NONCE, readConsoleFiles } from './console-files.ts';
import type { ConsoleState } from './console-routes.ts';

const SCRIPT = 'console.log("page");\n'.repeat(200);
const folder = mkdtempSync(join(tmpdir(), 'mxproof-console-routes-'));
let ready: ConsoleState;
let state: ConsoleState;
let service: TestService;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  const index = `<meta property="csp-nonce" nonce="${NONCE}"><script src="/assets/a.js" nonce="${NONCE}"></script>`;
  writeFileSync(join(folder, 'index.html'), index);
  writeFileSync(join(folder, 'assets/a.js'), SCRIPT);
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(folder, 'theme.js'), '0');
  ready = { kind: 'ready', files: await readConsoleFiles(folder) };
  const asker = { heloNames: ['probe.example.com'], addresses: [], abuseContact: null };
  service = await startService({ consoleState: () => state, asker });
});
beforeEach(() => {
  state = ready;
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (path: string, headers: Record<string, string> = {}) =>
  service.call('GET', path, { key: null, headers });

test.each([
  '/',
  '/?from=mail',
  '/lists',
  '/lists/7',
  '/lists/abc',
  '/new',
  '/bounces',
  '/outcomes',
  '/account',
  '/operator',
  '/operator/doctor',
])('%s is the console, which may use nothing but this origin, with a nonce of its own each time', async (path) => {
  const [one, other] = [await open(path), await open(path)];
  expect([one.status, one.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(one.headers['cache-control']).toBe('no-store');
  expect(one.headers['x-content-type-options']).toBe('nosniff');
  const policy = String(one.headers['content-security-policy']);
  const [, nonce] = /script-src 'self' 'nonce-([\w+/=]{24})'/.exec(policy)!;
  expect(one.text.split(`nonce="${nonce}"`)).toHaveLength(3);
  expect(other.text).not.toContain(nonce);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-|https?:|\*|data:/);
});

test.each([
  '/nothing',
  '/lists/1/2',
  '/index.html',
  '/assets/',
  '/assets/b.js',
  '/assets/../index.html',
  '/assets/%2e%2e/index.html',
  '/.vite/manifest.json',
  '/assets/__proto__',
])('%s is not found: a browser gets a page with a way on, a program what it gets everywhere', async (path) => {
  const answer = await open(path, { accept: '*/*' });
  expect([answer.status, answer.json]).toEqual([404, { error: 'not found' }]);
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const page = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.headers.get('mxproof-error')).toBe('not_found');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('<a href="/">Open the console</a>');
});

test('the API answers browsers in JSON too', async () => {
  const answer = await service.call('GET', '/v1/nothing', { headers: { accept: 'text/html' } });
  expect([answer.status, answer.json]).toEqual([404, { error: 'not found' }]);
});

test('a file that is named by its content is kept for a year, the favicon for an hour', async () => {
  const script = await open('/assets/a.js');
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  expect(script.text).toBe(SCRIPT);
  const icon = await open('/favicon.svg');
  expect(icon.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=3600',
  });
  expect((await open('/theme.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(await open('/favicon.ico')).toMatchObject({ status: 302, headers: { location: '/favicon.svg' } });
});

test.each([
  ['gzip, deflate, br', 'br'],
  ['GZIP;q=0.5', 'gzip'],
  ['gzip, br; q=0', 'gzip'],
  ['br;q=0.0,gzip;q=0', null],
  ['brotli', null],
  ['identity', null],
  ['', null],
])('who accepts "%s" gets %s', async (accepted, encoding) => {
  const url = `http://127.0.0.1:${service.port}/assets/a.js`;
  const answer = await fetch(url, { headers: { 'accept-encoding': accepted } });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  const length = Number(answer.headers.get('content-length'));
  expect(length < SCRIPT.length / 4).toBe(encoding !== null);
  expect(await answer.text()).toBe(SCRIPT);
});

test('HEAD answers as GET does, without the body', async () => {
  for (const path of ['/', '/lists/1', '/assets/a.js', '/favicon.svg']) {
    const [get, head] = [await open(path), await service.call('HEAD', path, { key: null })];
    expect([head.status, head.text], path).toEqual([200, '']);
    for (const name of ['content-type', 'cache-control', 'content-length'])
      expect(head.headers[name], `${path} ${name}`).toBe(get.headers[name]);
  }
});

test('a page takes no other method', async () => {
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect((await service.call(method, '/lists', { key: null })).status, method).toBe(404);
});

test('while the console is built its addresses say so and look again by themselves, and the API answers', async () => {
  state = { kind: 'building' };
  const answer = await open('/lists/7');
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(answer.text).toContain('<meta http-equiv="refresh" content="2">');
  expect(answer.text).toContain('being built');
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  expect((await open('/assets/a.js')).status).toBe(404);
  expect((await service.call('GET', '/v1/account')).status).toBe(200);
});

test('a console that could not be built says so once, and the API answers', async () => {
  state = { kind: 'missing' };
  const url = `http://127.0.0.1:${service.port}/`;
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('mxproof-error')]).toEqual([503, 'unavailable']);
  const text = await answer.text();
  expect(text).toContain('could not be built');
  expect(text).not.toContain('refresh');
  expect((await service.call('GET', '/v1/account')).status).toBe(200);
});

test('the HELO name’s own address still tells administrators who asks, and other names have the console', async () => {
  const at = (url: string, host: string) => service.app.inject({ url, headers: { host } });
  for (const url of ['/', '/?x=1'])
    expect((await at(url, 'Probe.example.com')).body, url).toContain('Who is asking your mail server?');
  expect((await at('/lists', 'probe.example.com')).body).toContain('/assets/a.js');
  expect((await at('/', 'app.example.com')).body).toContain('/assets/a.js');
  const head = await service.app.inject({ method: 'HEAD', url: '/', headers: { host: 'probe.example.com' } });
  expect(Number(head.headers['content-length'])).toBe(
    Buffer.byteLength((await at('/', 'probe.example.com')).body),
  );
});
