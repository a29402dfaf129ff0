// The client against a service that misbehaves, and against what is no such service, on real sockets.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { type FakeService, json, LIST, startFake } from '../../test/fake-service.ts';
import {
  ConnectionFailed,
  DeadlineExceeded,
  InvalidRequest,
  MXProof,
  type MXProofSettings,
  RateLimited,
  ServiceUnavailable,
  UnexpectedAnswer,
} from '../index.ts';
import { VERSION } from '../version.ts';

const ACCOUNT = { name: 'a', credits: 1, credits_used: 0, lists: 0 };

let fake: FakeService | undefined;
const all: FakeService[] = [];
// No assertion here is about time: waits are as short as jitter may make them.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(async () => {
  vi.restoreAllMocks();
  for (const one of all.splice(0)) await one.close();
});

async function client(
  handle: Parameters<typeof startFake>[0],
  more: Partial<MXProofSettings> = {},
): Promise<MXProof> {
  fake = await startFake(handle);
  all.push(fake);
  return new MXProof({ apiKey: 'mx_live_x', baseUrl: fake.url, ...more } as MXProofSettings);
}

test('429 and 503 are tried again, with the same bytes and the same Idempotency-Key', async () => {
  const mx = await client((response, _request, place) => {
    if (place === 0) return json(response, 429, { error: 'rate limit exceeded' }, { 'retry-after': '0' });
    if (place === 1) return json(response, 503, { error: 'service unavailable' });
    if (place === 2) return void response.destroy();
    json(response, 201, LIST);
  });
  await mx.lists.create({ emails: ['a@b.test'] });
  expect(fake!.seen).toHaveLength(4);
  expect(new Set(fake!.seen.map(({ body }) => body)).size).toBe(1);
  const keys = new Set(fake!.seen.map(({ headers }) => headers['idempotency-key']));
  expect(keys.size).toBe(1);
  await mx.lists.create({ emails: ['a@b.test'] });
  expect(keys).not.toContain(fake!.seen[4]!.headers['idempotency-key']);
  await mx.lists.create({ emails: ['a@b.test'] }, { idempotencyKey: 'mine' });
  expect(fake!.seen[5]!.headers['idempotency-key']).toBe('mine');
});

test('the client says what it is', async () => {
  const mx = await client((response) => json(response, 200, ACCOUNT));
  await mx.account.get();
  expect(fake!.seen[0]!.headers['user-agent']).toBe(`mxproof-js/${VERSION}`);
});

test('the last refusal is told when the retries are over, and how often it was tried', async () => {
  const mx = await client((response) => json(response, 503, { error: 'service unavailable' }), {
    maxRetries: 2,
  });
  const error = await mx.account.get().catch((each: unknown) => each);
  expect(error).toBeInstanceOf(ServiceUnavailable);
  expect(error).toMatchObject({ attempts: 3, status: 503, requestId: 'r-1', inDoubt: true });
});

test('what was refused for good is sent once', async () => {
  const mx = await client((response) => json(response, 400, { error: 'emails required' }));
  await expect(mx.lists.create({ emails: [] })).rejects.toBeInstanceOf(InvalidRequest);
  expect(fake!.seen).toHaveLength(1);
});

test('what the service would not remember is not sent again once it may have been done', async () => {
  const mx = await client((response) => void response.destroy());
  await expect(mx.account.keys.create({ label: 'ci' })).rejects.toBeInstanceOf(ConnectionFailed);
  await expect(mx.account.webhookSecret()).rejects.toBeInstanceOf(ConnectionFailed);
  expect(fake!.seen).toHaveLength(2);
});

test('but it is when the service says that it did nothing', async () => {
  const mx = await client((response, _request, place) =>
    place === 0
      ? json(response, 429, { error: 'rate limit exceeded' }, { 'retry-after': '0' })
      : json(response, 200, { webhook_secret: 'whsec_x' }),
  );
  expect(await mx.account.webhookSecret()).toBe('whsec_x');
});

test('more patience than a call has is asked of its caller', async () => {
  const mx = await client((response) =>
    json(response, 429, { error: 'rate limit exceeded' }, { 'retry-after': '3600' }),
  );
  const error = await mx.account.get().catch((each: unknown) => each);
  expect(error).toBeInstanceOf(RateLimited);
  expect(error).toMatchObject({ retryAfter: 3600, attempts: 1 });
});

test.each([
  'with a length',
  'in chunks',
  'as JSON that ends early',
])('a body cut off in the middle (%s) is read again', async (how) => {
  const mx = await client((response, _request, place) => {
    if (place > 0) return json(response, 200, ACCOUNT);
    const headers = { 'content-type': 'application/json' };
    const half = '{"name":"a","cred';
    if (how === 'as JSON that ends early') return void response.writeHead(200, headers).end(half);
    response.writeHead(200, how === 'with a length' ? { ...headers, 'content-length': '100' } : headers);
    response.write(half, () => response.destroy());
  });
  expect(await mx.account.get()).toEqual(ACCOUNT);
  expect(fake!.seen).toHaveLength(2);
});

test('an attempt that hangs ends after timeoutMs, the whole call after deadlineMs', async () => {
  const hangs = await client(() => {}, { timeoutMs: 50, maxRetries: 1 });
  await expect(hangs.account.get()).rejects.toBeInstanceOf(ConnectionFailed);
  expect(fake!.seen).toHaveLength(2);
  const slow = await client((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{');
  });
  const error = await slow.account.get({ deadlineMs: 100 }).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(DeadlineExceeded);
  // Nothing of it is left behind.
  await until(() => fake!.open === 0);
});

test('an answer that comes a byte at a time ends after timeoutMs all the same', async () => {
  const mx = await client(
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const dripping = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(dripping));
    },
    { timeoutMs: 200, maxRetries: 0 },
  );
  await expect(mx.account.get()).rejects.toBeInstanceOf(ConnectionFailed);
});

test('an answer of too many values is not parsed, brackets in its texts aside', async () => {
  const bomb = await client((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(1_000_001));
  });
  await expect(bomb.account.get()).rejects.toBeInstanceOf(UnexpectedAnswer);
  const name = '[{,"\\"'.repeat(400_000);
  const large = await client((response) => json(response, 200, { ...ACCOUNT, name }));
  expect((await large.account.get()).name).toBe(name);
});

test('a storm that never ends is over at the deadline, and says what it was', async () => {
  const mx = await client((response) => json(response, 503, { error: 'service unavailable' }), {
    maxRetries: 1e9,
  });
  const error = await mx.account.get({ deadlineMs: 300 }).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(DeadlineExceeded);
  expect((error as Error).cause).toBeInstanceOf(ServiceUnavailable);
});

test('a signal ends the call at once, with its own reason, wherever it is', async () => {
  const reason = new Error('the user left');
  const waiting = await client((response) => json(response, 503, { error: 'x' }, { 'retry-after': '60' }));
  const controller = new AbortController();
  const call = waiting.account.get({ signal: controller.signal });
  await until(() => fake!.seen.length === 1);
  controller.abort(reason);
  await expect(call).rejects.toBe(reason);
  await expect(waiting.account.get({ signal: controller.signal })).rejects.toBe(reason);
  expect(fake!.seen).toHaveLength(1);
  // Also through a fetch that does not listen.
  const deaf = await client(() => {}, { fetch: (url, init) => fetch(url, { ...init, signal: null }) });
  const second = new AbortController();
  const deafCall = deaf.account.get({ signal: second.signal });
  await until(() => fake!.seen.length === 1);
  second.abort(reason);
  await expect(deafCall).rejects.toBe(reason);
});

test('an answer without end is left at the bound', async () => {
  let sent = 0;
  const mx = await client((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const piece = Buffer.alloc(4 * 1024 * 1024, '[');
    const more = (): void => {
      sent += piece.length;
      if (!response.destroyed && sent < 1024 ** 3) response.write(piece, more);
    };
    more();
  });
  const error = await mx.account.get().catch((each: unknown) => each);
  expect(error).toBeInstanceOf(UnexpectedAnswer);
  expect(fake!.seen).toHaveLength(1);
  expect(sent).toBeLessThan(200 * 1024 * 1024);
});

test('what is not the service says so, and does not get the key a second time', async () => {
  const page = await client(
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  );
  await expect(page.account.get()).rejects.toThrow(/is baseUrl the address/);
  const moved = await client(
    (response) => void response.writeHead(301, { location: 'https://elsewhere.test/v1/account' }).end(),
  );
  await expect(moved.account.get()).rejects.toThrow(/redirects to https:\/\/elsewhere\.test/);
  expect(fake!.seen).toHaveLength(1);
});

test('a page of the service sends its cookie and its proof, says that it is one, and sends no key', async () => {
  let proof: string | null = null;
  const seen: RequestInit[] = [];
  const paths: string[] = [];
  const mx = new MXProof({
    session: true,
    sessionProof: () => proof,
    fetch: async (url, init) => {
      paths.push(String(url));
      seen.push(init!);
      return Response.json(ACCOUNT);
    },
  });
  await mx.account.get();
  expect(paths).toEqual(['/v1/account']);
  expect(seen[0]).toMatchObject({ credentials: 'same-origin', headers: { 'x-mxproof-console': '1' } });
  expect(seen[0]!.headers).not.toHaveProperty('authorization');
  expect(seen[0]!.headers).not.toHaveProperty('mxproof-session-proof');
  proof = 'of another sign-in';
  await mx.account.get();
  expect(seen[1]!.headers).toHaveProperty('mxproof-session-proof', proof);
});

test('settings that cannot be right are refused at once, without showing the key', () => {
  const make = (settings: unknown) => () => new MXProof(settings as MXProofSettings);
  const baseUrl = 'https://mxproof.example';
  expect(make({ baseUrl })).toThrow(/apiKey is your MXProof key/);
  expect(make({ session: true })).toThrow(/sessionProof is a function/);
  expect(make({ apiKey: 'mx_live_secret\n', baseUrl })).toThrow(/^(?!.*secret).*$/);
  for (const bad of [
    '',
    'mxproof.example',
    'ftp://x.example',
    'https://u:p@x.example',
    'https://x.example/?a',
  ])
    expect(make({ apiKey: 'k', baseUrl: bad })).toThrow(/baseUrl/);
});

test('baseUrl may have a path, a slash and the version', async () => {
  const mx = await client((response) => json(response, 200, ACCOUNT));
  await mx.account.get();
  for (const end of ['/', '/v1', '/v1/', '/mail', '/mail/v1/'])
    await new MXProof({ apiKey: 'k', baseUrl: fake!.url + end }).account.get();
  expect(fake!.seen.map(({ path }) => path)).toEqual([
    '/v1/account',
    '/v1/account',
    '/v1/account',
    '/v1/account',
    '/mail/v1/account',
    '/mail/v1/account',
  ]);
});

test('what the service warns of is passed on once, from refusals too', async () => {
  const warnings: string[] = [];
  const mx = await client(
    (response, _request, place) => {
      const headers = { 'mxproof-warning': place < 2 ? 'unknown field: group' : 'unknown field: name' };
      if (place === 2) return json(response, 400, { error: 'emails required' }, headers);
      json(response, 201, LIST, headers);
    },
    { onWarning: (warning) => warnings.push(warning) },
  );
  await mx.lists.create({ emails: ['a@b.test'] });
  await mx.lists.create({ emails: ['a@b.test'] });
  await expect(mx.lists.create({ emails: [] })).rejects.toBeInstanceOf(InvalidRequest);
  expect(warnings).toEqual(['unknown field: group', 'unknown field: name']);
});

test('without onWarning it is said on the console', async () => {
  const said = vi.spyOn(console, 'warn').mockReturnValue();
  const mx = await client((response) =>
    json(response, 201, LIST, { 'mxproof-warning': 'unknown field: group' }),
  );
  await mx.lists.create({ emails: ['a@b.test'] });
  expect(said.mock.calls).toEqual([['MXProof: unknown field: group']]);
});
