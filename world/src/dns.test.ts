// The world's DNS as node:dns sees it.
import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startWorld, type World, type WorldSpec } from './index.ts';

let world: World | undefined;

afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function start(spec: WorldSpec, patienceMs = 60_000) {
  world = await startWorld(spec, { seed: 7 });
  const resolver = new Resolver({ timeout: patienceMs, tries: 1 });
  resolver.setServers([world.dnsServer]);
  return resolver;
}

const code = (error: NodeJS.ErrnoException) => error.code;

test('MX, A and AAAA of an MX host with its own loopback address', async () => {
  const resolver = await start({
    domains: { 'a.example': { mx: [{ host: 'mx1.a.example', preference: 5 }, 'mx2.a.example'] } },
    hosts: { 'mx1.a.example': { ipv6: true }, 'mx2.a.example': {} },
  });
  expect(await resolver.resolveMx('A.example')).toEqual(
    [
      { priority: 5, exchange: 'mx1.a.example', type: 'MX' },
      { priority: 10, exchange: 'mx2.a.example', type: 'MX' },
    ].map(({ priority, exchange }) => expect.objectContaining({ priority, exchange })),
  );
  expect(await resolver.resolve4('mx2.a.example')).toEqual(['127.1.0.2']);
  expect(await resolver.resolve6('mx1.a.example')).toEqual(['::1']);
  expect(await resolver.resolve4('mx1.a.example', { ttl: true })).toEqual([
    { address: '127.1.0.1', ttl: 300 },
  ]);
});

test.each([
  ['nxdomain', 'ENOTFOUND'],
  ['nodata', 'ENODATA'],
  ['servfail', 'ESERVFAIL'],
  ['refused', 'EREFUSED'],
  ['timeout', 'ETIMEOUT'],
] as const)('%s is told apart', async (dns, expected) => {
  const resolver = await start({ domains: { 'f.example': { dns } } }, dns === 'timeout' ? 1_000 : undefined);
  expect(await resolver.resolveMx('f.example').catch(code)).toBe(expected);
  expect(await resolver.resolveMx('unheard-of.example').catch(code)).toBe('ENOTFOUND');
});

test('null MX, aliases, small TTLs, and answers cut over UDP but whole over TCP', async () => {
  const many = Array.from({ length: 40 }, (_, i) => `exchanger-${i}.many.example`);
  const resolver = await start({
    domains: {
      'null.example': { mx: null },
      'alias.example': { cname: 'chain.example' },
      'chain.example': { cname: 'real.example' },
      'real.example': { host: {}, ttlSeconds: 1 },
      'cut.example': { host: {}, dns: 'truncate' },
      'many.example': { mx: many },
      'loop.example': { cname: 'loop.example' },
    },
  });
  expect(await resolver.resolveMx('null.example')).toMatchObject([{ priority: 0, exchange: '' }]);
  expect(await resolver.resolveMx('alias.example')).toMatchObject([{ exchange: 'mx.real.example' }]);
  expect(await resolver.resolveMx('cut.example')).toMatchObject([{ exchange: 'mx.cut.example' }]);
  expect(await resolver.resolveMx('many.example')).toHaveLength(40);
  expect(await resolver.resolve4('mx.real.example', { ttl: true })).toMatchObject([{ ttl: 1 }]);
  expect(await resolver.resolveMx('loop.example').catch(code)).toBe('ESERVFAIL');
});

test('names of addresses, texts of several strings, and block lists with their test entries', async () => {
  const resolver = await start({
    domains: {},
    names: { 'a.example': { txt: ['one', ['two ', 'strings']], aaaa: ['2001:db8::1'] } },
    ptr: { '192.0.2.1': ['mx.a.example'], '2001:db8::1': ['six.a.example'] },
    blockLists: {
      'bl.example': { listed: { '192.0.2.1': { txt: 'why' } } },
      'dead.example': { hasTestEntries: false },
    },
  });
  expect(await resolver.resolveTxt('a.example')).toEqual([['one'], ['two ', 'strings']]);
  expect(await resolver.reverse('192.0.2.1')).toEqual(['mx.a.example']);
  expect(await resolver.reverse('2001:db8::1')).toEqual(['six.a.example']);
  expect(await resolver.resolve4('1.2.0.192.bl.example')).toEqual(['127.0.0.2']);
  expect(await resolver.resolveTxt('1.2.0.192.bl.example')).toEqual([['why']]);
  expect(await resolver.resolve4('2.0.0.127.bl.example')).toEqual(['127.0.0.2']);
  expect(await resolver.resolve4('1.0.0.127.bl.example').catch(code)).toBe('ENOTFOUND');
  expect(await resolver.resolve4('2.0.0.127.dead.example').catch(code)).toBe('ENOTFOUND');
});

test('the first questions fail, later ones do not, and all are counted', async () => {
  const resolver = await start({
    domains: { 'f.example': { host: {}, dns: { first: 'servfail', times: 1 } } },
  });
  expect(await resolver.resolveMx('f.example').catch(code)).toBe('ESERVFAIL');
  expect(await resolver.resolveMx('f.example')).toHaveLength(1);
  expect(world!.seen.questions.get('mx f.example')).toBe(2);
});

test('latency delays an answer and loss swallows it', async () => {
  const slow = await start({ domains: { 's.example': { host: {} } }, dns: { latencyMs: 20 } });
  expect(await slow.resolveMx('s.example')).toHaveLength(1);
  await world!.close();
  const lossy = await start({ domains: { 's.example': { host: {} } }, dns: { lossShare: 1 } });
  expect(await lossy.resolveMx('s.example').catch(code)).toBe('ETIMEOUT');
});

test('hostile bytes over TCP end the connection and nothing else', async () => {
  const resolver = await start({ domains: { 's.example': { host: {} } } });
  const [host, port] = world!.dnsServer.split(':') as [string, string];
  const socket = connect({ host, port: Number(port) });
  socket.on('error', () => {});
  socket.write(Buffer.from([0, 20, ...Array(20).fill(0xff)]));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(await resolver.resolveMx('s.example')).toHaveLength(1);
});
