import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createFakeChecker } from '../../test/fake-checker.ts';
import { startService, type TestService, unheard, unwatched } from '../../test/http-service.ts';
import { acceptedRow } from '../../test/verdicts.ts';
import { openDatabase } from '../store/database.ts';
import { createHttp } from './create-http.ts';

let service: TestService;
afterEach(() => service.close());

test('a request is one line: id, route, status, duration, account, and nothing the client wrote', async () => {
  service = await startService();
  const secret = 'very-secret-word';
  const body = { emails: [`${secret}@b.test`], name: secret, callback_url: `https://b.test/${secret}` };
  const headers = { 'x-request-id': secret, 'user-agent': secret, 'idempotency-key': secret, prefer: secret };
  const made = await service.call('POST', '/v1/lists', { body, headers });
  await service.call('POST', '/v1/verify', { body: { email: `${secret}2@b.test` }, headers });
  await service.call('POST', '/v1/verify', { raw: `{"email": ${secret}`, headers });
  await service.call('GET', `/v1/lists/${made.json.id}/results?x=${secret}`);
  await service.call('GET', `/v1/lists/${secret}`);
  await service.call('GET', `/v1/${secret}`);
  await service.call('GET', `/${secret}`, { key: null });
  for (const probe of ['/healthz', '/readyz']) await service.call('GET', probe, { key: null });
  await service.call('GET', '/v1/account', { key: `mx_live_${secret}` });
  // A defect, whose message quotes the statement's values.
  await service.context.db.query(
    'ALTER TABLE mxproof.lists ADD CHECK (name_json NOT LIKE $$%secret%$$) NOT VALID',
  );
  const failed = await service.call('POST', '/v1/lists', { body });
  expect({ status: failed.status, json: failed.json }).toEqual({
    status: 500,
    json: { error: 'internal error' },
  });

  const all = service.logged.join('');
  expect(all).not.toContain(secret);
  expect(all).not.toContain(service.account.apiKey);
  expect(all).not.toContain(service.account.webhookSecret);
  expect(all).not.toContain('b.test');
  const lines = service.logged
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'request completed');
  expect(lines).toHaveLength(9);
  expect(lines[0]).toMatchObject({
    id: made.headers['x-request-id'],
    method: 'POST',
    route: '/v1/lists',
    status: 201,
    durationMs: expect.any(Number),
    account: service.account.accountId,
  });
  expect(lines.map(({ route }) => route)).toEqual([
    ...['/v1/lists', '/v1/verify', '/v1/verify', '/v1/lists/:id/results', '/v1/lists/:id'],
    ...[null, null, '/v1/account', '/v1/lists'],
  ]);
  expect(lines.at(-2)).toMatchObject({ status: 401, account: null });
});

test('while the service is not ready everything under /v1 is 503, and the process still lives', async () => {
  let ready = true;
  service = await startService({ ready: () => ready });
  expect((await service.call('GET', '/readyz', { key: null })).json).toEqual({ status: 'ok' });
  ready = false;
  for (const path of ['/v1/account', '/readyz']) {
    const answered = await service.call('GET', path);
    expect({ status: answered.status, json: answered.json }).toEqual({
      status: 503,
      json: { error: 'service unavailable' },
    });
    expect(Number(answered.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(answered.headers['mxproof-error-detail']).toBe(path === '/readyz' ? 'database' : undefined);
  }
  expect((await service.call('GET', '/healthz', { key: null })).status).toBe(200);
});

test('a database that is away is 503, and the service serves again when it is back', async () => {
  service = await startService();
  const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
  const app = await createHttp({
    context: { ...service.context, db: away },
    box: service.box,
    singles: { makeWay: () => () => {}, begin() {}, finished: async () => null },
    domains: createFakeChecker(),
    watch: unwatched,
    callbackWatch: unheard,
    limits: {
      rateRequests: 10,
      rateAddresses: 10,
      rateAccount: 10,
      verifyWaitSeconds: 0,
      listLimitMs: 14_400_000,
    },
    log: service.app.log,
    trustProxy: 0,
    asker: { heloNames: [], addresses: [], abuseContact: null },
    ready: () => true,
  });
  const headers = { authorization: `Bearer ${service.account.apiKey}` };
  for (const url of ['/v1/account', '/readyz']) {
    const answered = await app.inject({ url, headers });
    expect([answered.statusCode, answered.json()]).toEqual([503, { error: 'service unavailable' }]);
    expect(answered.headers['retry-after']).toBeDefined();
  }
  await app.close();
  await away.close();
  // Every connection of the pool killed at once: at worst one 503, then answers again.
  const killed = service.context.db
    .query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    .catch(() => {});
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.call('GET', '/v1/account')));
  for (const { status } of answers) expect([200, 503]).toContain(status);
  await killed;
  for (let n = 0; n < 50 && (await service.call('GET', '/v1/account')).status !== 200; n++);
  expect((await service.call('GET', '/v1/account')).status).toBe(200);
});

test('a database that does not answer at all is 503 as well', async () => {
  service = await startService({ admitLimitMs: 200 });
  await service.context.db.transaction(async (tx) => {
    await tx.query('LOCK TABLE mxproof.api_keys IN ACCESS EXCLUSIVE MODE');
    const answered = await service.call('GET', '/v1/account');
    expect([answered.status, answered.json]).toEqual([503, { error: 'service unavailable' }]);
  });
  expect((await service.call('GET', '/v1/account')).status).toBe(200);
});

test('closing answers what is in hand, ends idle connections, and takes nothing new', async () => {
  let begun = () => {};
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  service = await startService({
    singles: {
      makeWay: () => () => {},
      begin: () => begun(),
      finished: (_, waitMs) => new Promise((resolve) => setTimeout(resolve, waitMs, acceptedRow).unref()),
    },
  });
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((resolve, reject) => {
    httpGet({ port: service.port, path: '/healthz', agent }, (response) =>
      response.resume().on('end', () => resolve()),
    ).on('error', reject);
  });
  const waiting = service.call('POST', '/v1/verify', { body: { email: 'a@b.test' } });
  await running;
  const closed = service.app.close();
  const answered = await waiting;
  expect(answered.status).toBe(202);
  await closed;
  await expect(service.call('GET', '/healthz')).rejects.toThrow('ECONNREFUSED');
  agent.destroy();
});

test('with a certificate the service speaks HTTPS itself', async ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-tls-'));
  try {
    execFileSync(
      'openssl',
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost -keyout ${folder}/key.pem -out ${folder}/cert.pem`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    );
  } catch {
    skip('openssl was not found: the HTTPS test did not run');
  }
  const tls = { cert: readFileSync(join(folder, 'cert.pem')), key: readFileSync(join(folder, 'key.pem')) };
  rmSync(folder, { recursive: true });
  service = await startService({ tls });
  const { port } = service.app.server.address() as AddressInfo;
  const status = await new Promise((resolve, reject) => {
    httpsGet(
      {
        port,
        path: '/v1/account',
        ca: tls.cert,
        servername: 'localhost',
        agent: false,
        headers: { authorization: `Bearer ${service.account.apiKey}` },
      },
      (response) => response.resume().on('end', () => resolve(response.statusCode)),
    ).on('error', reject);
  });
  expect(status).toBe(200);
});

test('browsers are told to come by https where they did, by what a trusted proxy says, and nowhere else', async () => {
  const told = async (forwarded: string) =>
    (await service.call('GET', '/healthz', { headers: { 'x-forwarded-proto': forwarded } })).headers[
      'strict-transport-security'
    ];
  service = await startService({ trustProxy: ['127.0.0.1'] });
  expect([await told('https'), await told('http')]).toEqual(['max-age=31536000', undefined]);
  await service.close();
  service = await startService();
  expect(await told('https')).toBeUndefined();
});

test('a page of a list that is deleted meanwhile breaks off instead of ending early', async () => {
  service = await startService();
  const emails = Array.from({ length: 10_000 }, (_, n) => `${n}${'x'.repeat(900)}@b.test`);
  const { json } = await service.call('POST', '/v1/lists', { body: { emails } });
  const outcome = await new Promise((resolve) => {
    httpGet(
      {
        port: service.port,
        path: `/v1/lists/${json.id}/results?limit=10000`,
        agent: false,
        headers: { authorization: `Bearer ${service.account.apiKey}` },
      },
      async (response) => {
        response.on('error', () => resolve('broken off')).on('end', () => resolve('ended'));
        await service.call('DELETE', `/v1/lists/${json.id}`);
        response.resume();
      },
    );
  });
  expect(outcome).toBe('broken off');
});

test('strangers who ask for readiness share one look at the database', async () => {
  service = await startService();
  let pings = 0;
  const db = { ...service.context.db, ping: async () => void pings++ };
  const app = await createHttp({
    context: { ...service.context, db },
    box: service.box,
    singles: { makeWay: () => () => {}, begin() {}, finished: async () => null },
    domains: createFakeChecker(),
    watch: unwatched,
    callbackWatch: unheard,
    limits: {
      rateRequests: 10,
      rateAddresses: 10,
      rateAccount: 10,
      verifyWaitSeconds: 0,
      listLimitMs: 14_400_000,
    },
    asker: { heloNames: [], addresses: [], abuseContact: null },
    log: service.app.log,
    trustProxy: 0,
    ready: () => true,
  });
  const beganMs = performance.now();
  for (let round = 0; round < 3; round++)
    for (const { statusCode } of await Promise.all(
      Array.from({ length: 100 }, () => app.inject({ url: '/readyz' })),
    ))
      expect(statusCode).toBe(200);
  expect(pings).toBeLessThanOrEqual(1 + (performance.now() - beganMs) / 1_000);
  await app.close();
});

test('a line names the client that a trusted proxy names, and nothing that is no address', async () => {
  service = await startService({ trustProxy: ['127.0.0.1'] });
  const seen = async (forwarded: string) => {
    await service.call('GET', '/v1/account', { headers: { 'x-forwarded-for': forwarded } });
    return JSON.parse(service.logged.findLast((line) => line.includes('"request completed"'))!).client;
  };
  expect(await seen('192.0.2.7')).toBe('192.0.2.7');
  expect(await seen('ann@b.test')).toBeNull();
  await service.close();
  service = await startService();
  expect(await seen('192.0.2.7')).toBe('127.0.0.1');
});
