import { expect, test } from 'vitest';
import type { DnsAnswer, Resolver } from '../ports.ts';
import { DnsCache } from './dns-cache.ts';
import { LookupTurns } from './lookup-turns.ts';

function scene(answers: (name: string) => DnsAnswer<string>, budgetBytes?: number) {
  const asked: string[] = [];
  const open: (() => void)[] = [];
  let most = 0;
  const time = { nowMs: 0, held: false };
  const a = async (name: string) => {
    asked.push(name);
    if (time.held) await new Promise<void>((go) => (most = Math.max(most, open.push(go))));
    return answers(name);
  };
  const resolver: Resolver = { a, aaaa: a, mx: async () => ({ kind: 'nodata' }) };
  const cache = new DnsCache({ resolver, now: () => time.nowMs, budgetBytes });
  return {
    cache,
    asked,
    time,
    most: () => most,
    release: () => {
      for (const go of open.splice(0)) go();
    },
  };
}

const me = () => new LookupTurns().first('a');

test.each<[string, DnsAnswer<string>, number]>([
  ['an answer, for its TTL', { kind: 'records', records: ['8.8.8.8'], ttlSeconds: 120 }, 120_000],
  ['a TTL of zero, for ten seconds', { kind: 'records', records: ['8.8.8.8'], ttlSeconds: 0 }, 10_000],
  ['a TTL of a week, for an hour', { kind: 'records', records: ['8.8.8.8'], ttlSeconds: 604_800 }, 3_600_000],
  [
    'an answer of unknown TTL, for five minutes',
    { kind: 'records', records: ['8.8.8.8'], ttlSeconds: null },
    300_000,
  ],
  ['no such name, for a minute', { kind: 'nxdomain' }, 60_000],
  ['no such record, for a minute', { kind: 'nodata' }, 60_000],
  ['a failure, for seconds', { kind: 'servfail' }, 5_000],
])('%s', async (_what, answer, keptMs) => {
  const { cache, asked, time } = scene(() => answer);
  await cache.a('x', me());
  time.nowMs = keptMs - 1;
  await cache.a('x', me());
  expect(asked).toHaveLength(1);
  time.nowMs = keptMs;
  await cache.a('x', me());
  expect(asked).toHaveLength(2);
});

test('a name is asked once however many want it, and never more than 200 are in flight', async () => {
  const { cache, asked, time, most, release } = scene(() => ({ kind: 'nodata' }));
  time.held = true;
  const all = Promise.all(Array.from({ length: 1_000 }, (_, i) => cache.a(`n${i % 500}`, me())));
  for (let i = 0; i < 10; i += 1) {
    await new Promise<void>((go) => setImmediate(go));
    release();
  }
  await all;
  expect(asked).toHaveLength(500);
  expect(most()).toBe(200);
});

test('no more is kept than fits, and the oldest goes first', async () => {
  const { cache, asked } = scene(() => ({ kind: 'nodata' }), 10_000);
  for (let i = 0; i < 100; i += 1) await cache.a(`n${i}`, me());
  await cache.a('n99', me());
  await cache.a('n0', me());
  expect(asked).toHaveLength(101);
});

test('a resolver that throws is a failure, not an end', async () => {
  const { cache } = scene(() => {
    throw new Error('a defect of a resolver');
  });
  expect((await cache.a('x', me())).answer.kind).toBe('servfail');
});

test('so is one that throws at once, for every caller that waits, and it is asked again later', async () => {
  const time = { nowMs: 0 };
  const asked: string[] = [];
  const a = (name: string) => {
    asked.push(name);
    throw new Error('a defect of a resolver');
  };
  const cache = new DnsCache({ resolver: { a, aaaa: a, mx: a }, now: () => time.nowMs });
  const names = Array.from({ length: 20_000 }, (_, i) => `n${i}`);
  const kinds = (await Promise.all(names.map((name) => cache.a(name, me())))).map((kept) => kept.answer.kind);
  expect(new Set(kinds)).toEqual(new Set(['servfail']));
  expect(asked).toHaveLength(20_000);
  time.nowMs = 5_000;
  await cache.a('n0', me());
  expect(asked).toHaveLength(20_001);
});

test('a lookup that has asked fifty questions asks no more, and another may', async () => {
  const { cache, asked } = scene(() => ({ kind: 'nodata' }));
  const greedy = me();
  const kinds: string[] = [];
  for (let i = 0; i < 60; i += 1) kinds.push((await cache.a(`n${i}`, greedy)).answer.kind);
  expect(asked).toHaveLength(50);
  expect(kinds.slice(50)).toEqual(Array(10).fill('servfail'));
  // What is known costs nothing.
  expect((await cache.a('n0', greedy)).answer.kind).toBe('nodata');
  expect((await cache.a('n59', me())).answer.kind).toBe('nodata');
});

test('a question that waits in the queue of one account begins when another account that wants it has a turn', async () => {
  const { cache, asked, time, release } = scene(() => ({ kind: 'nodata' }));
  time.held = true;
  const all = Array.from({ length: 300 }, (_, i) => cache.a(`n${i}`, me()));
  const late = me();
  all.push(cache.a('n299', late));
  expect(asked).toHaveLength(200);
  all.push(cache.a('n298', new LookupTurns().first('b')));
  expect(asked.slice(200)).toEqual(['n298']);
  // When an account joins a lookup, the questions it waits for are pulled forward too.
  for (const question of late.questions) question.join('b');
  expect(asked.slice(201)).toEqual(['n299']);
  time.held = false;
  release();
  await Promise.all(all);
  expect(asked).toHaveLength(300);
});
