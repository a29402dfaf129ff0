import { expect, test } from 'vitest';
import type { Resolver } from '../ports.ts';
import { observeResolver } from './observe-resolver.ts';

test('answers are as they were, and told by type, outcome and time', async () => {
  let nowMs = 0;
  const clock = { now: () => nowMs, setTimeout: () => null, clearTimeout: () => {} };
  const told: unknown[] = [];
  const resolver: Resolver = {
    async mx() {
      nowMs += 7;
      return { kind: 'nxdomain', about: 'gone.example' };
    },
    a: async (name) => ({ kind: 'records', records: [name], ttlSeconds: 1 }),
    aaaa: async () => ({ kind: 'timeout' }),
    servers: [],
  };
  const observed = observeResolver(resolver, { answered: (...what) => void told.push(what) }, clock);
  expect(await observed.mx('a.example')).toEqual({ kind: 'nxdomain', about: 'gone.example' });
  expect(await observed.a('b.example')).toMatchObject({ kind: 'records', records: ['b.example'] });
  expect(await observed.aaaa('c.example')).toEqual({ kind: 'timeout' });
  expect(told).toEqual([
    ['mx', 'nxdomain', 7],
    ['a', 'records', 0],
    ['aaaa', 'timeout', 0],
  ]);
  expect(observed.servers).toBe(resolver.servers);
});
