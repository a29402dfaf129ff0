// The client against the real service, on real sockets and a real database.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { accepted } from '../../server/test/verdicts.ts';
import { InsufficientCredits, InvalidApiKey, InvalidRequest, ListNotFound, MXProof } from './index.ts';

let service: TestService;
let mx: MXProof;
beforeAll(async () => {
  service = await startService();
  mx = new MXProof({ apiKey: service.account.apiKey, baseUrl: `http://127.0.0.1:${service.port}` });
});
afterAll(() => service.close());

const finish = (id: number, rows: number) =>
  service.find(id, Object.fromEntries(Array.from({ length: rows }, (_, at) => [at, accepted])));

test('verify gives the result of one address', async () => {
  expect(await mx.verify(' Ann@Example.com ')).toMatchObject({
    email: 'ann@example.com',
    state: 'deliverable',
  });
});

test('a list is created, found, read page by page in order, and deleted', async () => {
  const emails = Array.from({ length: 25 }, (_, at) => `a${at}@example.com`);
  const list = await mx.lists.create({ emails: [...emails, 'A3@example.com'], name: 'spring' });
  expect(list).toMatchObject({ name: 'spring', total: 25, duplicates_removed: 1, status: 'processing' });
  expect(await mx.lists.get(list.id)).toEqual(list);
  expect((await mx.lists.list({ limit: 1 })).map(({ id }) => id)).toEqual([list.id]);
  await finish(list.id, 25);
  const rows = await Array.fromAsync(mx.lists.results(list.id, { pageSize: 10 }));
  expect(rows.map(({ email }) => email)).toEqual(emails);
  expect(
    (await Array.fromAsync(mx.lists.results(list.id, { offset: 20, limit: 3 }))).map((r) => r.email),
  ).toEqual(emails.slice(20, 23));
  const csv = (await Array.fromAsync(mx.lists.csv(list.id, { pageSize: 10 }))).join('');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(26);
  await mx.lists.delete(list.id);
  await expect(mx.lists.get(list.id)).rejects.toBeInstanceOf(ListNotFound);
});

test('wait reports progress and ends with the list', async () => {
  const { id } = await mx.lists.create({ emails: ['a@b.test', 'c@b.test'] });
  const seen: number[] = [];
  const waiting = mx.lists.wait(id, {
    onProgress: ({ checked }) => {
      if (seen.push(checked) === 1) void finish(id, 2);
    },
  });
  expect(await waiting).toMatchObject({ status: 'done', checked: 2 });
  expect(seen).toEqual([0, 2]);
});

test('refusals are classes that say what a program needs to know', async () => {
  const { apiKey } = await service.open({ credits: 1 });
  const poor = new MXProof({ apiKey, baseUrl: `http://127.0.0.1:${service.port}/v1/` });
  const short = await poor.lists
    .create({ emails: ['a@b.test', 'c@b.test'] })
    .catch((error: unknown) => error);
  expect(short).toBeInstanceOf(InsufficientCredits);
  expect(short).toMatchObject({
    needed: 2,
    status: 402,
    kind: 'insufficient_credits',
    body: { error: 'insufficient credits: 2 needed' },
    requestId: expect.stringMatching(/./),
    attempts: 1,
  });
  await expect(mx.verify('')).rejects.toBeInstanceOf(InvalidRequest);
  await expect(mx.lists.get(999_999)).rejects.toBeInstanceOf(ListNotFound);
  const stranger = new MXProof({ apiKey: 'mx_live_nobody', baseUrl: `http://127.0.0.1:${service.port}` });
  await expect(stranger.account.get()).rejects.toBeInstanceOf(InvalidApiKey);
});

test('mode is what the service says of the key', async () => {
  const fresh = new MXProof({ apiKey: service.account.apiKey, baseUrl: `http://127.0.0.1:${service.port}` });
  expect(fresh.mode).toBeNull();
  const { api_key } = await fresh.account.keys.create({ label: 'trial', test: true });
  expect(fresh.mode).toBe('live');
  const trial = new MXProof({ apiKey: api_key, baseUrl: `http://127.0.0.1:${service.port}` });
  await trial.account.get();
  expect(trial.mode).toBe('test');
  await expect(trial.lists.get(999_999)).rejects.toBeInstanceOf(ListNotFound);
  expect(trial.mode).toBe('test');
});

test('key and address come from the environment where they are not passed', async () => {
  vi.stubEnv('MXPROOF_API_KEY', service.account.apiKey);
  vi.stubEnv('MXPROOF_URL', `http://127.0.0.1:${service.port}/v1`);
  try {
    expect((await new MXProof().account.get()).name).toBe('tests');
    expect((await new MXProof({ apiKey: undefined, baseUrl: undefined }).account.get()).name).toBe('tests');
    const wrong = new MXProof({ apiKey: 'mx_live_other' });
    await expect(wrong.account.get()).rejects.toBeInstanceOf(InvalidApiKey);
    vi.stubEnv('MXPROOF_URL', '');
    const asked: string[] = [];
    const here = new MXProof({
      fetch: (url, init) => {
        asked.push(String(url));
        return fetch(`http://127.0.0.1:${service.port}/v1/account`, init);
      },
    });
    await here.account.get();
    expect(asked).toEqual(['http://127.0.0.1:8080/v1/account']);
    expect(() => new MXProof({ baseUrl: '' })).toThrow(/^baseUrl is the address of your MXProof service/);
    vi.stubEnv('MXPROOF_API_KEY', '');
    expect(() => new MXProof()).toThrow(/pass it, or set MXPROOF_API_KEY\.$/);
  } finally {
    vi.unstubAllEnvs();
  }
});

test.each([
  ['no environment', {}],
  [
    'one that may not be read',
    {
      get env(): never {
        throw new Error('NotCapable');
      },
    },
  ],
])('a runtime with %s needs its key passed', (_, process) => {
  vi.stubGlobal('process', process);
  try {
    expect(() => new MXProof()).toThrow(/set MXPROOF_API_KEY/);
    new MXProof({ apiKey: 'mx_live_x', baseUrl: 'https://mxproof.example.com' });
  } finally {
    vi.unstubAllGlobals();
  }
});
