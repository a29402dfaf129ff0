// The operator's client against a service that misbehaves, and against what is no such service.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeService, json, startFake } from '../../test/fake-service.ts';
import { Conflict, ConnectionFailed, ServiceUnavailable, UnexpectedAnswer } from '../index.ts';
import { VERSION } from '../version.ts';
import { MXProofAdmin, type MXProofAdminSettings } from './index.ts';

let fake: FakeService;
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(async () => {
  vi.restoreAllMocks();
  await fake?.close();
});

async function client(
  handle: Parameters<typeof startFake>[0],
  more: Partial<MXProofAdminSettings> = {},
): Promise<MXProofAdmin> {
  fake = await startFake(handle);
  return new MXProofAdmin({ adminKey: 'mx_admin_x', baseUrl: fake.url, ...more } as MXProofAdminSettings);
}

const ACCOUNT = {
  id: 7,
  name: 'a',
  external_id: null,
  status: 'active',
  credits: 1,
  credits_used: 0,
  lists: 0,
  created_at: 1,
  last_active_at: null,
  rate_requests: null,
  rate_addresses: null,
  retention: { results: null, evidence: null, callbacks: null, single_checks: null },
  monthly_credits: null,
  monthly_from: null,
  mail: null,
  low_credits: null,
  outcomes: false,
};
const ENTRY = {
  id: 9,
  at: 1,
  action: 'credits.changed',
  actor: { kind: 'admin_key', id: 1, name: null },
  client: '192.0.2.1',
  request_id: 'r',
  account_id: 7,
  subject: null,
  changes: { credits: { before: 1, after: 2 } },
  changed: [],
};

test('the client says what it is and who asks, and where', async () => {
  const admin = await client((response) => json(response, 200, ACCOUNT));
  await admin.accounts.get(7);
  for (const end of ['/', '/v1', '/admin/v1', '/admin/v1/', '/mail', '/mail/admin/v1'])
    await new MXProofAdmin({ adminKey: 'k', baseUrl: fake.url + end }).accounts.get(7);
  expect(fake.seen[0]!.headers).toMatchObject({
    authorization: 'Bearer mx_admin_x',
    'user-agent': `mxproof-js/${VERSION}`,
  });
  expect(fake.seen.map(({ path }) => path)).toEqual([
    ...Array.from({ length: 5 }, () => '/admin/v1/accounts/7'),
    ...Array.from({ length: 2 }, () => '/mail/admin/v1/accounts/7'),
  ]);
});

test('a page of the service sends the operator’s cookie and proof, and no key', async () => {
  const seen: [string, RequestInit][] = [];
  const admin = new MXProofAdmin({
    session: true,
    sessionProof: () => 'proof',
    fetch: async (url, init) => {
      seen.push([String(url), init!]);
      return Response.json({ nodes: [] });
    },
  });
  await admin.nodes();
  const [[path, init]] = seen as [[string, RequestInit]];
  expect(path).toBe('/admin/v1/nodes');
  expect(init).toMatchObject({
    credentials: 'same-origin',
    headers: { 'x-mxproof-console': '1', 'mxproof-operator-proof': 'proof' },
  });
  expect(init.headers).not.toHaveProperty('authorization');
});

test('settings that cannot be right are refused at once, without showing the key', () => {
  const make = (settings: unknown) => () => new MXProofAdmin(settings as MXProofAdminSettings);
  expect(make({ baseUrl: 'https://mxproof.example' })).toThrow(/adminKey is your operator’s key/);
  expect(make({ adminKey: 'mx_admin_secret\n' })).toThrow(/^(?!.*secret).*$/);
  expect(make({ session: true })).toThrow(/sessionProof is a function/);
  expect(make({ adminKey: 'k', baseUrl: 'ftp://x.example' })).toThrow(/baseUrl/);
});

const WITH_KEY: readonly [string, (admin: MXProofAdmin, options: { idempotencyKey?: string }) => unknown][] =
  [
    ['an account', (admin, options) => admin.accounts.create({ name: 'a' }, options)],
    ['credits', (admin, options) => admin.accounts.changeCredits(7, { credits: 1 }, options)],
    ['a key', (admin, options) => admin.accounts.keys.create(7, { label: 'a' }, options)],
    ['a link', (admin, options) => admin.accounts.link(7, options)],
    ['a sign-out', (admin, options) => admin.accounts.signOut(7, options)],
    ['a secret', (admin, options) => admin.accounts.webhookSecret(7, options)],
    ['an end', (admin, options) => admin.lists.cancel(7, options)],
    ['a callback', (admin, options) => admin.callbacks.resend(7, options)],
    ['a rest', (admin, options) => admin.restSource('own', { provider: 'google' }, options)],
    ['a resumption', (admin, options) => admin.resumeSource('own', { provider: 'google' }, options)],
    ['a doctor', (admin, options) => admin.runDoctor(options)],
  ];

test.each(
  WITH_KEY,
)('%s is asked for again with the same bytes under one key, or the caller’s', async (_, call) => {
  const admin = await client(
    (response, _request, place) => {
      if (place % 3 === 0) return void response.destroy();
      json(response, place % 3 === 1 ? 503 : 409, { error: 'no' });
    },
    { maxRetries: 2 },
  );
  await expect(call(admin, {})).rejects.toBeInstanceOf(Conflict);
  await expect(call(admin, { idempotencyKey: 'mine' })).rejects.toBeInstanceOf(Conflict);
  const keys = fake.seen.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys).toEqual([...Array(3).fill(keys[0]), ...Array(3).fill('mine')]);
  expect(new Set(fake.seen.map(({ method, path, body }) => `${method} ${path} ${body}`)).size).toBe(1);
});

test('what an attempt in doubt deleted is deleted; what was not there before is refused', async () => {
  const lost = (code: string) =>
    client((response, _request, place) => {
      if (place === 0) return void response.destroy();
      json(response, 404, { error: 'no' }, { 'mxproof-error': code });
    });
  await (await lost('account_not_found')).accounts.delete(7);
  await fake.close();
  await (await lost('key_not_found')).accounts.keys.delete(7, 8);
  await fake.close();
  await expect((await lost('account_not_found')).accounts.keys.delete(7, 8)).rejects.toThrow('no');
});

test.each<[string, (admin: MXProofAdmin) => Promise<unknown>, unknown]>([
  ['no account', (admin) => admin.accounts.get(7), { ...ACCOUNT, credits: '1' }],
  ['half an account', (admin) => admin.accounts.get(7), { id: 7, name: 'a' }],
  ['no accounts', (admin) => admin.accounts.list(), { accounts: [{}] }],
  [
    'no entry',
    (admin) => admin.audit.list(),
    { entries: [{ ...ENTRY, changes: { a: { before: {}, after: 1 } } }] },
  ],
  ['no link', (admin) => admin.accounts.link(7), { url: 1, expires_at: 1 }],
  ['no nodes', (admin) => admin.nodes(), { nodes: null }],
  ['nothing', (admin) => admin.overview(), null],
])('%s is told as what it is', async (_, call, body) => {
  const admin = await client((response) => json(response, 200, body));
  await expect(call(admin)).rejects.toBeInstanceOf(UnexpectedAnswer);
  expect(fake.seen).toHaveLength(1);
});

test('a link to be taken off a block list is https', async () => {
  const counts = { asked: 1, accepted: 0, unknown_recipients: 0, deferred: 0 };
  const day = { ...counts, refused: { block: 1, rate: 0, ptr: 0, policy: 0 } };
  const pair = {
    id: 'own',
    source: '',
    provider: 'google',
    today: day,
    last_week: day,
    rest: null,
    warm_up: null,
  };
  const answer = (link: string) => ({
    at: 1,
    pairs: [{ ...pair, refusal: { kind: 'block', reply: '550', link, at: 1 } }],
    left_out: 0,
  });
  const links = ['https://www.spamhaus.org/', 'javascript:alert(1)'];
  const admin = await client((response, _request, place) => json(response, 200, answer(links[place]!)));
  expect((await admin.sources()).pairs[0]?.refusal?.link).toBe(links[0]);
  await expect(admin.sources()).rejects.toBeInstanceOf(UnexpectedAnswer);
});

test('an export that breaks off gives what came, and is asked for once', async () => {
  const admin = await client((response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(`${JSON.stringify(ENTRY)}\n${JSON.stringify(ENTRY).slice(0, 50)}`, () =>
      response.destroy(),
    );
  });
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const entry of admin.audit.export({ account: 7 })) seen.push(entry);
  })();
  await expect(reading).rejects.toBeInstanceOf(ConnectionFailed);
  expect(seen).toEqual([ENTRY]);
  expect(fake.seen.map(({ path }) => path)).toEqual(['/admin/v1/audit?account=7&format=ndjson']);
});

test('a line that is no entry is none', async () => {
  const admin = await client((response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(`${JSON.stringify(ENTRY)}\n{}\n`);
  });
  const entries = admin.audit.export();
  expect(await entries.next()).toEqual({ done: false, value: ENTRY });
  await expect(entries.next()).rejects.toBeInstanceOf(UnexpectedAnswer);
});

test('an empty filter is refused, and nothing is sent', async () => {
  const admin = await client((response) => json(response, 400, { error: 'no' }));
  const calls: readonly [string, () => Promise<unknown>][] = [
    ['q', () => admin.accounts.list({ q: '' })],
    ['q', () => Array.fromAsync(admin.accounts.all({ q: '' }))],
    ['status', () => admin.lists.list({ status: '' as never })],
    ['state', () => admin.callbacks.list({ state: '' as never })],
    ['action', () => admin.audit.list({ action: '' as never })],
  ];
  for (const [name, call] of calls)
    await expect(call()).rejects.toThrow(
      new TypeError(`${name} is empty: give it a value, or leave it out.`),
    );
  expect(() => admin.audit.export({ action: '' as never })).toThrow(TypeError);
  await expect(admin.accounts.get(0)).rejects.toThrow(/An account id is a positive integer/);
  await expect(admin.accounts.get('7/keys' as never)).rejects.toThrow(TypeError);
  expect(fake.seen).toEqual([]);
});

test('a verification has as long as its call', async () => {
  const admin = await client(
    (response) => void setTimeout(() => json(response, 200, { accounts: 1, lists: 1, differences: [] }), 150),
    { timeoutMs: 50, maxRetries: 0 },
  );
  await expect(admin.nodes()).rejects.toBeInstanceOf(ConnectionFailed);
  expect(await admin.verifyLedger()).toMatchObject({ differences: [] });
  await expect(admin.verifyLedger({ timeoutMs: 50 })).rejects.toBeInstanceOf(ConnectionFailed);
});

test('every operation of the document has a method, but those of a browser’s sign-in', async () => {
  const admin = await client((response) => json(response, 503, { error: 'no' }), { maxRetries: 0 });
  const calls: readonly (() => unknown)[] = [
    ...WITH_KEY.map(
      ([, call]) =>
        () =>
          call(admin, {}),
    ),
    () => admin.accounts.list(),
    () => admin.accounts.get(7),
    () => admin.accounts.update(7, { name: 'a' }),
    () => admin.accounts.delete(7),
    () => admin.accounts.keys.list(7),
    () => admin.accounts.members(7),
    () => admin.accounts.keys.delete(7, 8),
    () => admin.lists.list(),
    () => admin.lists.waiting(7),
    () => admin.callbacks.list(),
    () => admin.nodes(),
    () => admin.sources(),
    () => admin.doctor(),
    () => admin.verifyLedger(),
    () => admin.overview(),
    () => admin.audit.list(),
    () => admin.audit.export().next(),
  ];
  for (const call of calls) await expect(call()).rejects.toBeInstanceOf(ServiceUnavailable);
  const { paths } = JSON.parse(
    readFileSync(new URL('../../../openapi-admin.json', import.meta.url), 'utf8'),
  ) as { paths: Record<string, Record<string, unknown>> };
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith('/admin/v1/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .map((each) => each.replace('sources/{id}', 'sources/own').replace('{id}', '7').replace('{key}', '8'));
  const asked = fake.seen.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
  expect(new Set(asked)).toEqual(new Set(operations));
});
