// Signing in as a browser does, and as a thief would.

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startService, type TestResponse, type TestService } from '../../../test/http-service.ts';
import { addKey } from '../../flow/add-key.ts';
import { makeSignInLink, redeemLink } from '../../flow/sign-in.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { readToken } from '../../rules/bearer-token.ts';
import { revokeKey } from '../../store/keys.ts';
import { endSessionsOf, sweepSessions } from '../../store/sessions.ts';
import { sweepSignIns } from '../../store/sign-in-links.ts';

let service: TestService;
let origin: string;
beforeAll(async () => {
  // The test's own address stands for a proxy; what it forwards is believed.
  service = await startService({ trustProxy: ['127.0.0.1'], limits: { rateRequests: 50 }, heartbeatMs: 50 });
  origin = `http://127.0.0.1:${service.port}`;
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.context.db.query('DELETE FROM mxproof.sign_in_attempts');
  await service.context.db.query('DELETE FROM mxproof.rate_windows');
});

const db = () => service.context.db;

const signIn = (apiKey = service.account.apiKey, headers: Record<string, string> = {}) =>
  service.call('POST', '/session', { key: null, body: { api_key: apiKey }, headers });

const PROOF = 'mxproof-session-proof';
type SessionHeaders = { readonly cookie: string; readonly [PROOF]: string };

/** What a browser sends back, and what its page does. */
function sessionOf(answered: TestResponse): SessionHeaders {
  const [set = ''] = answered.headers['set-cookie'] ?? [];
  return { cookie: set.split(';')[0]!, [PROOF]: answered.json.proof };
}

const withSession = (
  session: SessionHeaders,
  method: string,
  path: string,
  headers: Record<string, string> = {},
) => service.call(method, path, { key: null, headers: { ...session, ...headers } });

/** As the service's own page does. */
const asPage = (session: SessionHeaders, method: string, path: string, body?: unknown) =>
  service.call(method, path, {
    key: null,
    headers: { ...session, origin, 'x-mxproof-console': '1' },
    ...(body === undefined ? {} : { body }),
  });

async function move(column: 'seen_at' | 'created_at', interval: string): Promise<void> {
  await db().query(`UPDATE mxproof.sessions SET ${column} = ${column} - $1::interval`, [interval]);
}

describe('a session', () => {
  test('stands for its key, until it is signed out', async () => {
    const signedIn = await signIn();
    expect(signedIn.status).toBe(200);
    expect(signedIn.json).toMatchObject({ name: 'tests', test: false });
    expect(signedIn.text).not.toContain(service.account.apiKey);
    expect(signedIn.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const [set] = signedIn.headers['set-cookie']!;
    expect(set).toMatch(/^mxproof_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
    const session = sessionOf(signedIn);
    expect((await withSession(session, 'GET', '/v1/account')).json.name).toBe('tests');
    const created = await asPage(session, 'POST', '/v1/lists', { emails: ['ann@example.com'] });
    expect(created.status).toBe(201);
    expect((await asPage(session, 'GET', '/v1/keys')).status).toBe(200);
    const out = await asPage(session, 'DELETE', '/session');
    expect(out.json).toEqual({ deleted: true });
    expect(out.headers['set-cookie']![0]).toMatch(/^mxproof_session=; Path=\/; Max-Age=0/);
    expect((await withSession(session, 'GET', '/v1/account')).status).toBe(401);
    expect((await asPage(session, 'DELETE', '/session')).status).toBe(401);
  });

  test('is not stored, only a hash of it; nor logged', async () => {
    const { cookie, [PROOF]: proof } = sessionOf(await signIn());
    const token = cookie.split('=')[1]!;
    const [row] = await db().query<{ all: string }>(
      'SELECT string_agg(s::text, $1) AS all FROM mxproof.sessions s',
      [''],
    );
    for (const secret of [token, proof]) {
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(row!.all).not.toContain(secret);
      expect(row!.all).not.toContain(Buffer.from(secret).toString('hex'));
      expect(row!.all).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
      expect(service.logged.join('')).not.toContain(secret);
    }
    expect(service.logged.join('')).not.toContain(service.account.apiKey);
  });

  test('replaces the one the browser had', async () => {
    const first = sessionOf(await signIn());
    const second = sessionOf(await signIn(undefined, first));
    expect((await withSession(first, 'GET', '/v1/account')).status).toBe(401);
    expect((await withSession(second, 'GET', '/v1/account')).status).toBe(200);
  });

  test('slides for twelve hours without a request, and ends after thirty days whatever is done', async () => {
    const session = sessionOf(await signIn());
    for (let days = 0; days < 29; days++) {
      await move('seen_at', '11 hours');
      await move('created_at', '1 day');
      expect((await withSession(session, 'GET', '/v1/account')).status).toBe(200);
    }
    await move('created_at', '1 day');
    expect((await withSession(session, 'GET', '/v1/account')).status).toBe(401);
    const idle = sessionOf(await signIn());
    await move('seen_at', '12 hours');
    expect((await withSession(idle, 'GET', '/v1/account')).status).toBe(401);
    await sweepSessions(db());
    expect(
      await db().query('SELECT id FROM mxproof.sessions WHERE seen_at < now() - $1::interval', ['12 hours']),
    ).toEqual([]);
  });

  test('ends with its key: revoked, expired, or used from elsewhere', async () => {
    const { accountId } = service.account;
    const make = async (more: object = {}) => {
      const { key, apiKey } = await addKey(db(), THE_SERVICE, {
        accountId,
        label: 'page',
        manage: true,
        ...more,
      });
      return { keyId: key.id, session: sessionOf(await signIn(apiKey)) };
    };
    const revoked = await make();
    expect((await withSession(revoked.session, 'GET', '/v1/account')).status).toBe(200);
    await revokeKey(db(), revoked.keyId, null);
    expect((await withSession(revoked.session, 'GET', '/v1/account')).status).toBe(401);
    const expiring = await make({ expiresAtSeconds: Math.floor(Date.now() / 1000) + 3600 });
    await db().query('UPDATE mxproof.api_keys SET expires_at = now() WHERE id = $1', [expiring.keyId]);
    expect((await withSession(expiring.session, 'GET', '/v1/account')).status).toBe(401);
    const tied = await make({ allowedIps: ['127.0.0.1'] });
    expect((await withSession(tied.session, 'GET', '/v1/account')).status).toBe(200);
    const elsewhere = { 'x-forwarded-for': '192.0.2.7' };
    expect((await withSession(tied.session, 'GET', '/v1/account', elsewhere)).status).toBe(401);
  });

  test('takes its open streams with it', async () => {
    const { accountId } = service.account;
    const { key, apiKey } = await addKey(db(), THE_SERVICE, { accountId, label: 'page', manage: true });
    const list = (await service.call('POST', '/v1/lists', { body: { emails: ['ann@example.com'] } })).json;
    const follow = async (session: SessionHeaders) => {
      const stream = await fetch(`${origin}/v1/lists/${list.id}/events`, { headers: session });
      const text = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
      expect((await text.read()).value).toContain('event: progress');
      return async () => {
        while (!(await text.read()).done);
      };
    };
    const signedOut = sessionOf(await signIn(apiKey));
    const revoked = sessionOf(await signIn(apiKey));
    const [first, second] = [await follow(signedOut), await follow(revoked)];
    await asPage(signedOut, 'DELETE', '/session');
    await first();
    expect((await withSession(revoked, 'GET', '/v1/account')).status).toBe(200);
    await revokeKey(db(), key.id, null);
    await second();
  });

  test('may not delete the key it rests on, nor manage keys if that key may not', async () => {
    const { accountId } = service.account;
    const { key, apiKey } = await addKey(db(), THE_SERVICE, { accountId, label: 'page', manage: true });
    const session = sessionOf(await signIn(apiKey));
    expect((await asPage(session, 'DELETE', `/v1/keys/${key.id}`)).status).toBe(409);
    const weak = await addKey(db(), THE_SERVICE, { accountId, label: 'app', manage: false });
    const weakSession = sessionOf(await signIn(weak.apiKey));
    expect((await asPage(weakSession, 'POST', '/v1/keys', { label: 'more' })).status).toBe(403);
  });

  test('of a test key is in test mode', async () => {
    const { accountId } = service.account;
    const { apiKey } = await addKey(db(), THE_SERVICE, {
      accountId,
      label: 'page',
      test: true,
      manage: true,
    });
    const signedIn = await signIn(apiKey);
    expect(signedIn.json.test).toBe(true);
    const account = await withSession(sessionOf(signedIn), 'GET', '/v1/account');
    expect(account.headers['mxproof-mode']).toBe('test');
    expect(account.json.credits).toBe(1_000_000);
  });

  test('has a rate window of its own, which goes with it', async () => {
    const session = sessionOf(await signIn());
    for (let request = 0; request < 50; request++) await withSession(session, 'GET', '/v1/account');
    expect((await withSession(session, 'GET', '/v1/account')).status).toBe(429);
    expect((await service.call('GET', '/v1/account')).status).toBe(200);
    expect((await withSession(sessionOf(await signIn()), 'GET', '/v1/account')).status).toBe(200);
    await endSessionsOf(db(), service.account.accountId);
    expect(await db().query('SELECT key_id FROM mxproof.rate_windows WHERE key_id < 0')).toEqual([]);
  });

  test('beside a key counts for nothing: the key decides', async () => {
    const session = sessionOf(await signIn());
    const other = await service.open({ name: 'another' });
    const both = await service.call('GET', '/v1/account', { key: other.apiKey, headers: session });
    expect(both.json.name).toBe('another');
    const wrong = { ...session, authorization: 'Bearer nonsense' };
    expect((await service.call('GET', '/v1/account', { key: null, headers: wrong })).status).toBe(401);
  });

  test('of one key are twenty at most; of them the one used longest ago makes room, and no other', async () => {
    const { accountId, apiKey } = await service.open();
    const weak = await addKey(db(), THE_SERVICE, { accountId, label: 'app', manage: false });
    const owners = sessionOf(await signIn(apiKey));
    const byLink = await redeemLink(
      db(),
      THE_SERVICE,
      readToken(await makeSignInLink(db(), THE_SERVICE, accountId))!,
      { before: null },
    );
    const sessions: SessionHeaders[] = [];
    for (let n = 0; n < 21; n++) sessions.push(sessionOf(await signIn(weak.apiKey)));
    expect((await withSession(sessions[0]!, 'GET', '/v1/account')).status).toBe(401);
    expect((await withSession(sessions[1]!, 'GET', '/v1/account')).status).toBe(200);
    expect((await withSession(owners, 'GET', '/v1/account')).status).toBe(200);
    const linked = { cookie: `mxproof_session=${byLink!.token}`, [PROOF]: byLink!.proof };
    expect((await withSession(linked, 'GET', '/v1/account')).status).toBe(200);
  });
});

describe('a thief', () => {
  let session: SessionHeaders;
  const steal = (headers: Record<string, string>, method = 'POST', path = '/v1/verify') =>
    service.call(method, path, {
      key: null,
      headers: { ...session, ...headers },
      body: { email: 'ann@example.com' },
    });
  const consoleHeader = { 'x-mxproof-console': '1' };
  beforeEach(async () => {
    session = sessionOf(await signIn());
  });

  test('gets nothing from another page, with or without what the own page sends', async () => {
    const credits = async () => (await service.call('GET', '/v1/account')).json.credits;
    const before = await credits();
    const attempts: Record<string, string>[] = [
      {},
      consoleHeader,
      { origin },
      { origin: 'https://evil.example', ...consoleHeader },
      { origin: 'null', ...consoleHeader },
      { origin: `http://127.0.0.1:${service.port + 1}`, ...consoleHeader },
      { origin: `${origin}.evil.example`, ...consoleHeader },
      { origin: `http://127.0.0.1:${service.port}@evil.example`, ...consoleHeader },
      { origin, 'x-mxproof-console': '0' },
    ];
    for (const headers of attempts) {
      const answered = await steal(headers);
      expect([headers, answered.status]).toEqual([headers, 403]);
      expect(answered.json.error).toBe("request must come from the service's own page");
      expect(answered.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(
      (await steal({ origin: 'https://evil.example', ...consoleHeader }, 'DELETE', '/session')).status,
    ).toBe(403);
    expect(await credits()).toBe(before);
    expect((await steal({ origin, ...consoleHeader })).status).toBe(200);
    // Of the deployments where it refuses their own page, most have a proxy that is not trusted.
    const told = async (headers: Record<string, string>) =>
      (await steal(headers)).headers['mxproof-error-detail'];
    expect(await told({ origin: 'https://mx.example.com', ...consoleHeader })).toContain(
      'MXPROOF_TRUST_PROXY',
    );
    expect(await told({ origin })).toContain('x-mxproof-console: 1');
    expect(await told(consoleHeader)).toContain('Origin is missing');
  });

  test('reads nothing from another page either', async () => {
    const read = (headers: Record<string, string>) => withSession(session, 'GET', '/v1/account', headers);
    expect((await read({ 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await read({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await read({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await read({ 'sec-fetch-site': 'same-origin', origin })).status).toBe(200);
    expect((await read({ 'sec-fetch-site': 'none' })).status).toBe(200);
    const preflight = await service.call('OPTIONS', '/v1/account', {
      key: null,
      headers: { ...session, origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    expect(preflight.status).toBeGreaterThanOrEqual(400);
  });

  test('who listens on another port of this host, and so is sent the cookie, gets nothing with it', async () => {
    const { cookie } = session;
    const mine = sessionOf(await signIn((await service.open({ name: 'thief' })).apiKey));
    const proofs: Record<string, string>[] = [
      {},
      { [PROOF]: '' },
      { [PROOF]: mine[PROOF] },
      { [PROOF]: cookie.split('=')[1]! },
      { [PROOF]: `${session[PROOF]}, ${session[PROOF]}` },
    ];
    for (const proof of proofs)
      for (const [method, path] of [
        ['POST', '/v1/keys'],
        ['GET', '/v1/account'],
        ['GET', '/v1/lists/1/events'],
        ['DELETE', '/session'],
      ] as const) {
        const answered = await service.call(method, path, {
          key: null,
          headers: { cookie, origin, ...consoleHeader, ...proof },
          ...(method === 'POST' && { body: { label: 'stolen', manage: true } }),
        });
        expect([proof, path, answered.status]).toEqual([proof, path, 401]);
      }
    const told = await service.call('GET', '/v1/account', { key: null, headers: { cookie } });
    expect(told.headers['mxproof-error-detail']).toContain('MXProof-Session-Proof');
    expect((await asPage(session, 'GET', '/v1/account')).status).toBe(200);
  });

  test('who plants a cookie of his own gets no page to act for his account', async () => {
    const mine = sessionOf(await signIn((await service.open({ name: 'thief' })).apiKey));
    const planted = { ...session, cookie: mine.cookie };
    expect((await asPage(planted, 'POST', '/v1/verify', { email: 'ann@example.com' })).status).toBe(401);
    // And one who does not know the proof cannot end a session by signing in over it.
    await signIn(undefined, { cookie: session.cookie });
    expect((await asPage(session, 'GET', '/v1/account')).status).toBe(200);
  });

  test('uses up no account’s window', async () => {
    for (let n = 0; n < 60; n++) await steal({ origin: 'https://evil.example' });
    expect((await withSession(session, 'GET', '/v1/account')).status).toBe(200);
  });

  test('cannot sign a visitor in to another account', async () => {
    const answered = await signIn(undefined, { origin: 'https://evil.example' });
    expect(answered.status).toBe(403);
    expect(answered.headers['set-cookie']).toBeUndefined();
    expect((await signIn(undefined, { origin })).status).toBe(200);
  });

  test('guesses keys thirty times a minute, from all nodes together', async () => {
    const wrong = `mx_live_${'a'.repeat(43)}`;
    const from = { 'x-forwarded-for': '2001:db8::1' };
    const neighbour = { 'x-forwarded-for': '2001:db8::ffff' };
    for (let n = 0; n < 30; n++) expect((await signIn(wrong, from)).status).toBe(401);
    const refused = await signIn(service.account.apiKey, neighbour);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await signIn(wrong, { 'x-forwarded-for': '2001:db8:0:1::1' })).status).toBe(401);
    await db().query(`UPDATE mxproof.sign_in_attempts SET began_at = began_at - interval '1 minute'`);
    const nowMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs + 60_000);
    expect((await signIn(service.account.apiKey, from)).status).toBe(200);
    clock.mockRestore();
    await db().query(`UPDATE mxproof.sign_in_attempts SET began_at = began_at - interval '2 minutes'`);
    await sweepSignIns(db());
    expect(await db().query('SELECT client FROM mxproof.sign_in_attempts')).toEqual([]);
  });

  test('is answered like the rest when the body is wrong', async () => {
    const post = (raw: string) => service.call('POST', '/session', { key: null, raw });
    expect((await post('{')).json.error).toBe('invalid JSON');
    expect((await post('{}')).json.error).toBe('api_key required');
    expect((await post(JSON.stringify({ api_key: 'x'.repeat(5_000) }))).status).toBe(413);
    expect((await signIn('nonsense')).status).toBe(401);
  });
});

describe('behind a proxy', () => {
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'mx.example.com' };

  test('a trusted one says which name and scheme the browser sees', async () => {
    const signedIn = await signIn(undefined, { ...https, origin: 'https://mx.example.com' });
    const [set] = signedIn.headers['set-cookie']!;
    expect(set).toMatch(/^__Host-mxproof_session=.*; HttpOnly; SameSite=Strict; Secure$/);
    const session = sessionOf(signedIn);
    const post = (more: Record<string, string>) =>
      service.call('POST', '/v1/verify', {
        key: null,
        headers: { ...session, 'x-mxproof-console': '1', ...more },
        body: { email: 'ann@example.com' },
      });
    expect((await post({ ...https, origin: 'https://mx.example.com' })).status).toBe(200);
    // A page over plain http under the same name may be forged in transit.
    expect((await post({ ...https, origin: 'http://mx.example.com' })).status).toBe(403);
    expect((await post({ ...https, origin })).status).toBe(403);
    // Without the prefix over https, or with it over http, it is no session: another host may have set it.
    const bare = { ...session, cookie: session.cookie.replace('__Host-', '') };
    expect((await withSession(bare, 'GET', '/v1/account', https)).status).toBe(401);
    expect((await withSession(session, 'GET', '/v1/account')).status).toBe(401);
  });

  test('one that is not trusted says nothing', async () => {
    const strict = await startService({ trustProxy: ['192.0.2.1'] });
    try {
      const own = `http://127.0.0.1:${strict.port}`;
      const call = (headers: Record<string, string>) =>
        strict.call('POST', '/session', { key: null, body: { api_key: strict.account.apiKey }, headers });
      expect((await call({ ...https, origin: 'https://mx.example.com' })).status).toBe(403);
      const signedIn = await call({ ...https, origin: own });
      expect(signedIn.headers['set-cookie']![0]).toMatch(/^mxproof_session=(?!.*Secure)/);
      const verify = (headers: Record<string, string>) =>
        strict.call('POST', '/v1/verify', {
          key: null,
          headers: { ...sessionOf(signedIn), 'x-mxproof-console': '1', ...headers },
          body: { email: 'ann@example.com' },
        });
      expect((await verify({ ...https, origin: 'https://mx.example.com' })).status).toBe(403);
      expect((await verify({ ...https, origin: own })).status).toBe(200);
      // Nor whose attempts these are.
      for (let n = 0; n < 30; n++) await call({ 'x-forwarded-for': `192.0.2.${n}` });
      expect((await call({ 'x-forwarded-for': '192.0.2.99' })).status).toBe(429);
    } finally {
      await strict.close();
    }
  });
});
