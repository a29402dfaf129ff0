// Which name a checker speaks under when it was given none.
import { expect, test } from 'vitest';
import { resolveOptions } from './checker-options.ts';
import type { OwnName } from './helo.ts';
import type { Resolver } from './ports.ts';
import type { LogEvent } from './types.ts';

const resolver: Resolver = {
  mx: async () => ({ kind: 'nodata' }),
  a: async () => ({ kind: 'nodata' }),
  aaaa: async () => ({ kind: 'nodata' }),
};
const machine: OwnName = {
  hostname: () => 'mx1',
  addresses: async () => ['127.0.1.1'],
  nameOf: async () => 'mx1.example.org',
};

test('without a HELO name the full name of the machine is looked up before any host is greeted', async () => {
  const options = resolveOptions({ resolver }, machine);
  expect(await options.resolver.mx('a.example')).toEqual({ kind: 'nodata' });
  expect(options.sources.map((source) => source.heloName)).toEqual(['mx1.example.org']);
});

test('it is looked up once, and only when there is a domain to ask about', async () => {
  let lookups = 0;
  const addresses = async () => {
    lookups += 1;
    return ['127.0.1.1'];
  };
  const counting = { ...machine, addresses };
  const options = resolveOptions({ resolver }, counting);
  expect(lookups).toBe(0);
  await Promise.all(['a.example', 'b.example'].map((name) => options.resolver.mx(name)));
  await options.resolver.mx('c.example');
  expect(lookups).toBe(1);
});

test('a machine without a full name is greeted with its address, and that is said once', async () => {
  const log: LogEvent[] = [];
  const nameless = { ...machine, nameOf: async () => 'localhost', hostname: () => 'box' };
  const options = resolveOptions({ resolver, log: (event) => log.push(event) }, nameless);
  await options.resolver.mx('a.example');
  await options.resolver.mx('b.example');
  expect(options.sources[0]?.heloName).toMatch(/^\[|\./);
  expect(log.filter(({ event }) => event === 'helo_default').length).toBeLessThanOrEqual(1);
});

test('a name that was given is not looked up', async () => {
  const failing = { ...machine, addresses: () => Promise.reject(new Error('asked')) };
  const options = resolveOptions({ resolver, heloName: 'probe.example.org' }, failing);
  await options.resolver.mx('a.example');
  expect(options.sources).toEqual([{ ip: null, heloName: 'probe.example.org' }]);
});
