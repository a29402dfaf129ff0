// Zones as data, and what becomes of a domain.
import { expect, test } from 'vitest';
import { credulousGuard } from '../../test/credulous-guard.ts';
import { roomyZones } from '../../test/roomy-zones.ts';
import type { DnsAnswer, DnsFailure, MxRecord, Resolver } from '../ports.ts';
import { DnsCache } from './dns-cache.ts';
import type { DomainFacts } from './domain-facts.ts';
import { lookUpDomain } from './look-up-domain.ts';
import { LookupTurns } from './lookup-turns.ts';

interface Zone {
  readonly mx?: readonly [number, string][] | DnsFailure;
  readonly a?: readonly string[] | DnsFailure;
  readonly aaaa?: readonly string[] | DnsFailure;
}

function answer<Row>(data: readonly Row[] | DnsFailure | undefined): DnsAnswer<Row> {
  if (data === undefined) return { kind: 'nodata' };
  return typeof data === 'string' ? { kind: data } : { kind: 'records', records: data, ttlSeconds: 300 };
}

async function lookUp(
  zones: Record<string, Zone>,
  options: { private?: boolean; random?: () => number; isWhole?: boolean } = {},
): Promise<DomainFacts> {
  const resolver: Resolver = {
    mx: async (name) => {
      const mx = zones[name]?.mx;
      return answer<MxRecord>(
        Array.isArray(mx)
          ? mx.map(([preference, exchange]) => ({ preference, exchange }))
          : (mx as DnsFailure),
      );
    },
    a: async (name) => answer(zones[name]?.a),
    aaaa: async (name) => answer(zones[name]?.aaaa),
  };
  const dns = new DnsCache({ resolver, now: () => 0 });
  const random = options.random ?? (() => 0);
  const allowPrivateTargets = options.private ?? false;
  const guard = credulousGuard(resolver);
  const lookup = new LookupTurns().first('a');
  const given = { dns, guard, zones: roomyZones(), allowPrivateTargets, random };
  return (await lookUpDomain('a.example', options.isWhole ?? false, lookup, given)).facts;
}

test.each<[string, Record<string, Zone>, DomainFacts['kind'], string | null]>([
  ['no such name', { 'a.example': { mx: 'nxdomain' } }, 'cannot_receive', null],
  ['neither MX nor address', { 'a.example': {} }, 'cannot_receive', null],
  ['a null MX', { 'a.example': { mx: [[0, '']], a: ['8.8.8.8'] } }, 'cannot_receive', null],
  ['SERVFAIL', { 'a.example': { mx: 'servfail' } }, 'error', null],
  ['a refusing resolver', { 'a.example': { mx: 'refused' } }, 'error', null],
  ['a time-out', { 'a.example': { mx: 'timeout' } }, 'error', null],
  ['no MX, an IPv4 address', { 'a.example': { a: ['8.8.8.8'] } }, 'ok', 'a.example'],
  ['no MX, an IPv6 address', { 'a.example': { aaaa: ['2606:4700::1'] } }, 'ok', 'a.example'],
  [
    'no MX, an IPv4 lookup that fails',
    { 'a.example': { a: 'servfail', aaaa: ['2606:4700::1'] } },
    'ok',
    'a.example',
  ],
  [
    'no MX, a private IPv4 address and a public IPv6 one',
    { 'a.example': { a: ['10.0.0.1'], aaaa: ['2606:4700::1'] } },
    'ok',
    'a.example',
  ],
  ['no MX, addresses not known', { 'a.example': { a: 'timeout' } }, 'error', null],
  ['no MX, one family fails', { 'a.example': { a: ['8.8.8.8'], aaaa: 'servfail' } }, 'ok', 'a.example'],
  [
    'an MX whose host has none',
    { 'a.example': { mx: [[10, 'mx.a.example']] } },
    'cannot_receive',
    'mx.a.example',
  ],
  [
    'an MX without address does not fall back',
    { 'a.example': { mx: [[10, 'mx.a.example']], a: ['8.8.8.8'] } },
    'cannot_receive',
    'mx.a.example',
  ],
  ['an MX that is an IP address', { 'a.example': { mx: [[10, '8.8.8.8']] } }, 'cannot_receive', null],
  [
    'an MX that is a formula',
    { 'a.example': { mx: [[10, '=cmd|x.example']] }, '=cmd|x.example': { a: ['8.8.8.8'] } },
    'cannot_receive',
    null,
  ],
  [
    'an MX that is a formula beside one that is a host',
    {
      'a.example': {
        mx: [
          [10, '=cmd|x.example'],
          [20, 'mx.a.example'],
        ],
      },
      'mx.a.example': { a: ['8.8.8.8'] },
    },
    'ok',
    'mx.a.example',
  ],
  [
    'an MX whose address fails',
    { 'a.example': { mx: [[10, 'mx.a.example']] }, 'mx.a.example': { a: 'servfail' } },
    'error',
    'mx.a.example',
  ],
  [
    'an MX at 127.0.0.1',
    { 'a.example': { mx: [[10, 'mx.a.example']] }, 'mx.a.example': { a: ['127.0.0.1'] } },
    'cannot_receive',
    'mx.a.example',
  ],
  [
    'an MX at ::ffff:10.0.0.1',
    { 'a.example': { mx: [[10, 'mx.a.example']] }, 'mx.a.example': { aaaa: ['::ffff:10.0.0.1'] } },
    'cannot_receive',
    'mx.a.example',
  ],
  [
    'one private MX host of two',
    {
      'a.example': {
        mx: [
          [10, 'mx1.a.example'],
          [20, 'mx2.a.example'],
        ],
      },
      'mx1.a.example': { a: ['10.0.0.1'] },
      'mx2.a.example': { a: ['8.8.8.8'] },
    },
    'ok',
    'mx1.a.example',
  ],
])('%s', async (_what, zones, kind, mx) => {
  const facts = await lookUp(zones);
  expect([facts.kind, facts.mx]).toEqual([kind, mx]);
  expect(facts.targets.length > 0).toBe(kind === 'ok');
});

test('a private MX host is a target only where that is allowed', async () => {
  const zones = {
    'a.example': { mx: [[10, 'mx.a.example']] as [number, string][] },
    'mx.a.example': { a: ['127.0.0.1'] },
  };
  expect((await lookUp(zones, { private: true })).targets).toEqual([
    { host: 'mx.a.example', ip: '127.0.0.1', rank: 0 },
  ]);
});

test('preferences order the targets, equal ones are spread by chance', async () => {
  const zones: Record<string, Zone> = {
    'a.example': {
      mx: [
        [20, 'c.example'],
        [10, 'b.example'],
        [10, 'a.mx.example'],
      ],
    },
    'a.mx.example': { a: ['8.8.8.1'] },
    'b.example': { a: ['8.8.8.2'], aaaa: ['2606:4700::2'] },
    'c.example': { a: ['8.8.8.3'] },
  };
  const first = new Set<string>();
  for (let i = 0; i < 50; i += 1) {
    const facts = await lookUp(zones, { random: Math.random });
    expect(facts.targets.map((target) => target.rank)).toEqual([0, 0, 0, 1]);
    expect(facts.mx).toBe('a.mx.example');
    first.add(facts.targets[0]?.ip ?? '');
  }
  expect(first.size).toBe(3);
});

test('a hundred MX hosts are cut to a dozen', async () => {
  const names = Array.from({ length: 100 }, (_, i) => `mx${String(i).padStart(3, '0')}.example`);
  const zones: Record<string, Zone> = { 'a.example': { mx: names.map((name, i) => [i, name]) } };
  for (const name of names) zones[name] = { a: ['8.8.8.8'] };
  expect((await lookUp(zones)).targets).toHaveLength(12);
});

test('IPv6 is asked for where IPv4 is not enough or MX hosts have an order, else only for who wants the whole', async () => {
  const host = { a: ['8.8.8.8'], aaaa: ['2606:4700::1'] };
  const mx = (...preferences: number[]) => ({
    'a.example': {
      mx: preferences.map((preference): [number, string] => [preference, `mx${preference}.example`]),
    },
    'mx10.example': host,
    'mx20.example': { a: ['8.8.8.2'] },
  });
  const found = async (zones: Record<string, Zone>, isWhole = false) => {
    const { targets, isWhole: whole } = await lookUp(zones, { isWhole });
    return { ips: targets.map(({ ip }) => ip).sort(), isWhole: whole };
  };
  expect(await found(mx(10))).toEqual({ ips: ['8.8.8.8'], isWhole: false });
  expect(await found(mx(10), true)).toEqual({ ips: ['2606:4700::1', '8.8.8.8'], isWhole: true });
  expect(await found(mx(10, 20))).toEqual({ ips: ['2606:4700::1', '8.8.8.2', '8.8.8.8'], isWhole: true });
  expect(await found({ 'a.example': { aaaa: host.aaaa } })).toEqual({ ips: ['2606:4700::1'], isWhole: true });
});
