// The doctor's judgement of DNS servers, on servers that lie in each way there is.
import { createWireResolver, netConnect } from '@mxproof/engine';
import { afterEach, expect, test } from 'vitest';
import { startWorld, type World, type WorldSpec } from '../../../../world/src/index.ts';
import { type Environment, readConfig } from '../../settings/config.ts';
import { createDnsChecks, DNS_CHECKS } from './dns-checks.ts';
import type { CheckResult } from './doctor-check.ts';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

type Lie = NonNullable<NonNullable<WorldSpec['dns']>['lie']>['kind'];

async function server(lie?: Lie): Promise<string> {
  const world = await startWorld({
    domains: { 'decoy.example': { host: {} } },
    ...(lie === undefined ? {} : { dns: { lie: { kind: lie } } }),
  });
  worlds.push(world);
  return world.dnsServer;
}

async function run(
  id: string,
  servers: readonly string[],
  { env = {}, now, timeoutMs = 5_000 }: { env?: Environment; now?: () => number; timeoutMs?: number } = {},
): Promise<readonly CheckResult[]> {
  const config = readConfig(env);
  const resolver = createWireResolver({ servers, timeoutMs });
  const context = { config, env: {}, db: null, databaseError: null, resolver, connect: netConnect };
  const checks = now === undefined ? DNS_CHECKS : createDnsChecks(now);
  const check = checks.find((one) => one.id === id)!;
  const results = await check.run(context, new AbortController().signal);
  resolver.close();
  return [results].flat();
}

test('an honest server is believed', async () => {
  const honest = await server();
  expect(await run('dns.servers', [honest])).toEqual([
    { status: 'ok', detail: `DNS server ${honest} is believed.`, advice: null, about: honest },
  ]);
});

test.each<[Lie, string]>([
  [
    'nxdomain',
    'it reports no mail server for gmail.com (nxdomain); it reports no mail server for comcast.net',
  ],
  ['servfail', 'it does not answer for gmail.com (servfail)'],
  ['no_mx', 'it reports no mail server for gmail.com (nodata)'],
  ['one_mx', 'it returns an answer for a made-up name'],
  ['rewrites', 'it returns an answer for a made-up name.'],
  ['no_de', 'is not believed: it reports no mail server for gmx.de (nxdomain).'],
])('a server that lies (%s) is not believed, and why is said', async (lie, why) => {
  const liar = await server(lie);
  const [found] = await run('dns.servers', [liar]);
  expect(found).toMatchObject({ status: 'failure', detail: expect.stringContaining(why), about: liar });
});

test('beside a server that is believed, a liar is a warning', async () => {
  const [honest, liar] = [await server(), await server('nxdomain')];
  const found = await run('dns.servers', [liar, honest]);
  expect(found).toMatchObject([
    { status: 'warning', about: liar },
    { status: 'ok', about: honest },
  ]);
});

test('without sentinels nothing is judged, and without a server nothing works', async () => {
  const liar = await server('nxdomain');
  const none = { MXPROOF_DNS_SENTINELS: 'none' };
  expect(await run('dns.servers', [liar], { env: none })).toMatchObject([{ status: 'skipped' }]);
  expect(await run('dns.servers', [])).toMatchObject([
    { status: 'failure', detail: 'No DNS server is known.' },
  ]);
  expect(await run('dns.latency', [])).toMatchObject([{ status: 'skipped' }]);
});

test('a server that never answers is not believed, and its latency is none', async () => {
  const silent = await server('silent');
  const why = 'it does not answer for gmail.com (timeout)';
  expect(await run('dns.servers', [silent], { timeoutMs: 250 })).toMatchObject([
    { status: 'failure', detail: expect.stringContaining(why) },
  ]);
  expect(await run('dns.latency', [silent], { timeoutMs: 250 })).toMatchObject([
    { status: 'warning', detail: `DNS server ${silent} did not answer in time.` },
  ]);
});

test('latency is the median: one slow answer of five is nothing, three are a warning', async () => {
  const honest = await server();
  const taking = (...tookMs: number[]) => {
    let [nowMs, calls] = [0, 0];
    return () => {
      if (calls % 2 === 1) nowMs += tookMs[(calls - 1) / 2]!;
      calls += 1;
      return nowMs;
    };
  };
  expect(await run('dns.latency', [honest], { now: taking(20, 2_000, 30, 10, 40) })).toMatchObject([
    { status: 'ok', detail: `DNS server ${honest} answers in 30 ms (median of 5).` },
  ]);
  expect(await run('dns.latency', [honest], { now: taking(20, 2_000, 400, 10, 900) })).toMatchObject([
    { status: 'warning', detail: `DNS server ${honest} answers in 400 ms (median of 5).` },
  ]);
});
