// Who gets in to /admin/v1: keys and sessions of operators, as a customer would like to have them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  adminOf,
  asPage,
  auditOf,
  press,
  type Secrets,
  secretsOf,
  shownAs,
  signInOperator,
} from '../../../test/admin-service.ts';
import { startService, type TestService } from '../../../test/http-service.ts';
import { printedRoutes } from '../../../test/printed-routes.ts';
import { addKey } from '../../flow/add-key.ts';
import { makeSignInLink } from '../../flow/sign-in.ts';
import { ACCOUNT_SESSION } from '../../http/wire/session-cookie.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { endAdminKey } from '../operator/admin-keys.ts';
import { makeOperatorLink, signOperatorsOut } from '../operator/sign-in.ts';
import { OPERATOR_SESSION } from '../operator/sign-in-link.ts';
import { sweepOperatorSignIns } from '../operator/stored-sign-ins.ts';

let service: TestService;
let origin: string;
beforeAll(async () => {
  service = await startService({ trustProxy: ['127.0.0.1'] });
  origin = `http://127.0.0.1:${service.port}`;
});
afterAll(() => service.close());
beforeEach(async () => {
  await db().query('DELETE FROM mxproof.sign_in_attempts');
  await signOperatorsOut(db(), THE_SERVICE);
});

const db = () => service.context.db;
const link = () => makeOperatorLink(db(), THE_SERVICE);
const signIn = () => signInOperator(service);
const statusOf = async (method: string, path: string, headers: Record<string, string>) =>
  (await fetch(origin + path, { method, headers: { origin, 'x-mxproof-console': '1', ...headers } })).status;

async function signInAccount(): Promise<Secrets> {
  const token = await makeSignInLink(db(), THE_SERVICE, service.account.accountId);
  return secretsOf(await press(service, `/sign-in/${token}`));
}

/** Every route that is registered, with each of its methods. */
function routes(): { readonly method: string; readonly path: string }[] {
  return printedRoutes(service.app).flatMap(({ path, methods }) =>
    methods.map((method) => ({ method, path: path.replace(/:\w+/g, '1') })),
  );
}

describe('whose session it is', () => {
  test('no route of accounts takes an operator’s session or key, under either name, and each takes an account’s key', async () => {
    const operator = await signIn();
    const admin = await adminOf(service);
    const ofAccounts = routes().filter(
      ({ method, path }) =>
        (path.startsWith('/v1/') && path !== '/v1/openapi.json' && path !== '/v1/hooks/1/1') ||
        (path === '/session' && method === 'DELETE'),
    );
    expect(ofAccounts.length).toBeGreaterThan(40);
    const key = { authorization: `Bearer ${service.account.apiKey}` };
    for (const { method, path } of ofAccounts) {
      const presented = [
        ...[OPERATOR_SESSION, ACCOUNT_SESSION].map((kind) => shownAs(kind, operator)),
        { authorization: `Bearer ${admin.key}` },
      ];
      for (const headers of presented)
        expect(await statusOf(method, path, headers), `${method} ${path}`).toBe(401);
      if (path !== '/session') expect(await statusOf(method, path, key), `${method} ${path}`).not.toBe(401);
    }
    expect((await asPage(service, operator, 'GET', '/operator/session')).status).toBe(200);
  });

  test('no route of operators takes an account’s key or session, under either name', async () => {
    const account = await signInAccount();
    const { apiKey: testKey } = await addKey(db(), THE_SERVICE, {
      accountId: service.account.accountId,
      label: 'test',
      manage: true,
      test: true,
    });
    const ofOperators = routes().filter(
      ({ method, path }) =>
        (path.startsWith('/admin/v1/') && path !== '/admin/v1/openapi.json') ||
        (path === '/operator/session' && method !== 'POST'),
    );
    expect(ofOperators.length).toBeGreaterThan(25);
    const presented = [
      {},
      ...[service.account.apiKey, testKey].map((key) => ({ authorization: `Bearer ${key}` })),
      ...[OPERATOR_SESSION, ACCOUNT_SESSION].map((kind) => shownAs(kind, account)),
      { ...shownAs(ACCOUNT_SESSION, account), authorization: `Bearer ${service.account.apiKey}` },
    ];
    const written = await auditOf(service, async () => {
      for (const { method, path } of ofOperators)
        for (const headers of presented)
          expect(await statusOf(method, path, headers), `${method} ${path}`).toBe(401);
    });
    expect(written).toEqual([]);
    const still = await service.call('GET', '/v1/account', {
      key: null,
      headers: shownAs(ACCOUNT_SESSION, account),
    });
    expect(still.status).toBe(200);
  });

  test('neither link opens what the other does, and trying does not use it up', async () => {
    const own = await link();
    const accounts = await makeSignInLink(db(), THE_SERVICE, service.account.accountId);
    for (const path of [`/operator/sign-in/${accounts}`, `/sign-in/${own}`]) {
      expect((await press(service, path)).status, path).toBe(404);
      expect((await fetch(origin + path)).status, path).toBe(404);
    }
    for (const path of [`/operator/sign-in/${own}`, `/sign-in/${accounts}`])
      expect((await press(service, path)).status, path).toBe(200);
  });

  test('a browser may have both, and signing out of one leaves the other', async () => {
    const [operator, account] = [await signIn(), await signInAccount()];
    const both = {
      ...shownAs(OPERATOR_SESSION, operator),
      ...shownAs(ACCOUNT_SESSION, account),
      cookie: `mxproof_session=${account.cookie}; mxproof_operator=${operator.cookie}`,
    };
    expect(await statusOf('DELETE', '/operator/session', both)).toBe(200);
    expect(await statusOf('GET', '/operator/session', both)).toBe(401);
    expect(await statusOf('GET', '/v1/account', both)).toBe(200);
  });
});

describe('a key of an operator', () => {
  test('is refused in the same words wherever it does not fit, paths that are nowhere included', async () => {
    for (const key of [null, 'mx_admin_short', `mx_admin_${'a'.repeat(43)}`, service.account.apiKey])
      for (const path of ['/accounts', '/nowhere', '/accounts/1/nowhere', '/accounts/%FF']) {
        const refused = await service.call('GET', `/admin/v1${path}`, { key });
        expect([refused.status, refused.json], path).toEqual([
          401,
          { error: 'missing or invalid admin key' },
        ]);
        expect(refused.headers['mxproof-error']).toBe('invalid_admin_key');
        expect(refused.headers['www-authenticate']).toBe('Bearer');
      }
    const admin = await adminOf(service);
    expect((await admin.call('GET', '/nowhere')).json).toEqual({ error: 'not found' });
  });

  test('is nothing once it is revoked or expired, or from another network', async () => {
    const admin = await adminOf(service);
    expect((await admin.call('GET', '/nodes')).status).toBe(200);
    expect(await endAdminKey(db(), THE_SERVICE, admin.keyId)).toBe(true);
    expect((await admin.call('GET', '/nodes')).status).toBe(401);
    expect(await endAdminKey(db(), THE_SERVICE, admin.keyId)).toBe(false);

    const soon = await adminOf(service, 'read', { expiresAtSeconds: Math.floor(Date.now() / 1000) + 60 });
    expect((await soon.call('GET', '/nodes')).status).toBe(200);
    await db().query('UPDATE mxproof.admin_keys SET expires_at = now() WHERE id = $1', [soon.keyId]);
    expect((await soon.call('GET', '/nodes')).status).toBe(401);

    const near = await adminOf(service, 'read', { allowedIps: ['192.0.2.0/24'] });
    const from = (ip: string) => near.call('GET', '/nodes', { headers: { 'x-forwarded-for': ip } });
    expect((await from('192.0.2.7')).status).toBe(200);
    expect((await from('198.51.100.7')).status).toBe(401);
  });

  test('of scope read sees everything and changes nothing', async () => {
    const reader = await adminOf(service, 'read');
    const written = await auditOf(service, async () => {
      for (const { method, path } of routes().filter(({ path }) => path.startsWith('/admin/v1/'))) {
        if (path === '/admin/v1/openapi.json' || path === '/admin/v1/ledger/verify') continue;
        const answer = await service.call(method, path, { key: reader.key });
        const isReading = method === 'GET' || method === 'HEAD';
        if (isReading) expect([200, 404], `${method} ${path}`).toContain(answer.status);
        else expect(answer.headers['mxproof-error'], `${method} ${path}`).toBe('admin_scope');
      }
    });
    expect(written).toEqual([]);
  });

  test('has a rate window of its own, which refusals count in', async () => {
    const small = await startService({ limits: { rateRequests: 3 } });
    try {
      const [one, other] = [await adminOf(small), await adminOf(small)];
      expect((await one.call('GET', '/nodes')).headers.ratelimit).toMatch(/^"requests";r=2;t=\d+$/);
      expect((await one.call('GET', '/accounts/999')).status).toBe(404);
      expect((await one.call('GET', '/nowhere')).status).toBe(404);
      const over = await one.call('GET', '/nodes');
      expect([over.status, over.json]).toEqual([429, { error: 'rate limit exceeded' }]);
      expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
      expect((await other.call('GET', '/nodes')).status).toBe(200);
      expect((await small.call('GET', '/v1/account')).status).toBe(200);
    } finally {
      await small.close();
    }
  });

  test('is stored as a hash, is in no log, and says when it was last used', async () => {
    const admin = await adminOf(service);
    await admin.call('GET', '/nodes');
    const [row] = await db().query<{ all: string; used: Date | null }>(
      'SELECT k::text AS all, last_used_at AS used FROM mxproof.admin_keys k WHERE id = $1',
      [admin.keyId],
    );
    expect(row!.used).not.toBeNull();
    expect(row!.all).not.toContain(admin.key.slice(20));
    expect(service.logged.join('')).not.toContain(admin.key);
  });

  test('is told of names that it misspelt, and a DELETE with one is refused', async () => {
    const admin = await adminOf(service);
    const warned = await admin.call('GET', '/nodes?limitt=1');
    expect([warned.status, warned.headers['mxproof-warning']]).toEqual([200, 'unknown parameter: limitt']);
    const body = { name: 'Acme', credit: 5 };
    const made = await admin.call('POST', '/accounts', { body });
    expect([made.status, made.headers['mxproof-warning']]).toEqual([201, 'unknown field: credit']);
    const refused = await admin.call('DELETE', `/accounts/${made.json.id}?undo=60`);
    expect([refused.status, refused.json]).toEqual([400, { error: 'unknown parameter: undo' }]);
    const withBody = await admin.call('DELETE', `/accounts/${made.json.id}`, { body: { undo: true } });
    expect(withBody.headers['mxproof-error']).toBe('unexpected_body');
    expect((await admin.call('GET', `/accounts/${made.json.id}`)).status).toBe(200);
  });
});

describe('a session of an operator', () => {
  test('begins with a button that works once, and with a cookie no script can read', async () => {
    const path = `/operator/sign-in/${await link()}`;
    for (let looks = 0; looks < 2; looks++) {
      const page = await fetch(origin + path);
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'sha256-/);
      expect(await page.text()).toContain('Sign in as operator');
    }
    for (const foreign of [{ origin: 'http://evil.example' }, { origin: 'null' }])
      expect((await press(service, path, foreign)).status).toBe(403);
    const pressed = await press(service, path);
    expect(pressed.headers['set-cookie']![0]).toMatch(
      /^mxproof_operator=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect((await press(service, path)).status).toBe(404);
    const gone = await fetch(origin + path, { headers: { accept: 'text/html' } });
    expect([gone.status, (await gone.text()).includes('mxproof admin link')]).toEqual([404, true]);
    const secrets = secretsOf(pressed);
    for (const secret of [secrets.cookie, secrets.proof]) {
      expect(service.logged.join('')).not.toContain(secret);
      const stored = await db().query<{ all: string }>(
        "SELECT string_agg(s::text, '') AS all FROM mxproof.operator_sessions s",
      );
      expect(stored[0]!.all).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
    }
    const later = await press(service, `/operator/sign-in/${await link()}`, {
      'x-forwarded-proto': 'https',
      origin: origin.replace('http:', 'https:'),
    });
    expect(later.headers['set-cookie']![0]).toMatch(/^__Host-mxproof_operator=.*; SameSite=Strict; Secure$/);
  });

  test('begins with a key, has its scope, and ends with it', async () => {
    const reader = await adminOf(service, 'read');
    const enter = (key: string, headers: Record<string, string> = {}) =>
      service.call('POST', '/operator/session', { key: null, body: { admin_key: key }, headers });
    const signedIn = await enter(reader.key);
    expect(signedIn.json).toMatchObject({ scope: 'read' });
    const secrets = secretsOf(signedIn);
    expect((await asPage(service, secrets, 'GET', '/admin/v1/nodes')).status).toBe(200);
    const refused = await asPage(service, secrets, 'POST', '/admin/v1/accounts', { body: { name: 'Acme' } });
    expect([refused.status, refused.json]).toEqual([403, { error: 'admin key may only read' }]);
    await endAdminKey(db(), THE_SERVICE, reader.keyId);
    expect((await asPage(service, secrets, 'GET', '/admin/v1/nodes')).status).toBe(401);
    expect((await enter(reader.key)).json).toEqual({ error: 'missing or invalid admin key' });
    expect((await enter(service.account.apiKey)).status).toBe(401);
    const writer = await adminOf(service);
    expect((await enter(writer.key, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await service.call('POST', '/operator/session', { key: null, body: {} })).json).toEqual({
      error: 'admin_key required',
    });
    expect(service.logged.join('')).not.toContain(writer.key);
  });

  test('is refused from where its key is not allowed', async () => {
    const near = await adminOf(service, 'write', { allowedIps: ['192.0.2.0/24'] });
    const there = { 'x-forwarded-for': '192.0.2.7' };
    const body = { admin_key: near.key };
    expect((await service.call('POST', '/operator/session', { key: null, body })).status).toBe(401);
    const signedIn = await service.call('POST', '/operator/session', { key: null, body, headers: there });
    const secrets = secretsOf(signedIn);
    for (const path of ['/operator/session', '/admin/v1/nodes']) {
      expect((await asPage(service, secrets, 'GET', path, { headers: there })).status).toBe(200);
      expect((await asPage(service, secrets, 'GET', path)).status).toBe(401);
    }
  });

  test('a link that is too old opens nothing', async () => {
    const path = `/operator/sign-in/${await link()}`;
    await db().query("UPDATE mxproof.operator_links SET created_at = created_at - interval '15 minutes'");
    expect((await press(service, path)).status).toBe(404);
    await sweepOperatorSignIns(db());
    expect(await db().query('SELECT 1 FROM mxproof.operator_links')).toEqual([]);
  });

  test('ends after twelve hours, however much it is used, and is swept', async () => {
    const secrets = await signIn();
    const move = (interval: string) =>
      db().query('UPDATE mxproof.operator_sessions SET created_at = created_at - $1::interval', [interval]);
    await move('11 hours 59 minutes');
    const told = await asPage(service, secrets, 'GET', '/operator/session');
    expect(told.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(told.json).toMatchObject({ scope: 'write' });
    expect(Math.abs(told.json.expires_at - Date.now() / 1_000 - 60)).toBeLessThan(30);
    await move('1 minute');
    expect((await asPage(service, secrets, 'GET', '/operator/session')).status).toBe(401);
    await sweepOperatorSignIns(db());
    expect(await db().query('SELECT 1 FROM mxproof.operator_sessions')).toEqual([]);
  });

  test('signs out, replaces the one the browser had, and ends with all others', async () => {
    const isIn = async (secrets: Secrets) =>
      (await asPage(service, secrets, 'GET', '/operator/session')).status === 200;
    const out = await signIn();
    expect((await asPage(service, out, 'DELETE', '/operator/session')).headers['set-cookie']![0]).toMatch(
      /^mxproof_operator=; Path=\/; Max-Age=0/,
    );
    expect(await isIn(out)).toBe(false);
    const before = await signIn();
    const path = `/operator/sign-in/${await link()}`;
    const now = secretsOf(await press(service, path, shownAs(OPERATOR_SESSION, before)));
    expect([await isIn(before), await isIn(now)]).toEqual([false, true]);
    const [other, unused] = [await signIn(), await link()];
    expect(await signOperatorsOut(db(), THE_SERVICE)).toBe(2);
    expect([await isIn(now), await isIn(other)]).toEqual([false, false]);
    expect((await press(service, `/operator/sign-in/${unused}`)).status).toBe(404);
  });

  test('each beginning and end is a row of the trail', async () => {
    const writer = await adminOf(service);
    const written = await auditOf(service, async () => {
      const secrets = await signIn();
      await asPage(service, secrets, 'DELETE', '/operator/session');
      await service.call('POST', '/operator/session', { key: null, body: { admin_key: writer.key } });
    });
    expect(written.map(({ action, actor, actorId }) => [action, actor, actorId])).toEqual([
      ['operator.link_created', 'service', null],
      ['operator.signed_in', 'operator', null],
      ['operator.signed_out', 'operator', null],
      ['operator.signed_in', 'operator', writer.keyId],
    ]);
  });

  test('is one of twenty: the oldest makes room', async () => {
    const all: Secrets[] = [];
    for (let n = 0; n < 21; n++) all.push(await signIn());
    expect((await asPage(service, all[0]!, 'GET', '/operator/session')).status).toBe(401);
    expect((await asPage(service, all[1]!, 'GET', '/operator/session')).status).toBe(200);
  });

  test('a client has thirty tries a minute, those with keys and at accounts’ links included', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.9' };
    const tried = async (path: string) => (await press(service, path, headers)).status;
    const body = { admin_key: `mx_admin_${'a'.repeat(43)}` };
    for (let n = 0; n < 10; n++) {
      for (const folder of ['/operator/sign-in', '/sign-in'])
        expect(await tried(`${folder}/${'a'.repeat(43)}`)).toBe(404);
      expect((await service.call('POST', '/operator/session', { key: null, body, headers })).status).toBe(
        401,
      );
    }
    expect(await tried(`/operator/sign-in/${await link()}`)).toBe(429);
    expect((await service.call('POST', '/operator/session', { key: null, body, headers })).status).toBe(429);
  });

  test('half of it is nothing, and another page’s request is refused', async () => {
    const secrets = await signIn();
    const { cookie } = shownAs(OPERATOR_SESSION, secrets);
    const half = await service.call('GET', '/admin/v1/sources', { key: null, headers: { cookie } });
    expect(half.status).toBe(401);
    const foreigners: Record<string, string>[] = [
      { origin: 'http://evil.example' },
      { 'x-mxproof-console': '0' },
    ];
    const written = await auditOf(service, async () => {
      for (const headers of foreigners) {
        const refused = await asPage(service, secrets, 'POST', '/admin/v1/accounts', {
          headers,
          body: { name: 'Acme' },
        });
        expect([refused.status, refused.headers['mxproof-error']]).toEqual([403, 'foreign_page']);
      }
    });
    expect(written).toEqual([]);
    const site = await asPage(service, secrets, 'GET', '/admin/v1/doctor', {
      headers: { 'sec-fetch-site': 'same-site' },
    });
    expect(site.status).toBe(403);
  });
});

test('the second document is served without a key, with a page of its own that the API’s does not mention', async () => {
  const document = await service.call('GET', '/admin/v1/openapi.json', { key: null });
  expect([document.status, document.json.info.title]).toEqual([200, 'MXProof for operators']);
  const page = await service.call('GET', '/docs/operators', { key: null });
  expect([page.status, page.text.includes('/admin/v1/openapi.json')]).toEqual([200, true]);
  for (const path of ['/docs', '/v1/openapi.json', '/llms.txt']) {
    const { status, text } = await service.call('GET', path, { key: null });
    expect([status, /\/admin|mx_admin|\/operator/.exec(text)?.[0]], path).toEqual([200, undefined]);
  }
});
