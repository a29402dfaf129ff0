// One-time links, opened by people and by the programs that look at links for them.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { makeSignInLink } from '../../flow/sign-in.ts';
import { endSessionsOf } from '../../store/sessions.ts';
import { sweepSignIns } from '../../store/sign-in-links.ts';

let service: TestService;
let origin: string;
beforeAll(async () => {
  service = await startService();
  origin = `http://127.0.0.1:${service.port}`;
});
afterAll(() => service.close());
beforeEach(async () => {
  await db().query('DELETE FROM mxproof.sign_in_attempts');
});

const db = () => service.context.db;
const withCookie = (cookie: string, path: string) =>
  service.call('GET', path, { key: null, headers: { cookie } });
const open = (token: string, init: RequestInit = {}) =>
  fetch(`${origin}/sign-in/${token}`, { redirect: 'manual', ...init });
const press = (token: string, headers: Record<string, string> = { origin }) =>
  open(token, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
const html = { accept: 'text/html,*/*;q=0.8' };

test('a GET shows whose link it is, and its button signs in, once', async () => {
  const { accountId } = await service.open({ name: 'Ann & <Bob>' });
  const token = await makeSignInLink(db(), accountId);
  for (const method of ['GET', 'HEAD', 'GET']) {
    const page = await open(token, { method, headers: html });
    expect(page.status).toBe(200);
    expect(page.headers.get('set-cookie')).toBeNull();
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-.*form-action 'self'.*frame-ancestors 'none'$/,
    );
    const text = await page.text();
    if (method === 'GET') expect(text).toContain('<strong>Ann &#38; &#60;Bob&#62;</strong>');
    expect(text).not.toMatch(/<script|src=|href=/);
  }
  const pressed = await press(token);
  expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/']);
  const cookie = pressed.headers.get('set-cookie')!.split(';')[0]!;
  expect((await withCookie(cookie, '/v1/account')).json.name).toBe('Ann & <Bob>');
  expect((await withCookie(cookie, '/v1/keys')).status).toBe(200);
  const again = await press(token);
  expect([again.status, again.headers.get('mxproof-error')]).toEqual([404, 'link_not_found']);
  expect(again.headers.get('set-cookie')).toBeNull();
  expect(await again.json()).toEqual({ error: 'sign-in link has expired or was used' });
  const page = await open(token, { headers: html });
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('no longer works')]);
  expect(page.headers.get('mxproof-error')).toBe('link_not_found');
  expect(service.logged.join('')).not.toContain(token);
});

test('pressed twice at the same moment makes one session', async () => {
  const token = await makeSignInLink(db(), (await service.open()).accountId);
  const statuses = (await Promise.all([1, 2, 3, 4].map(() => press(token)))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([303, 404, 404, 404]);
});

test('is not pressed by another page', async () => {
  const token = await makeSignInLink(db(), service.account.accountId);
  const attempts: Record<string, string>[] = [{}, { origin: 'null' }, { origin: 'https://evil.example' }];
  for (const headers of attempts) {
    const pressed = await press(token, headers);
    expect([pressed.status, pressed.headers.get('set-cookie')]).toEqual([403, null]);
  }
  expect((await press(token)).status).toBe(303);
});

test('works for fifteen minutes', async () => {
  const token = await makeSignInLink(db(), service.account.accountId);
  await db().query(`UPDATE mxproof.sign_in_links SET created_at = created_at - interval '15 minutes'`);
  expect((await open(token)).status).toBe(404);
  expect((await press(token)).status).toBe(404);
  await sweepSignIns(db());
  expect(await db().query('SELECT hash FROM mxproof.sign_in_links')).toEqual([]);
  expect((await open('nonsense')).status).toBe(404);
});

test('signs in to the account: its session outlives every key, and ends when the account is signed out', async () => {
  const { accountId, apiKey } = await service.open({ name: 'no keys' });
  const cookie = (await press(await makeSignInLink(db(), accountId))).headers
    .get('set-cookie')!
    .split(';')[0]!;
  await db().query('UPDATE mxproof.api_keys SET revoked_at = now() WHERE account_id = $1', [accountId]);
  expect((await service.call('GET', '/v1/account', { key: apiKey })).status).toBe(401);
  expect((await withCookie(cookie, '/v1/account')).json.name).toBe('no keys');
  expect(await endSessionsOf(db(), accountId)).toBe(1);
  expect((await withCookie(cookie, '/v1/account')).status).toBe(401);
});
