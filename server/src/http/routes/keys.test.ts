import { afterEach, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { until } from '../../../test/until.ts';
import { addKey } from '../../flow/add-key.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { readWebhookSecrets } from '../../store/webhook-secrets.ts';

let service: TestService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const make = async (body: object, key?: string) => {
  const made = await service.call('POST', '/v1/keys', {
    body: { label: 'server', ...body },
    ...(key && { key }),
  });
  expect(made.status).toBe(201);
  return made.json as { id: number; api_key: string };
};
const status = async (key: string, headers = {}) =>
  (await service.call('GET', '/v1/account', { key, headers })).status;
const keys = async (key?: string) =>
  (await service.call('GET', '/v1/keys', key ? { key } : {})).json.keys as Record<string, unknown>[];

test('a key is shown once, listed without itself, used, and refused once it is deleted', async () => {
  const made = await service.call('POST', '/v1/keys', { body: { label: ' new server ' } });
  expect(made.status).toBe(201);
  const { api_key, ...shown } = made.json;
  expect(api_key).toMatch(/^mx_live_/);
  expect(shown).toEqual({
    id: expect.any(Number),
    label: 'new server',
    prefix: api_key.slice(0, 16),
    test: false,
    manage: false,
    access: 'full',
    created_at: expect.any(Number),
    last_used_at: null,
    expires_at: null,
    allowed_ips: null,
  });
  const listed = await keys();
  expect(listed.map(({ label, manage }) => [label, manage])).toEqual([
    ['first', true],
    ['new server', false],
  ]);
  expect(JSON.stringify(listed)).not.toContain(api_key);
  expect(await status(api_key)).toBe(200);
  expect((await service.call('DELETE', `/v1/keys/${shown.id}`)).json).toEqual({ deleted: true });
  expect(await status(api_key)).toBe(401);
  expect((await service.call('DELETE', `/v1/keys/${shown.id}`)).json).toEqual({ error: 'key not found' });
  expect((await keys()).map(({ label }) => label)).toEqual(['first']);
});

test('only a key that may manage keys makes, lists and deletes them, or replaces the webhook secret', async () => {
  const { api_key: key } = await make({});
  const calls = [
    ['GET', '/v1/keys'],
    ['POST', '/v1/keys'],
    ['DELETE', '/v1/keys/1'],
    ['POST', '/v1/account/webhook-secret'],
  ] as const;
  for (const [method, path] of calls) {
    const refused = await service.call(method, path, {
      key,
      ...(method === 'POST' && { body: { label: 'x' } }),
    });
    expect([refused.status, refused.json]).toEqual([403, { error: 'key may not manage keys' }]);
  }
  const { api_key: manager, id } = await make({ manage: true });
  await make({ label: 'by the other' }, manager);
  expect((await service.call('DELETE', `/v1/keys/${id}`, { key: manager })).json).toEqual({
    error: 'a key cannot delete itself',
  });
  expect((await service.call('DELETE', `/v1/keys/${id}`)).status).toBe(200);
});

test('keys of another account are neither listed nor deleted', async () => {
  const other = await service.open();
  const { id } = await make({}, other.apiKey);
  await make({ test: true }, other.apiKey);
  expect(await keys()).toHaveLength(1);
  expect((await service.call('DELETE', `/v1/keys/${id}`)).status).toBe(404);
  for (const none of ['0', '-1', 'x', '99999999999999999999', '%00'])
    expect((await service.call('DELETE', `/v1/keys/${none}`)).json).toEqual({ error: 'key not found' });
  expect(await keys(other.apiKey)).toHaveLength(3);
});

test('a live key manages live and test keys, a test key test keys only', async () => {
  const { api_key: test, id } = await make({ test: true, manage: true });
  expect(test).toMatch(/^mx_test_/);
  const { id: second } = await make({ label: 'made by a test key' }, test);
  expect((await keys(test)).map((key) => [key.label, key.test])).toEqual([
    ['server', true],
    ['made by a test key', true],
  ]);
  expect((await keys()).map((key) => key.test)).toEqual([false, true, true]);
  const live = (await keys()).find((key) => !key.test)!;
  expect((await service.call('DELETE', `/v1/keys/${live.id}`, { key: test })).status).toBe(404);
  for (const [path, body] of [
    ['/v1/keys', { label: 'x', test: false }],
    ['/v1/account/webhook-secret', undefined],
  ] as const)
    expect((await service.call('POST', path, { key: test, body })).json).toEqual({
      error: 'a test key manages test keys only',
    });
  expect((await service.call('DELETE', `/v1/keys/${second}`, { key: test })).status).toBe(200);
  expect((await service.call('DELETE', `/v1/keys/${id}`)).status).toBe(200);
});

test('two first test keys at once make one test balance', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, () => make({ test: true })));
  const balances = await Promise.all(
    made.map(({ api_key: key }) => service.call('GET', '/v1/account', { key })),
  );
  expect(new Set(balances.map(({ text }) => text)).size).toBe(1);
  expect(balances[0]!.json).toMatchObject({ name: 'tests', credits: 1_000_000, credits_used: 0, lists: 0 });
  const rows = await service.context.db.query('SELECT id FROM mxproof.accounts WHERE test_of IS NOT NULL');
  expect(rows).toHaveLength(1);
});

test('an expired key is refused', async () => {
  const expiresAt = Math.floor(Date.now() / 1000) + 3_600;
  const { api_key: key, id } = await make({ expires_at: expiresAt });
  expect((await keys()).find((one) => one.id === id)).toMatchObject({ expires_at: expiresAt });
  expect(await status(key)).toBe(200);
  await service.context.db.query('UPDATE mxproof.api_keys SET expires_at = now() WHERE id = $1', [id]);
  expect(await status(key)).toBe(401);
  expect(await keys()).toHaveLength(2);
});

test('a key is refused from an address that is not among its own', async () => {
  const { api_key: here } = await make({ allowed_ips: ['10.0.0.0/8', '127.0.0.1'] });
  const { api_key: elsewhere } = await make({ allowed_ips: ['203.0.113.0/24', '2001:db8::/32'] });
  expect([await status(here), await status(elsewhere)]).toEqual([200, 401]);
  // A forwarded client address is ignored unless the operator trusts the proxy.
  expect(await status(elsewhere, { 'x-forwarded-for': '203.0.113.7' })).toBe(401);
});

test('behind a trusted proxy the address is the client’s', async () => {
  await service.close();
  service = await startService({ trustProxy: ['127.0.0.1'] });
  const { api_key: key } = await make({ allowed_ips: ['203.0.113.0/24'] });
  const from = (ip: string) => status(key, { 'x-forwarded-for': ip });
  expect(await from('203.0.113.7')).toBe(200);
  expect(await from('::ffff:203.0.113.7')).toBe(200);
  expect(await from('198.51.100.1, 203.0.113.7')).toBe(200);
  expect(await from('203.0.113.7, 198.51.100.1')).toBe(401);
  expect(await from('unknown')).toBe(401);
  expect(await status(key)).toBe(401);
});

test.each([
  [{ label: undefined }, 'label must be 1 to 100 printable characters'],
  [{ label: '  ' }, 'label must be 1 to 100 printable characters'],
  [{ label: 7 }, 'label must be 1 to 100 printable characters'],
  [{ label: 'x'.repeat(101) }, 'label must be 1 to 100 printable characters'],
  [{ label: 'nul\0' }, 'label must be 1 to 100 printable characters'],
  [{ label: 'half \ud800' }, 'label must be 1 to 100 printable characters'],
  [{ test: 'yes' }, 'test must be true or false'],
  [{ manage: 1 }, 'manage must be true or false'],
  [{ expires_at: '2030-01-01' }, 'expires_at must be a time in the future in Unix seconds'],
  [{ expires_at: 1.5 }, 'expires_at must be a time in the future in Unix seconds'],
  [{ expires_at: 1_700_000_000 }, 'expires_at must be a time in the future in Unix seconds'],
  [{ expires_at: 1e15 }, 'expires_at must be a time in the future in Unix seconds'],
  [{ allowed_ips: [] }, 'allowed_ips must be 1 to 100 IP addresses or CIDR ranges'],
  [{ allowed_ips: '10.0.0.0/8' }, 'allowed_ips must be 1 to 100 IP addresses or CIDR ranges'],
  [{ allowed_ips: ['10.0.0.1/8'] }, 'allowed_ips must be 1 to 100 IP addresses or CIDR ranges'],
  [{ allowed_ips: ['localhost'] }, 'allowed_ips must be 1 to 100 IP addresses or CIDR ranges'],
  [{ allowed_ips: Array(101).fill('10.0.0.1') }, 'allowed_ips must be 1 to 100 IP addresses or CIDR ranges'],
])('%j: 400 %s', async (body, error) => {
  const refused = await service.call('POST', '/v1/keys', { body: { label: 'server', ...body } });
  expect([refused.status, refused.json]).toEqual([400, { error }]);
  expect(await keys()).toHaveLength(1);
});

test('an account has at most a thousand keys', async () => {
  const { db } = service.context;
  const { accountId } = service.account;
  await db.transaction(async (tx) => {
    for (let n = 0; n < 999; n++)
      await addKey(tx, THE_SERVICE, { accountId, label: `${n}`, manage: false, test: n % 2 === 0 });
  });
  const refused = await service.call('POST', '/v1/keys', { body: { label: 'one more' } });
  expect([refused.status, refused.json]).toEqual([409, { error: 'max 1000 keys per account' }]);
});

test('when a key was last used is known, and not written with every request', async () => {
  const { api_key: key, id } = await make({});
  const used = async () => (await keys()).find((one) => one.id === id)!.last_used_at;
  const { db } = service.context;
  const writes = async () =>
    (await db.query<{ xmin: string }>('SELECT xmin FROM mxproof.api_keys WHERE id = $1', [id]))[0]!.xmin;
  const before = await writes();
  for (let n = 0; n < 5; n++) await status(key);
  await until(async () => (await used()) !== null);
  const after = await writes();
  expect(after).not.toBe(before);
  for (let n = 0; n < 5; n++) await status(key);
  // Closing writes what was gathered: nothing was.
  await service.app.close();
  expect(await writes()).toBe(after);
});

test('a refused key is not noted as used', async () => {
  const { api_key: key, id } = await make({ allowed_ips: ['203.0.113.0/24'] });
  await status(key);
  await service.app.close();
  const rows = await service.context.db.query(
    'SELECT id FROM mxproof.api_keys WHERE last_used_at IS NOT NULL AND id = $1',
    [id],
  );
  expect(rows).toEqual([]);
});

test('the webhook secret is replaced, shown once, and the one before goes on for a day', async () => {
  const { db } = service.context;
  const { accountId, webhookSecret } = service.account;
  const answered = await service.call('POST', '/v1/account/webhook-secret');
  expect([answered.status, answered.headers['cache-control']]).toEqual([200, 'no-store']);
  const { webhook_secret: first } = answered.json;
  expect(first).toMatch(/^whsec_/);
  expect(await readWebhookSecrets(db, accountId, service.box)).toEqual([first, webhookSecret]);
  const { webhook_secret: second } = (await service.call('POST', '/v1/account/webhook-secret')).json;
  expect(await readWebhookSecrets(db, accountId, service.box)).toEqual([second, first]);
  await db.query('UPDATE mxproof.accounts SET previous_webhook_secret_until = now()');
  expect(await readWebhookSecrets(db, accountId, service.box)).toEqual([second]);
  expect(service.logged.join()).not.toContain(second);
});
