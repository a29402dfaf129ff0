// Many addresses against the real service: results in the order of the input, one charge for each address.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { accepted } from '../../server/test/verdicts.ts';
import { ACCOUNT, json, LIST, ROW, startFake } from '../test/fake-service.ts';
import { InsufficientCredits, type ListSummary, MXProof, UnexpectedAnswer } from './index.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const clientOf = (apiKey: string) => new MXProof({ apiKey, baseUrl: `http://127.0.0.1:${service.port}` });
const finish = (list: ListSummary) =>
  service.find(list.id, Object.fromEntries(Array.from({ length: list.total }, (_, at) => [at, accepted])));

test('one result per input, in its order, duplicates and blanks included, each address charged once', async () => {
  const { apiKey } = await service.open({ credits: 10 });
  const mx = clientOf(apiKey);
  async function* inputs() {
    yield* ['b@x.test', ' A@x.test ', '', 'a@X.TEST', 'c@x.test', 'B@x.test', '  '];
  }
  let begun = false;
  const results = mx.verifyMany(inputs(), {
    name: 'mixed',
    include: 'detail',
    onProgress({ lists }) {
      if (!begun) void finish(lists[0]!);
      begun = true;
    },
  });
  const all = await Array.fromAsync(results);
  expect(all.map(({ input, result }) => [input, result?.email])).toEqual([
    ['b@x.test', 'b@x.test'],
    [' A@x.test ', 'a@x.test'],
    ['', undefined],
    ['a@X.TEST', 'a@x.test'],
    ['c@x.test', 'c@x.test'],
    ['B@x.test', 'b@x.test'],
    ['  ', undefined],
  ]);
  expect(all[0]!.result).toMatchObject({ detail: 'accepted' });
  expect(await mx.account.get()).toMatchObject({ credits: 7, lists: 1 });
});

test('above 100,000 it takes several lists, an address whose twin is in another is charged once', async () => {
  const { apiKey } = await service.open({ credits: 100_002 });
  const mx = clientOf(apiKey);
  const unique = Array.from({ length: 100_002 }, (_, at) => `a${at}@x.test`);
  const emails = [...unique, unique[5]!, unique[100_001]!];
  const begun = new Set<number>();
  const totals = new Set<number>();
  const all = await Array.fromAsync(
    mx.verifyMany(emails, {
      name: 'big',
      onProgress({ total, lists }) {
        totals.add(total);
        for (const list of lists) if (!begun.has(list.id) && begun.add(list.id)) void finish(list);
      },
    }),
  );
  expect(all.map(({ result }) => result!.email)).toEqual(emails);
  expect(totals).toEqual(new Set([100_002]));
  expect((await mx.lists.list()).map(({ name, total }) => [name, total])).toEqual([
    ['big (2 of 2)', 2],
    ['big (1 of 2)', 100_000],
  ]);
  const [{ group }] = (await mx.lists.list({ include: 'group' })) as [ListSummary];
  expect(await mx.lists.group(group!)).toMatchObject({ name: 'big', total: 100_002, status: 'done' });
  expect(await mx.account.get()).toMatchObject({ credits: 0, credits_used: 100_002 });
}, 120_000);

test('several lists are not begun with credits for some of them', async () => {
  const { apiKey } = await service.open({ credits: 100_000 });
  const mx = clientOf(apiKey);
  const emails = Array.from({ length: 100_001 }, (_, at) => `a${at}@x.test`);
  const refused = await Array.fromAsync(mx.verifyMany(emails)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(InsufficientCredits);
  expect(refused).toMatchObject({ needed: 100_001 });
  expect(await mx.account.get()).toMatchObject({ credits: 100_000, lists: 0 });
});

test('the same key and input continue where they were left, without a second charge', async () => {
  const { apiKey } = await service.open({ credits: 2 });
  const mx = clientOf(apiKey);
  const emails = ['a@x.test', 'b@x.test'];
  const left = new AbortController();
  const first = mx.verifyMany(emails, {
    idempotencyKey: 'import 7',
    signal: left.signal,
    onProgress: () => left.abort('left'),
  });
  await expect(Array.fromAsync(first)).rejects.toBe('left');
  const again = mx.verifyMany(emails, {
    idempotencyKey: 'import 7',
    onProgress: ({ lists, checked }) => void (checked === 0 && finish(lists[0]!)),
  });
  expect((await Array.fromAsync(again)).map(({ result }) => result!.state)).toEqual([
    'deliverable',
    'deliverable',
  ]);
  expect(await mx.account.get()).toMatchObject({ credits: 0, lists: 1 });
});

test('an input that cannot be right is refused before anything is sent', async () => {
  const { apiKey } = await service.open();
  const mx = clientOf(apiKey);
  await expect(Array.fromAsync(mx.verifyMany(['a@x.test', 7 as unknown as string]))).rejects.toThrow(
    'Address 1 is not',
  );
  await expect(Array.fromAsync(mx.verifyMany(['x'.repeat(1001)]))).rejects.toThrow('more than 1000');
  expect(await Array.fromAsync(mx.verifyMany(['', ' ']))).toEqual([
    { input: '', result: null },
    { input: ' ', result: null },
  ]);
  expect(await mx.account.get()).toMatchObject({ lists: 0 });
});

test('results that are not those of the input are never handed out', async () => {
  const list = { id: 1, total: 1, checked: 1, status: 'done', counts: {} };
  const fake = await startFake((response, { path }) => {
    if (path.includes('/results'))
      return json(response, 200, { results: [{ ...ROW, email: 'other@x.test' }] });
    json(response, 200, list);
  });
  const mx = new MXProof({ apiKey: 'k', baseUrl: fake.url });
  await expect(Array.fromAsync(mx.verifyMany(['a@x.test']))).rejects.toBeInstanceOf(UnexpectedAnswer);
  await fake.close();
});

const SESSION = { session: true, sessionProof: () => null } as const;

test.each([
  ['a test key’s lists', { apiKey: 'mx_test_x' }, 'live', [10_000, 1]],
  ['lists of a session in test mode', SESSION, 'test', [10_000, 1]],
  ['lists of a live session', SESSION, 'live', [10_001]],
] as const)('%s are as small as they have to be', async (_, who, mode, wanted) => {
  const sizes: number[] = [];
  const headers: Record<string, string> = mode === 'test' ? { 'mxproof-mode': 'test' } : {};
  const fake = await startFake((response, { path, body }) => {
    if (path === '/v1/account') return json(response, 200, ACCOUNT, headers);
    const count = sizes.push((JSON.parse(body) as { emails: string[] }).emails.length);
    json(response, count === wanted.length ? 400 : 201, { ...LIST, error: 'enough' });
  });
  const mx = new MXProof({ ...who, baseUrl: fake.url });
  const emails = Array.from({ length: 10_001 }, (_, at) => `a${at}@x.test`);
  await expect(Array.fromAsync(mx.verifyMany(emails))).rejects.toThrow('enough');
  expect(sizes).toEqual(wanted);
  await fake.close();
});
