// The operator's session, as a browser has it and as a customer would like to.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writtenBy } from '../../../test/audit-rows.ts';
import { startService, type TestResponse, type TestService } from '../../../test/http-service.ts';
import { healthOf, noCounts } from '../../../test/source-health.ts';
import { addKey } from '../../flow/add-key.ts';
import { makeSignInLink } from '../../flow/sign-in.ts';
import { ACCOUNT_SESSION, type SessionKind } from '../../http/wire/session-cookie.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import type { SourceHealth } from '../sources/source-health.ts';
import { operatorPages } from './routes.ts';
import { makeOperatorLink } from './sign-in.ts';
import { OPERATOR_SESSION } from './sign-in-link.ts';
import { endOperatorSignIns, sweepOperatorSignIns } from './stored-sign-ins.ts';
import type { MachineReport } from './wire-operator.ts';

let service: TestService;
let origin: string;
let health: readonly SourceHealth[];
let reports: readonly MachineReport[];
const done: unknown[][] = [];
const side = {
  sources: async () => health,
  doctor: async () => reports,
  backupAt: async () => new Date('2026-11-17T03:00:00Z'),
  rest: async (...rest: unknown[]) => void done.push(['rest', ...rest]),
  resume: async (...pair: unknown[]) => void done.push(['resume', ...pair]),
};
beforeAll(async () => {
  service = await startService({
    features: [{ pages: (app, { context }, door) => operatorPages(app, context.db, side, door) }],
    trustProxy: ['127.0.0.1'],
  });
  origin = `http://127.0.0.1:${service.port}`;
});
afterAll(() => service.close());
beforeEach(async () => {
  done.length = 0;
  health = [healthOf('192.0.2.1', 'google')];
  reports = [];
  await db().query('DELETE FROM mxproof.sign_in_attempts');
  await endOperatorSignIns(db());
});

const db = () => service.context.db;

/** The two secrets of a session. */
interface Secrets {
  readonly cookie: string;
  readonly proof: string;
}

function secretsOf(answered: TestResponse): Secrets {
  const [set = ''] = answered.headers['set-cookie'] ?? [];
  return { cookie: set.split(';')[0]!.split('=')[1]!, proof: answered.json.proof };
}

/** Secrets where a session of this kind has them. */
const shownAs = (kind: SessionKind, { cookie, proof }: Secrets) => ({
  cookie: `${kind.cookie}=${cookie}`,
  [kind.proofHeader]: proof,
});

const press = (path: string, headers: Record<string, string> = {}) =>
  service.call('POST', path, { key: null, headers: { origin, ...headers } });

async function signInOperator(): Promise<Secrets> {
  return secretsOf(await press(`/operator/sign-in/${await makeOperatorLink(db(), THE_SERVICE)}`));
}

async function signInAccount(): Promise<Secrets> {
  return secretsOf(
    await press(`/sign-in/${await makeSignInLink(db(), THE_SERVICE, service.account.accountId)}`),
  );
}

/** As the operator's own page does. */
const asPage = (secrets: Secrets, method: string, path: string, more: Record<string, string> = {}) =>
  service.call(method, path, {
    key: null,
    headers: { ...shownAs(OPERATOR_SESSION, secrets), origin, 'x-mxproof-console': '1', ...more },
  });

/** Every route that is registered, with each of its methods. */
function routes(): { readonly method: string; readonly path: string }[] {
  const above: string[] = [];
  const found: { method: string; path: string }[] = [];
  for (const line of service.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, segment, methods] = /^(.*?[├└]── )(\S+) \(([A-Z, ]+)\)/.exec(line) ?? [];
    if (indent === undefined || segment === undefined || methods === undefined) continue;
    above.length = indent.length / 4 - 1;
    above.push(segment);
    const path = above.join('').replace(/:\w+/g, '1');
    for (const method of methods.split(', ')) found.push({ method, path });
  }
  return found;
}

describe('whose session it is', () => {
  const statusOf = async (method: string, path: string, headers: Record<string, string>) =>
    (await fetch(origin + path, { method, headers: { origin, 'x-mxproof-console': '1', ...headers } }))
      .status;

  test('no route of accounts takes an operator’s session, under either name, and each takes a key', async () => {
    const operator = await signInOperator();
    const ofAccounts = routes().filter(
      ({ method, path }) =>
        (path.startsWith('/v1/') && path !== '/v1/openapi.json') ||
        (path === '/session' && method === 'DELETE'),
    );
    expect(ofAccounts.length).toBeGreaterThan(40);
    const key = { authorization: `Bearer ${service.account.apiKey}` };
    for (const { method, path } of ofAccounts) {
      for (const kind of [OPERATOR_SESSION, ACCOUNT_SESSION])
        expect(await statusOf(method, path, shownAs(kind, operator)), `${method} ${path}`).toBe(401);
      if (path !== '/session') expect(await statusOf(method, path, key), `${method} ${path}`).not.toBe(401);
    }
    expect((await asPage(operator, 'GET', '/operator/api/session')).status).toBe(200);
  });

  test('no route of operators takes a key or an account’s session, under either name, and each takes its own', async () => {
    const account = await signInAccount();
    const { apiKey: testKey } = await addKey(db(), THE_SERVICE, {
      accountId: service.account.accountId,
      label: 'test',
      manage: true,
      test: true,
    });
    const ofOperators = routes().filter(({ path }) => path.startsWith('/operator/api/'));
    expect(ofOperators.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'DELETE /operator/api/session',
      'GET /operator/api/doctor',
      'GET /operator/api/session',
      'GET /operator/api/sources',
      'HEAD /operator/api/doctor',
      'HEAD /operator/api/session',
      'HEAD /operator/api/sources',
      'POST /operator/api/sources/rest',
      'POST /operator/api/sources/resume',
    ]);
    const presented = [
      {},
      ...[service.account.apiKey, testKey].map((key) => ({ authorization: `Bearer ${key}` })),
      ...[OPERATOR_SESSION, ACCOUNT_SESSION].map((kind) => shownAs(kind, account)),
      { ...shownAs(ACCOUNT_SESSION, account), authorization: `Bearer ${service.account.apiKey}` },
    ];
    for (const { method, path } of ofOperators) {
      for (const headers of presented)
        expect(await statusOf(method, path, headers), `${method} ${path}`).toBe(401);
      const own = shownAs(OPERATOR_SESSION, await signInOperator());
      expect(await statusOf(method, path, own), `${method} ${path}`).toBe(method === 'POST' ? 400 : 200);
    }
    expect(done).toEqual([]);
    const still = await service.call('GET', '/v1/account', {
      key: null,
      headers: shownAs(ACCOUNT_SESSION, account),
    });
    expect(still.status).toBe(200);
  });

  test('neither link opens what the other does, and trying does not use it up', async () => {
    const [own, accounts] = [
      await makeOperatorLink(db(), THE_SERVICE),
      await makeSignInLink(db(), THE_SERVICE, service.account.accountId),
    ];
    for (const path of [`/operator/sign-in/${accounts}`, `/sign-in/${own}`]) {
      expect((await press(path)).status, path).toBe(404);
      expect((await fetch(origin + path)).status, path).toBe(404);
    }
    for (const path of [`/operator/sign-in/${own}`, `/sign-in/${accounts}`])
      expect((await press(path)).status, path).toBe(200);
  });

  test('a browser may have both, and signing out of one leaves the other', async () => {
    const [operator, account] = [await signInOperator(), await signInAccount()];
    const both = {
      ...shownAs(OPERATOR_SESSION, operator),
      ...shownAs(ACCOUNT_SESSION, account),
      cookie: `mxproof_session=${account.cookie}; mxproof_operator=${operator.cookie}`,
    };
    expect(await statusOf('DELETE', '/operator/api/session', both)).toBe(200);
    expect(await statusOf('GET', '/operator/api/session', both)).toBe(401);
    expect(await statusOf('GET', '/v1/account', both)).toBe(200);
  });
});

describe('a session of the operator', () => {
  test('begins with a button that works once, and with a cookie no script can read', async () => {
    const path = `/operator/sign-in/${await makeOperatorLink(db(), THE_SERVICE)}`;
    for (let looks = 0; looks < 2; looks++) {
      const page = await fetch(origin + path);
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'sha256-/);
      expect(await page.text()).toContain('Sign in as operator');
    }
    for (const foreign of [{ origin: 'http://evil.example' }, { origin: 'null' }])
      expect((await press(path, foreign)).status).toBe(403);
    const pressed = await press(path);
    expect(pressed.headers['set-cookie']![0]).toMatch(
      /^mxproof_operator=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect((await press(path)).status).toBe(404);
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
    const later = await press(`/operator/sign-in/${await makeOperatorLink(db(), THE_SERVICE)}`, {
      'x-forwarded-proto': 'https',
      origin: origin.replace('http:', 'https:'),
    });
    expect(later.headers['set-cookie']![0]).toMatch(/^__Host-mxproof_operator=.*; SameSite=Strict; Secure$/);
  });

  test('a link that is too old opens nothing', async () => {
    const path = `/operator/sign-in/${await makeOperatorLink(db(), THE_SERVICE)}`;
    await db().query("UPDATE mxproof.operator_links SET created_at = created_at - interval '15 minutes'");
    expect((await press(path)).status).toBe(404);
    await sweepOperatorSignIns(db());
    expect(await db().query('SELECT 1 FROM mxproof.operator_links')).toEqual([]);
  });

  test('ends after twelve hours, however much it is used, and is swept', async () => {
    const secrets = await signInOperator();
    const move = (interval: string) =>
      db().query('UPDATE mxproof.operator_sessions SET created_at = created_at - $1::interval', [interval]);
    await move('11 hours 59 minutes');
    const told = await asPage(secrets, 'GET', '/operator/api/session');
    expect(told.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(Math.abs(told.json.expires_at - Date.now() / 1_000 - 60)).toBeLessThan(30);
    await move('1 minute');
    expect((await asPage(secrets, 'GET', '/operator/api/session')).json).toEqual({
      error: 'operator session required: run mxproof admin link',
    });
    await sweepOperatorSignIns(db());
    expect(await db().query('SELECT 1 FROM mxproof.operator_sessions')).toEqual([]);
  });

  test('signs out, replaces the one the browser had, and ends with all others', async () => {
    const isIn = async (secrets: Secrets) =>
      (await asPage(secrets, 'GET', '/operator/api/session')).status === 200;
    const out = await signInOperator();
    expect((await asPage(out, 'DELETE', '/operator/api/session')).headers['set-cookie']![0]).toMatch(
      /^mxproof_operator=; Path=\/; Max-Age=0/,
    );
    expect(await isIn(out)).toBe(false);
    const before = await signInOperator();
    const now = secretsOf(
      await press(
        `/operator/sign-in/${await makeOperatorLink(db(), THE_SERVICE)}`,
        shownAs(OPERATOR_SESSION, before),
      ),
    );
    expect([await isIn(before), await isIn(now)]).toEqual([false, true]);
    const [other, link] = [await signInOperator(), await makeOperatorLink(db(), THE_SERVICE)];
    expect(await endOperatorSignIns(db())).toBe(2);
    expect([await isIn(now), await isIn(other)]).toEqual([false, false]);
    expect((await press(`/operator/sign-in/${link}`)).status).toBe(404);
  });

  test('is one of twenty: the oldest makes room', async () => {
    const all: Secrets[] = [];
    for (let n = 0; n < 21; n++) all.push(await signInOperator());
    const [first, second] = [await asPage(all[0]!, 'GET', '/operator/api/session'), all[1]!];
    expect(first.status).toBe(401);
    expect((await asPage(second, 'GET', '/operator/api/session')).status).toBe(200);
  });

  test('a client has thirty tries a minute, those at accounts’ links included', async () => {
    const tried = async (path: string) => (await press(path, { 'x-forwarded-for': '198.51.100.9' })).status;
    for (let n = 0; n < 15; n++)
      for (const folder of ['/operator/sign-in', '/sign-in'])
        expect(await tried(`${folder}/${'a'.repeat(43)}`)).toBe(404);
    expect(await tried(`/operator/sign-in/${await makeOperatorLink(db(), THE_SERVICE)}`)).toBe(429);
  });

  test('half of it is nothing, and another page’s request is refused', async () => {
    const secrets = await signInOperator();
    const { cookie } = shownAs(OPERATOR_SESSION, secrets);
    const half = await service.call('GET', '/operator/api/sources', { key: null, headers: { cookie } });
    expect(half.status).toBe(401);
    const path = '/operator/api/sources/rest?source=192.0.2.1&provider=google&hours=1';
    const foreigners: Record<string, string>[] = [
      { origin: 'http://evil.example' },
      { 'x-mxproof-console': '0' },
    ];
    for (const foreign of foreigners) expect((await asPage(secrets, 'POST', path, foreign)).status).toBe(403);
    expect(
      (await asPage(secrets, 'GET', '/operator/api/doctor', { 'sec-fetch-site': 'same-site' })).status,
    ).toBe(403);
    expect(done).toEqual([]);
  });
});

describe('what it sees and does', () => {
  const get = async (path: string) => (await asPage(await signInOperator(), 'GET', path)).json;

  test('how each source fares, with no link but one over https', async () => {
    const at = new Date('2026-11-17T10:00:00Z');
    const reply = '550 5.7.1 blocked <script>alert(1)</script>';
    health = [
      healthOf('192.0.2.1', 'google', {
        today: {
          ...noCounts,
          asked: 9,
          accepted: 4,
          unknownRecipients: 2,
          deferred: 1,
          refused: { ...noCounts.refused, block: 2 },
        },
        refusal: { kind: 'block', reply, link: 'https://check.spamhaus.org/', at },
        rest: { since: at, until: null, by: 'operator' },
        warmUp: { day: 3, perDay: 200, used: 9, heldBack: 'refused' },
      }),
      healthOf('', 'other', { refusal: { kind: 'ptr', reply, link: 'javascript:alert(1)', at } }),
    ];
    const seconds = at.getTime() / 1_000;
    expect(await get('/operator/api/sources')).toMatchObject({
      left_out: 0,
      pairs: [
        {
          source: '192.0.2.1',
          provider: 'google',
          today: {
            asked: 9,
            accepted: 4,
            unknown_recipients: 2,
            deferred: 1,
            refused: { block: 2, rate: 0 },
          },
          last_week: { asked: 0 },
          refusal: { kind: 'block', reply, link: 'https://check.spamhaus.org/', at: seconds },
          rest: { since: seconds, until: null, by: 'operator' },
          warm_up: { day: 3, per_day: 200, used: 9, held_back: 'refused' },
        },
        { source: '', refusal: { link: null }, rest: null, warm_up: null },
      ],
    });
  });

  test('what the doctor found on each machine', async () => {
    const ranAt = new Date('2026-11-17T10:00:00Z');
    const check = {
      id: 'disk',
      title: 'Disk',
      status: 'warning',
      detail: '5 % left.',
      advice: 'Free some.',
    } as const;
    reports = [{ machine: 'mx1', ranAt, report: { ok: true, checks: [check] } }];
    expect(await get('/operator/api/doctor')).toMatchObject({
      backup_at: Date.UTC(2026, 10, 17, 3) / 1_000,
      left_out: 0,
      reports: [
        {
          machine: 'mx1',
          ran_at: ranAt.getTime() / 1_000,
          ok: true,
          checks: [{ ...check, group: 'Configuration and machine' }],
        },
      ],
    });
  });

  test('however much is stored, the answers stay small enough to read', async () => {
    const long = 'x'.repeat(5_000);
    const refusal = { kind: 'block', reply: long, link: `https://a/${long}`, at: new Date(0) } as const;
    health = Array.from({ length: 2_500 }, (_, n) => healthOf(`${n}${long}`, 'google', { refusal }));
    const checks = Array.from(
      { length: 1_000 },
      () => ({ id: long, title: long, status: 'ok', detail: long, advice: long }) as const,
    );
    reports = Array.from({ length: 150 }, () => ({
      machine: long,
      ranAt: new Date(0),
      report: { ok: true, checks },
    }));
    const sources = await get('/operator/api/sources');
    expect([sources.pairs.length, sources.left_out]).toEqual([2_000, 500]);
    expect(JSON.stringify(sources.pairs[0]).length).toBeLessThan(4_000);
    const doctor = await get('/operator/api/doctor');
    expect([doctor.reports.length, doctor.left_out, doctor.reports[0].checks.length]).toEqual([100, 50, 300]);
    expect(JSON.stringify(doctor.reports[0].checks[0]).length).toBeLessThan(4_000);
  });

  test('a link, signing in with it and signing out are a row of the audit trail each', async () => {
    const { rows, done } = await writtenBy(db(), async () => {
      const secrets = await signInOperator();
      return asPage(secrets, 'DELETE', '/operator/api/session');
    });
    const browser = { account_id: null, actor: 'operator', actor_id: null, client: '127.0.0.1' };
    expect(rows).toMatchObject([
      { action: 'operator.link_created', actor: 'service' },
      { ...browser, action: 'operator.signed_in', request_id: expect.any(String) },
      { ...browser, action: 'operator.signed_out', request_id: done.headers['x-request-id'] },
    ]);
  });

  test('rests a known source at any provider for hours or until it is resumed, and resumes it', async () => {
    const secrets = await signInOperator();
    const post = async (path: string) =>
      (await asPage(secrets, 'POST', `/operator/api/sources/${path}`)).status;
    expect(await post('rest?source=192.0.2.1&provider=google&hours=24')).toBe(200);
    expect(await post('rest?source=192.0.2.1&provider=yahoo&hours=none')).toBe(200);
    expect(await post('resume?source=192.0.2.1&provider=google')).toBe(200);
    const actor = { kind: 'operator', id: null, name: null, client: '127.0.0.1' };
    const browser = { ...actor, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    expect(done).toEqual([
      ['rest', browser, '192.0.2.1', 'google', 24],
      ['rest', browser, '192.0.2.1', 'yahoo', null],
      ['resume', browser, '192.0.2.1', 'google'],
    ]);
    for (const bad of ['', 'source=192.0.2.1&provider=google', 'source=a&source=b&provider=google&hours=1'])
      expect(await post(`rest?${bad}`), bad).toBe(400);
    for (const hours of ['0', '-1', '1.5', '8761', '99999', 'null', ''])
      expect(await post(`rest?source=192.0.2.1&provider=google&hours=${hours}`), hours).toBe(400);
    for (const unknown of ['source=192.0.2.2&provider=google', 'source=192.0.2.1&provider=gogle']) {
      expect(await post(`rest?${unknown}&hours=1`), unknown).toBe(404);
      expect(await post(`resume?${unknown}`), unknown).toBe(404);
    }
    expect(done).toHaveLength(3);
  });
});
