// An empty filter matches nothing, and must not be taken for no filter: the call is refused before anything is sent.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeService, json, startFake } from '../test/fake-service.ts';
import { MXProof } from './index.ts';

let fake: FakeService;
let mx: MXProof;
beforeAll(async () => {
  fake = await startFake((response) => json(response, 400, { error: 'no' }));
  mx = new MXProof({ apiKey: 'mx_test_x', baseUrl: fake.url, maxRetries: 0 });
});
afterAll(() => fake.close());
beforeEach(() => void fake.seen.splice(0));

/** As a program without types may say it. */
type Options = never;

const FILTERS = ['state', 'reason', 'detail', 'provider', 'flag', 'include', 'q'];
const EMPTY: readonly [string, unknown][] = [
  ['an empty array', []],
  ['an empty string', ''],
  ['an array of an empty string', ['']],
  ['an array with an empty string', ['unknown', '']],
  ['an array of undefined', [undefined]],
];

const READERS: readonly [string, (options: Options) => Promise<unknown>][] = [
  ['results', (options) => Array.fromAsync(mx.lists.results(7, options))],
  ['page', (options) => mx.lists.page(7, options)],
  ['csv', (options) => Array.fromAsync(mx.lists.csv(7, options))],
];

describe.each(READERS)('%s', (_, read) => {
  test.each(
    FILTERS.flatMap((name) => EMPTY.map(([what, value]) => [name, what, value] as const)),
  )('refuses %s as %s', async (name, _what, value) => {
    const reading = (async () => read({ [name]: value } as Options))();
    await expect(reading).rejects.toThrow(
      new TypeError(`${name} is empty: give it a value, or leave it out.`),
    );
    expect(fake.seen).toEqual([]);
  });
});

test('a reader of rows refuses at once, not when its first row is asked for', () => {
  expect(() => mx.lists.results(7, { state: [] })).toThrow(TypeError);
  expect(() => mx.lists.csv(7, { q: '' })).toThrow(TypeError);
});

test.each<[string, string, () => Promise<unknown>]>([
  ['lists', 'group', () => mx.lists.list({ group: '' })],
  ['lists', 'status', () => mx.lists.list({ status: '' as Options })],
  ['lists', 'include', () => mx.lists.list({ include: [] })],
  ['a list', 'include', () => mx.lists.get(7, { include: [] })],
  ['the account', 'include', () => mx.account.get({ include: '' as Options })],
  ['the history', 'kind', () => mx.account.history({ kind: '' as Options })],
  ['the usage', 'days', () => mx.account.usage({ days: '' as Options })],
  ['a check', 'include', () => mx.verify('ann@example.com', { include: [] })],
  ['a check begun', 'include', () => mx.verify('ann@example.com', { include: [''] as Options, wait: 0 })],
  ['a check read later', 'include', () => mx.check(7, { include: '' as Options }).result()],
  ['many', 'include', () => Array.fromAsync(mx.verifyMany(['ann@example.com'], { include: [] }))],
  ['many', 'include', () => Array.fromAsync(mx.verifyMany([], { include: '' as Options }))],
  ['deliveries', 'state', () => mx.webhooks.deliveries(7, { state: '' as Options })],
  ['all deliveries', 'state', () => Array.fromAsync(mx.webhooks.allDeliveries(7, { state: '' as Options }))],
  ['a deletion', 'undo', () => mx.lists.delete(7, { undo: '' as Options })],
])('%s: an empty %s is refused, and nothing is sent', async (_, name, call) => {
  await expect(call()).rejects.toThrow(new TypeError(`${name} is empty: give it a value, or leave it out.`));
  expect(fake.seen).toEqual([]);
});

test.each(['', '.', '..'])('group %j is none', async (group) => {
  await expect(mx.lists.group(group)).rejects.toThrow(/^A group is 1 to 64 of/);
  expect(fake.seen).toEqual([]);
});

test('a deletion with an option that is not known is refused: it may be a misspelt undo', async () => {
  for (const options of [{ undu: 60 }, { Undo: 60 }, { undo: 60, force: true }])
    await expect(mx.lists.delete(7, options as Options)).rejects.toThrow(/^delete has no option \w+: /);
  expect(fake.seen).toEqual([]);
});

test('what is left out is not sent, and texts that are no filters are for the service to judge', async () => {
  const refused = { kind: 'invalid_request' };
  await expect(mx.lists.page(7, { state: undefined, limit: 5 } as Options)).rejects.toMatchObject(refused);
  await expect(mx.suggest('')).rejects.toMatchObject(refused);
  await expect(mx.readReply('', { code: 550 })).rejects.toMatchObject(refused);
  expect(fake.seen.map(({ path }) => path)).toEqual([
    '/v1/lists/7/results?offset=0&limit=5',
    '/v1/suggest',
    '/v1/reply?code=550',
  ]);
});
