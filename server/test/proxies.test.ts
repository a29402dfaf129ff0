// The guide's examples of nginx and Caddy, run for real, with what a hostile client sends through them.

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdminKey } from '../src/features/operator/admin-keys.ts';
import { addKey } from '../src/flow/add-key.ts';
import { makeSignInLink } from '../src/flow/sign-in.ts';
import { THE_SERVICE } from '../src/rules/audit.ts';
import { readConfig } from '../src/settings/config.ts';
import {
  ask,
  type Changes,
  type Make,
  NAME,
  onlyFrom,
  programOf,
  type Question,
  type RunningProxy,
  startProxy,
} from './guide-proxies.ts';
import { startService, type TestService } from './http-service.ts';
import { until } from './until.ts';
import { accepted } from './verdicts.ts';

const CHROMIUM = '/usr/bin/chromium';
const isRequired = process.env.MXPROOF_REQUIRE_EXTRAS === '1';
const OFFICE = '127.0.0.9';
const ELSEWHERE = '127.0.0.5';
const ORIGIN = `https://${NAME}`;
const AS_BROWSER = { origin: ORIGIN, 'x-mxproof-console': '1' };
/** Whatever a client may say to be taken for the office. */
const FORGED = {
  'x-forwarded-for': [OFFICE, `${OFFICE}, 10.0.0.1`, `${OFFICE}:443`],
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'http',
  'x-real-ip': OFFICE,
  'x-client-ip': OFFICE,
  'true-client-ip': OFFICE,
  forwarded: `for=${OFFICE};host=evil.example;proto=http`,
};
/** How nginx appends, as behind another proxy, and as the guide's example once did. */
const APPENDING = { 'X-Forwarded-For $remote_addr': 'X-Forwarded-For $proxy_add_x_forwarded_for' };

const isMissing = (make: Make) => programOf(make) === null && !isRequired;
const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

/** A service behind a proxy, for the tests of one describe. */
function useProxy(make: Make, trusted: string, changes: Changes = {}) {
  let service: TestService;
  let proxy: RunningProxy;
  beforeAll(async () => {
    if (isMissing(make)) return;
    service = await startService({ trustProxy: readConfig({ MXPROOF_TRUST_PROXY: trusted }).trustProxy });
    proxy = await startProxy(make, service.port, changes);
  });
  afterAll(async () => {
    await proxy?.stop();
    await service?.close();
  });
  return {
    service: () => service,
    ask: (path: string, question?: Question) => ask(proxy, path, question),
    port: () => proxy.port,
    signIn: (headers: object) =>
      ask(proxy, '/session', {
        method: 'POST',
        headers: { 'x-mxproof-console': '1', ...headers },
        body: JSON.stringify({ api_key: service.account.apiKey }),
      }),
  };
}

describe.each<[Make, string, Changes]>([
  ['nginx', '127.0.0.1', {}],
  ['nginx', '1', {}],
  ['nginx', '127.0.0.1', APPENDING],
  ['nginx', '1', APPENDING],
  ['caddy', '127.0.0.1', {}],
  ['caddy', '1', {}],
])('%s, MXPROOF_TRUST_PROXY=%s, %j', (make, trusted, changes) => {
  const { service, ask, signIn } = useProxy(make, trusted, changes);
  const isSkipped = isMissing(make);

  test.skipIf(isSkipped)('a forged address opens no key that is for another one', async () => {
    const { context, account } = service();
    const wanted = { accountId: account.accountId, label: 'office', manage: false, allowedIps: [OFFICE] };
    const { apiKey } = await addKey(context.db, THE_SERVICE, wanted);
    const statusFrom = async (from: string, headers: object) =>
      (await ask('/v1/account', { from, headers: { ...bearer(apiKey), ...headers } })).status;
    expect(await statusFrom(OFFICE, {})).toBe(200);
    expect(await statusFrom(OFFICE, { 'x-forwarded-for': ELSEWHERE })).toBe(200);
    expect(await statusFrom(ELSEWHERE, {})).toBe(401);
    expect(await statusFrom(ELSEWHERE, FORGED)).toBe(401);
    for (const [name, value] of Object.entries(FORGED))
      expect([name, await statusFrom(ELSEWHERE, { [name]: value })]).toEqual([name, 401]);
    const line = service().logged.findLast((each) => each.includes('"request completed"'))!;
    expect(JSON.parse(line)).toMatchObject({ client: ELSEWHERE });
  });

  test.skipIf(isSkipped)('forged addresses are one client to the limit on sign-ins', async () => {
    const attempt = async (n: number, from: string) => {
      const headers = { ...FORGED, 'x-forwarded-for': `192.0.2.${n}`, 'x-real-ip': `192.0.2.${n}` };
      const body = JSON.stringify({ api_key: `mx_live_${'a'.repeat(43)}` });
      return (await ask('/session', { method: 'POST', from, headers, body })).status;
    };
    for (let n = 0; n < 30; n += 1) expect(await attempt(n, '127.0.0.6')).toBe(401);
    expect(await attempt(30, '127.0.0.6')).toBe(429);
    expect(await attempt(30, '127.0.0.7')).toBe(401);
  });

  test.skipIf(isSkipped)('the proxy alone says which name and scheme the browser sees', async () => {
    expect((await signIn({ ...FORGED, origin: 'https://evil.example' })).status).toBe(403);
    expect((await signIn({ ...FORGED, origin: 'http://evil.example' })).status).toBe(403);
    expect((await signIn({ origin: `http://${NAME}` })).status).toBe(403);
    const signedIn = await signIn({ ...FORGED, origin: ORIGIN });
    expect(signedIn.status).toBe(200);
    const [set = ''] = signedIn.headers['set-cookie'] ?? [];
    expect(set).toMatch(/^__Host-mxproof_session=.*; HttpOnly; SameSite=Strict; Secure$/);
    const { proof } = JSON.parse(await signedIn.ended) as { proof: string };
    const cookie = set.split(';')[0]!;
    const statusOf = async (headers: object) => {
      const body = '{"email":"ann@example.com"}';
      const asked = ask('/v1/verify', { method: 'POST', headers: { cookie, ...headers }, body });
      return (await asked).status;
    };
    expect(await statusOf({ ...AS_BROWSER, ...FORGED, 'mxproof-session-proof': proof })).toBe(200);
    expect(await statusOf({ ...AS_BROWSER, ...FORGED })).toBe(401);
  });
});

describe.each<Make>(['nginx', 'caddy'])('%s', (make) => {
  const { service, ask, port } = useProxy(make, '127.0.0.1');
  const isSkipped = isMissing(make);
  const submit = (body: string) =>
    ask('/v1/lists', { method: 'POST', headers: bearer(service().account.apiKey), body });

  test.skipIf(isSkipped)('events arrive while their list runs', async () => {
    const made = await submit('{"emails":["ann@example.com"]}');
    const { id } = JSON.parse(await made.ended) as { id: number };
    const stream = await ask(`/v1/lists/${id}/events`, { headers: bearer(service().account.apiKey) });
    await until(() => stream.text().includes('event: progress'));
    await service().find(id, { 0: accepted });
    expect(await stream.ended).toContain('event: done');
  });

  test.skipIf(isSkipped)('a wrong key is refused before its body is there', async () => {
    const refused = await ask('/v1/lists', {
      method: 'POST',
      headers: { ...bearer(`mx_live_${'a'.repeat(43)}`), 'content-length': 50_000_000 },
      body: '{"emails":[',
      isUnfinished: true,
    });
    expect([refused.status, refused.headers['mxproof-error']]).toEqual([401, 'invalid_api_key']);
    refused.close();
  });

  test.skipIf(isSkipped)('100,000 long addresses, 60 MB, pass', async () => {
    const emails = Array.from({ length: 100_000 }, (_, n) => `${String(n).padStart(590, 'a')}@example.com`);
    const body = JSON.stringify({ emails });
    expect(body.length).toBeGreaterThan(60_000_000);
    const made = await submit(body);
    expect([made.status, JSON.parse(await made.ended).total]).toEqual([201, 100_000]);
  });

  test.skipIf(isSkipped || (!existsSync(CHROMIUM) && !isRequired))(
    'a link signs a browser in, which keeps half of its session in a cookie for this host over https',
    async () => {
      const token = await makeSignInLink(service().context.db, THE_SERVICE, service().account.accountId);
      const browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--no-sandbox', `--host-resolver-rules=MAP ${NAME}:443 127.0.0.1:${port()}`],
      });
      try {
        const page = await browser.newPage({ ignoreHTTPSErrors: true });
        await page.goto(`${ORIGIN}/sign-in/${token}`);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.waitForURL(`${ORIGIN}/`);
        const cookies = await page.context().cookies();
        expect(cookies).toMatchObject([{ name: '__Host-mxproof_session', secure: true, httpOnly: true }]);
        // There is no console here, and the page that says so may not fetch anything.
        await page.goto(`${ORIGIN}/healthz`);
        const statuses = await page.evaluate(async () => {
          const proof = localStorage.getItem('mxproof-session-proof')!;
          const asked = (headers: Record<string, string>) => fetch('/v1/account', { headers });
          return [(await asked({ 'mxproof-session-proof': proof })).status, (await asked({})).status];
        });
        expect(statuses).toEqual([200, 401]);
      } finally {
        await browser.close();
      }
    },
  );
});

describe.each<Make>([
  'nginx',
  'caddy',
])('%s, with the lines that keep the operator’s interface off the internet', (make) => {
  const { service, ask } = useProxy(make, '127.0.0.1', onlyFrom(make, OFFICE));

  test.skipIf(isMissing(make))('answers it to the allowed addresses only, however it is asked', async () => {
    const { adminKey } = await createAdminKey(service().context.db, THE_SERVICE, {
      ...{ label: '', scope: 'read', expiresAtSeconds: null, allowedIps: [OFFICE] },
    });
    const statusFrom = async (from: string, path: string, headers: object = {}) =>
      (await ask(path, { from, headers: { ...bearer(adminKey), ...headers } })).status;
    expect(await statusFrom(OFFICE, '/admin/v1/accounts')).toBe(200);
    for (const path of [
      ...[
        '/admin/v1/accounts',
        '/admin/v1/openapi.json',
        '/operator',
        '/operator/session',
        '/docs/operators',
      ],
      ...[
        '/operator?',
        '/%61dmin/v1/openapi.json',
        '/v1/../admin/v1/openapi.json',
        '/admin/v1/openapi.json?x=/v1',
      ],
    ]) {
      expect([path, await statusFrom(ELSEWHERE, path)]).toEqual([path, 403]);
      expect([path, await statusFrom(ELSEWHERE, path, FORGED)]).toEqual([path, 403]);
    }
    // Not the same paths to the service either.
    for (const path of ['//admin/v1/openapi.json', '/ADMIN/v1/openapi.json', '/admin%2Fv1/openapi.json'])
      expect([403, 404], path).toContain(await statusFrom(ELSEWHERE, path));
    expect(await statusFrom(ELSEWHERE, '/healthz')).toBe(200);
    expect(await statusFrom(ELSEWHERE, '/docs')).toBe(200);
  });
});

describe('nginx on another port than 443', () => {
  const { signIn, port } = useProxy('nginx', '127.0.0.1', { 'Host $host': 'Host $host:$server_port' });

  test.skipIf(isMissing('nginx'))('passes the port on where the guide’s line for it stands', async () => {
    const host = `${NAME}:${port()}`;
    expect((await signIn({ host, origin: `https://${host}` })).status).toBe(200);
    expect((await signIn({ host, origin: ORIGIN })).status).toBe(403);
  });
});
