// Sign-ins that are refused for their number: what they cost the database.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { until } from '../../test/until.ts';

let service: TestService;
beforeEach(async () => {
  // The test's own address stands for a proxy; what it forwards is believed.
  service = await startService({ trustProxy: ['127.0.0.1'], admitLimitMs: 60_000 });
});
afterEach(() => service.close());

const WRONG = `mx_live_${'a'.repeat(43)}`;
const signIn = (client: string) =>
  service.call('POST', '/session', {
    key: null,
    body: { api_key: WRONG },
    headers: { 'x-forwarded-for': client },
  });
const lookAt = (client: string) =>
  service.call('GET', '/sign-in/x', { key: null, headers: { 'x-forwarded-for': client } });

/** How often each client has been counted: everything that a sign-in writes. */
async function counted(): Promise<number[]> {
  const rows = await service.context.db.query<{ attempts: number }>(
    'SELECT attempts FROM mxproof.sign_in_attempts ORDER BY client',
  );
  return rows.map(({ attempts }) => attempts);
}

test('a sign-in beyond the thirtieth writes nothing to the database, with a key or a link', async () => {
  for (let n = 0; n < 30; n++) expect((await signIn('192.0.2.1')).status).toBe(401);
  for (let n = 0; n < 5; n++)
    for (const ask of [signIn, lookAt]) {
      const refused = await ask('192.0.2.1');
      expect([refused.status, refused.headers['mxproof-error']]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    }
  expect(await counted()).toEqual([30]);
  expect((await signIn('192.0.2.2')).status).toBe(401);
  expect(await counted()).toEqual([30, 1]);
});

test('a person reads a page that says what to do', async () => {
  for (let n = 0; n < 30; n++) await signIn('192.0.2.1');
  const refused = await fetch(`http://127.0.0.1:${service.port}/sign-in/x`, {
    headers: { 'x-forwarded-for': '192.0.2.1', accept: 'text/html' },
  });
  expect([refused.status, refused.headers.get('mxproof-error')]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.text()).toContain(
    'Too many tries from your network: wait a minute, and load this page again.',
  );
});

test('of a hundred at the same moment thirty ask the database', async () => {
  const statuses: number[] = [];
  let all: Promise<unknown> = Promise.resolve();
  await service.context.db.transaction(async (tx) => {
    await tx.query('LOCK TABLE mxproof.sign_in_attempts IN ACCESS EXCLUSIVE MODE');
    const answers = Array.from({ length: 100 }, () => signIn('192.0.2.1'));
    all = Promise.all(answers.map(async (answer) => statuses.push((await answer).status)));
    // The others wait for the database.
    await until(() => expect(statuses).toEqual(Array.from({ length: 70 }, () => 429)));
  });
  await all;
  expect(statuses.slice(70)).toEqual(Array.from({ length: 30 }, () => 401));
  expect(await counted()).toEqual([30]);
});

test('what another node has counted is learned with one more, and then remembered', async () => {
  await signIn('192.0.2.1');
  await service.context.db.query('UPDATE mxproof.sign_in_attempts SET attempts = 40');
  for (let n = 0; n < 5; n++) expect((await signIn('192.0.2.1')).status).toBe(429);
  expect(await counted()).toEqual([41]);
});
