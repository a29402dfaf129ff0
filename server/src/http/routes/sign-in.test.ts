// One-time links, opened by people and by the programs that look at links for them.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { makeSignInLink } from '../../flow/sign-in.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
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
type SessionHeaders = { readonly cookie: string; readonly 'mxproof-session-proof': string };
const withSession = (headers: SessionHeaders, path: string) =>
  service.call('GET', path, { key: null, headers });
const open = (token: string, init: RequestInit = {}) => fetch(`${origin}/sign-in/${token}`, init);
const press = (token: string, headers: Record<string, string> = { origin }) =>
  open(token, { method: 'POST', headers });
async function sessionOf(pressed: Response): Promise<SessionHeaders> {
  const { proof } = (await pressed.json()) as { proof: string };
  return { cookie: pressed.headers.get('set-cookie')!.split(';')[0]!, 'mxproof-session-proof': proof };
}
const html = { accept: 'text/html,*/*;q=0.8' };

test('a GET shows whose link it is, and its button signs in, once', async () => {
  const { accountId } = await service.open({ name: 'Ann & <Bob>' });
  const token = await makeSignInLink(db(), THE_SERVICE, accountId);
  for (const method of ['GET', 'HEAD', 'GET']) {
    const page = await open(token, { method, headers: html });
    expect(page.status).toBe(200);
    expect(page.headers.get('set-cookie')).toBeNull();
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-.*form-action 'none'.*frame-ancestors 'none'; script-src 'sha256-[^ ]*'; connect-src 'self'$/,
    );
    const text = await page.text();
    if (method === 'GET') expect(text).toContain('<strong>Ann &#38; &#60;Bob&#62;</strong>');
    expect(text).not.toMatch(/src=|href=|<form/);
  }
  const pressed = await press(token);
  expect([pressed.status, pressed.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const session = await sessionOf(pressed);
  expect((await withSession(session, '/v1/account')).json.name).toBe('Ann & <Bob>');
  expect((await withSession(session, '/v1/keys')).status).toBe(200);
  const bare = await service.call('GET', '/v1/account', { key: null, headers: { cookie: session.cookie } });
  expect(bare.status).toBe(401);
  const again = await press(token);
  expect([again.status, again.headers.get('mxproof-error')]).toEqual([404, 'link_not_found']);
  expect(again.headers.get('set-cookie')).toBeNull();
  expect(await again.json()).toEqual({ error: 'sign-in link has expired or was used' });
  const page = await open(token, { headers: html });
  const text = await page.text();
  expect([page.status, text]).toEqual([404, expect.stringContaining('no longer works')]);
  expect(text).toContain('<a href="/">Open the console</a>');
  expect(page.headers.get('mxproof-error')).toBe('link_not_found');
  for (const secret of [token, session['mxproof-session-proof']])
    expect(service.logged.join('')).not.toContain(secret);
});

test('pressed twice at the same moment makes one session', async () => {
  const token = await makeSignInLink(db(), THE_SERVICE, (await service.open()).accountId);
  const statuses = (await Promise.all([1, 2, 3, 4].map(() => press(token)))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 404, 404, 404]);
});

test('replaces the session the browser had', async () => {
  const make = async () => makeSignInLink(db(), THE_SERVICE, service.account.accountId);
  const first = await sessionOf(await press(await make()));
  const second = await sessionOf(await press(await make(), { origin, ...first }));
  expect((await withSession(first, '/v1/account')).status).toBe(401);
  expect((await withSession(second, '/v1/account')).status).toBe(200);
});

test('is not pressed by another page', async () => {
  const token = await makeSignInLink(db(), THE_SERVICE, service.account.accountId);
  const attempts: Record<string, string>[] = [{}, { origin: 'null' }, { origin: 'https://evil.example' }];
  for (const headers of attempts) {
    const pressed = await press(token, headers);
    expect([pressed.status, pressed.headers.get('set-cookie')]).toEqual([403, null]);
  }
  expect((await press(token)).status).toBe(200);
});

test('works for fifteen minutes', async () => {
  const token = await makeSignInLink(db(), THE_SERVICE, service.account.accountId);
  await db().query(`UPDATE mxproof.sign_in_links SET created_at = created_at - interval '15 minutes'`);
  expect((await open(token)).status).toBe(404);
  expect((await press(token)).status).toBe(404);
  await sweepSignIns(db());
  expect(await db().query('SELECT hash FROM mxproof.sign_in_links')).toEqual([]);
  expect((await open('nonsense')).status).toBe(404);
});

test('signs in to the account: its session outlives every key, and ends when the account is signed out', async () => {
  const { accountId, apiKey } = await service.open({ name: 'no keys' });
  const session = await sessionOf(await press(await makeSignInLink(db(), THE_SERVICE, accountId)));
  await db().query('UPDATE mxproof.api_keys SET revoked_at = now() WHERE account_id = $1', [accountId]);
  expect((await service.call('GET', '/v1/account', { key: apiKey })).status).toBe(401);
  expect((await withSession(session, '/v1/account')).json.name).toBe('no keys');
  expect(await endSessionsOf(db(), accountId)).toBe(1);
  expect((await withSession(session, '/v1/account')).status).toBe(401);
});
