// Names that lead to one address, and which addresses are forgotten.
import { expect, test } from 'vitest';
import { backOff } from '../../pace/pace.ts';
import { DEFAULT_POLICY } from '../../policy/default-policy.ts';
import { type PolicyRow, replacePolicy } from '../../policy/policy.ts';
import { holdConnection } from '../hosts/mx-host.ts';
import { DEFAULT_TIMEOUTS } from '../session/session-plan.ts';
import { MxHostCache } from './mx-host-cache.ts';

const IP = '192.0.2.1';
const NOW_MS = 1_000_000;
const GOOGLE = 'aspmx.l.google.com';
const YAHOO = 'mta5.am0.yahoodns.net';
const UNRELATED = 'mx.stranger.example';

function cacheWith(rows: readonly PolicyRow[] = [], mxHostsMax?: number): MxHostCache {
  const policy = { ...DEFAULT_POLICY, rows: [...rows, ...DEFAULT_POLICY.rows] };
  return new MxHostCache({
    policy,
    timeouts: DEFAULT_TIMEOUTS,
    nodes: { count: 1 },
    payers: { areSeveral: false },
    ...(mxHostsMax === undefined ? {} : { mxHostsMax }),
  });
}

/** The address after domains with these MX hosts have come, one after the other. */
function after(hosts: readonly string[], rows: readonly PolicyRow[] = []) {
  const cache = cacheWith(rows);
  for (const host of hosts) cache.of({ ip: IP, host, rank: 0 }, NOW_MS);
  const { provider, limits, pace, errors } = cache.of({ ip: IP, host: UNRELATED, rank: 0 }, NOW_MS);
  const { connections, connectionsPerProvider } = limits;
  const refusals = errors.perSession(NOW_MS);
  return { provider, connections, connectionsPerProvider, perConnection: pace.perConnection, refusals };
}

const GENTLE: PolicyRow = { hostSuffix: 'fragile.example', limits: { connections: 1 }, reason: 'it is old' };
const LOOSE: PolicyRow = { hostSuffix: 'partner.example', limits: { connections: 99 }, reason: 'a friend' };

test("an unrelated zone that points at a provider's address changes nothing, whichever comes first", () => {
  const google = after([GOOGLE]);
  expect(google).toEqual({
    provider: 'google',
    connections: 5,
    connectionsPerProvider: 5,
    perConnection: 50,
    refusals: 5,
  });
  expect(after([UNRELATED, GOOGLE])).toEqual(google);
  expect(after([UNRELATED, GOOGLE, UNRELATED, GOOGLE])).toEqual(google);
});

test('nor what the policy says of a host by name; where two such names meet, the stricter holds', () => {
  expect(after([UNRELATED, 'mx.fragile.example'], [GENTLE]).connections).toBe(1);
  for (const names of [
    [GOOGLE, 'mx.partner.example'],
    ['mx.partner.example', GOOGLE],
  ])
    expect(after(names, [LOOSE])).toMatchObject({ provider: 'google', connections: 5 });
  for (const names of [
    [GOOGLE, 'mx.fragile.example'],
    ['mx.fragile.example', GOOGLE],
  ])
    expect(after(names, [GENTLE])).toMatchObject({ provider: 'google', connections: 1, refusals: 5 });
  expect(after(['mx.partner.example'], [LOOSE]).connections).toBe(99);
  expect(after([GOOGLE, YAHOO])).toMatchObject({ provider: 'google', connections: 3, perConnection: 20 });
});

test("connections that are open when its provider becomes known are the provider's from then on", () => {
  const cache = cacheWith();
  const mxHost = cache.of({ ip: IP, host: UNRELATED, rank: 0 }, NOW_MS);
  holdConnection(mxHost, 'a');
  holdConnection(mxHost, 'a');
  cache.of({ ip: IP, host: GOOGLE, rank: 0 }, NOW_MS);
  cache.of({ ip: IP, host: YAHOO, rank: 0 }, NOW_MS);
  expect(mxHost.shared?.pace.open).toBe(2);
});

test('Mimecast is paced by region, and stays one provider', () => {
  const cache = cacheWith();
  const at = (ip: string, host: string) => cache.of({ ip, host, rank: 0 }, NOW_MS);
  const eu = at('192.0.2.1', 'eu-smtp-inbound-1.mimecast.com');
  const alsoEu = at('192.0.2.2', 'eu-smtp-inbound-2.mimecast.com');
  const us = at('192.0.2.3', 'us-smtp-inbound-1.mimecast.com');
  expect(alsoEu.shared).toBe(eu.shared);
  expect(us.shared).not.toBe(eu.shared);
  expect([eu.provider, us.provider]).toEqual(['mimecast', 'mimecast']);
});

test('the limits per hour and day of all its names hold for an address', () => {
  const rows = [GOOGLE, YAHOO].map((hostSuffix) => ({
    hostSuffix,
    limits: { recipientsPerDay: 9 },
    reason: hostSuffix,
  }));
  const cache = cacheWith(rows);
  for (const host of [GOOGLE, YAHOO, GOOGLE]) cache.of({ ip: IP, host, rank: 0 }, NOW_MS);
  expect(cache.get(IP)?.limits.budgets.map(({ key }) => key)).toEqual([`host ${GOOGLE}`, `host ${YAHOO}`]);
});

test('of too many addresses the oldest are forgotten, but not those in use and not those with something to remember', () => {
  const cache = cacheWith([], 100);
  const name = (i: number) => `192.0.2.${i}`;
  const add = (i: number) => cache.of({ ip: name(i), host: UNRELATED, rank: 0 }, NOW_MS);
  for (let i = 0; i < 100; i += 1) add(i);
  const [paused, shut, tolerates, used] = [add(0), add(1), add(2), add(3)];
  backOff(paused.pace, NOW_MS);
  shut.availability.shut(null, { untilMs: NOW_MS + 1 } as never);
  tolerates.errors.hungUpAfter(3, NOW_MS);
  holdConnection(used, 'a');
  add(100);
  expect(cache.size).toBe(51);
  for (let i = 0; i < 4; i += 1) expect(cache.get(name(i)), name(i)).toBeDefined();
  expect([cache.get(name(4)), cache.get(name(53))]).toEqual([undefined, undefined]);
  expect(cache.get(name(54))).toBeDefined();
});

test('where all have something to remember, a tenth is forgotten all the same', () => {
  const cache = cacheWith([], 100);
  for (let i = 0; i < 300; i += 1) {
    backOff(cache.of({ ip: `192.0.2.${i}`, host: UNRELATED, rank: 0 }, NOW_MS).pace, NOW_MS);
    expect(cache.size).toBeLessThanOrEqual(100);
  }
  expect(cache.get('192.0.2.299')).toBeDefined();
});

test('a policy that is replaced gives known hosts its limits, also looser ones, and keeps what they have shown', () => {
  const rows = [{ ...GENTLE, limits: { connections: 1, refusalsPerConnection: 2 } }, ...DEFAULT_POLICY.rows];
  const policy = { ...DEFAULT_POLICY, rows };
  const options = { policy, timeouts: DEFAULT_TIMEOUTS, nodes: { count: 1 }, payers: { areSeveral: false } };
  const cache = new MxHostCache(options);
  const of = (host: string) => cache.of({ ip: IP, host, rank: 0 }, NOW_MS);
  const known = of('mx.fragile.example');
  backOff(known.pace, NOW_MS);
  const looser = { ...GENTLE, limits: { connections: 7, refusalsPerConnection: 9 } };
  replacePolicy(policy, {
    ...DEFAULT_POLICY,
    everyone: { ...DEFAULT_POLICY.everyone },
    rows: [looser],
    never: new Set(['x.example']),
  });
  const renewed = of('mx.fragile.example');
  expect(renewed).toBe(known);
  expect(renewed.limits).toMatchObject({ connections: 7, refusalsPerConnection: 9 });
  expect(renewed.errors.perSession(NOW_MS)).toBe(9);
  expect(renewed.pace.pausedUntilMs).toBeGreaterThan(NOW_MS);
  expect(policy.never.has('x.example')).toBe(true);
});
