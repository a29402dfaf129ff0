// Who is looked up when: a resolver that answers when the test says so.
import { expect, test } from 'vitest';
import { credulousGuard } from '../../test/credulous-guard.ts';
import { roomyZones } from '../../test/roomy-zones.ts';
import { DnsCache } from '../dns/dns-cache.ts';
import type { DnsAnswer, MxRecord } from '../ports.ts';
import { DomainCache } from './domain-cache.ts';

function cacheWithAnswers() {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const question = <Row>(name: string, answer: DnsAnswer<Row>) => {
    asked.push(name);
    return new Promise<DnsAnswer<Row>>((done) => answers.set(name, () => done(answer)));
  };
  const resolver = {
    mx: (name: string) =>
      question<MxRecord>(`mx ${name}`, {
        kind: 'records',
        records: [{ preference: 10, exchange: `mail.${name}` }],
        ttlSeconds: null,
      }),
    a: (name: string) =>
      question<string>(`a ${name}`, { kind: 'records', records: ['192.0.2.1'], ttlSeconds: 60 }),
    aaaa: (name: string) => question<string>(`aaaa ${name}`, { kind: 'nodata' }),
  };
  const dns = new DnsCache({ resolver, now: () => 0 });
  const guard = credulousGuard(resolver);
  const zones = roomyZones();
  const options = { dns, guard, zones, allowPrivateTargets: true, random: () => 0, speaksIpv6: false };
  return {
    asked,
    domains: new DomainCache(options, () => 0),
    async answer(name: string) {
      answers.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

/** More than are looked up at once. */
const LIST = Array.from({ length: 150 }, (_, i) => `d${i}.example`);

test('a domain is looked up to its end before one queued behind it begins', async () => {
  const { asked, domains, answer } = cacheWithAnswers();
  for (const name of LIST) void domains.get(name, 'a');
  await answer('');
  expect(asked).toHaveLength(100);
  await answer('mx d0.example');
  expect(asked.slice(100)).toEqual(['a mail.d0.example']);
  await answer('a mail.d0.example');
  expect(asked.slice(101)).toEqual(['mx d100.example']);
});

test('beside an account that has taken every lookup another has a tenth at once, and each that ends', async () => {
  const { asked, domains, answer } = cacheWithAnswers();
  for (const name of LIST) void domains.get(name, 'a');
  for (let i = 0; i < 20; i += 1) void domains.get(`b${i}.example`, 'b');
  await answer('');
  expect(asked.slice(100)).toEqual(Array.from({ length: 10 }, (_, i) => `mx b${i}.example`));
  for (const name of ['mx d0.example', 'a mail.d0.example']) await answer(name);
  expect(asked.slice(110)).toEqual(['a mail.d0.example', 'mx b10.example']);
});

test('single checks share by the same rule: however many there are, the bound holds', async () => {
  const { asked, domains, answer } = cacheWithAnswers();
  for (const name of LIST) void domains.get(name, 'a');
  for (let i = 0; i < 50; i += 1) void domains.get(`s${i}.example`, 'a single');
  await answer('');
  expect(asked).toHaveLength(110);
});

test('a lookup that another account needs too is pulled forward by it, and begun once', async () => {
  const { asked, domains, answer } = cacheWithAnswers();
  for (const name of LIST) void domains.get(name, 'a');
  const both = domains.get('d149.example', 'b');
  await answer('');
  expect(asked.slice(100)).toEqual(['mx d149.example']);
  for (const name of ['mx d149.example', 'a mail.d149.example']) await answer(name);
  expect(await both).toMatchObject({ name: 'd149.example' });
  expect(asked.filter((name) => name.endsWith('d149.example'))).toHaveLength(2);
});

test("a single check's domain is looked up at once, also when a list's was queued with it", async () => {
  const { asked, domains, answer } = cacheWithAnswers();
  for (const name of LIST) void domains.get(name, 'a');
  await answer('');
  void domains.get('single.example', 'a single');
  void domains.get('d149.example', 'a single');
  await answer('');
  expect(asked.slice(100)).toEqual(['mx single.example', 'mx d149.example']);
});

test('callers that ask about a domain that is being looked up share the lookup', async () => {
  const { asked, domains, answer } = cacheWithAnswers();
  const first = domains.get('a.example', 'a');
  expect(domains.get('a.example', 'a single')).toBe(first);
  for (const name of ['', 'mx a.example', 'a mail.a.example']) await answer(name);
  expect(await first).toMatchObject({ name: 'a.example', facts: { kind: 'ok', mx: 'mail.a.example' } });
  expect(asked).toHaveLength(2);
  expect(domains.get('a.example', 'a')).toMatchObject({ name: 'a.example' });
});

test('a domain is widened once for all callers, before queued lookups, and stays so', async () => {
  const { asked, domains, answer } = cacheWithAnswers();
  const first = domains.get('a.example', 'a');
  for (const name of ['', 'mx a.example', 'a mail.a.example']) await answer(name);
  expect((await first).facts.isWhole).toBe(false);
  for (const name of LIST) void domains.get(name, 'a');
  const wide = domains.widen('a.example', 'a');
  expect(domains.widen('a.example', 'a')).toBe(wide);
  await answer('');
  expect(asked.at(-1)).toBe('aaaa mail.a.example');
  await answer('aaaa mail.a.example');
  expect((await wide).facts.isWhole).toBe(true);
});

test('beside an account that has taken every turn for widening another has a tenth of its own at once', async () => {
  const { asked, domains, answer } = cacheWithAnswers();
  const mine = Array.from({ length: 20 }, (_, i) => `b${i}.example`);
  for (const name of [...LIST, ...mine]) {
    void domains.get(name, 'a');
    for (const question of ['', `mx ${name}`, `a mail.${name}`]) await answer(question);
  }
  asked.length = 0;
  for (const name of LIST) void domains.widen(name, 'a');
  for (const name of mine) void domains.widen(name, 'b');
  await answer('');
  expect(asked.slice(100)).toEqual(mine.slice(0, 10).map((name) => `aaaa mail.${name}`));
});
