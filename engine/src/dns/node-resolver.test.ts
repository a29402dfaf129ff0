// node:dns against a DNS server on loopback: what is said is told apart from what fails.
import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../../../world/src/index.ts';
import { a, aaaa, cname, cutOff, mx, startRawDns } from '../../test/hostile/raw-dns.ts';
import { createNodeResolver } from './node-resolver.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({
    domains: {
      'good.example': {
        mx: [
          { host: 'mx2.good.example', preference: 20 },
          { host: 'MX1.Good.Example', preference: 10 },
        ],
      },
      'alias.example': { cname: 'good.example' },
      'null.example': { mx: null },
      'plain.example': { implicit: {} },
      'gone.example': { dns: 'nxdomain' },
      'sick.example': { dns: 'servfail' },
      'closed.example': { dns: 'refused' },
      'silent.example': { dns: 'timeout' },
      'big.example': { dns: 'truncate', mx: ['mx1.good.example'] },
    },
    hosts: { 'mx1.good.example': {}, 'mx2.good.example': {} },
  });
});
afterAll(() => world.close());

const resolver = () => createNodeResolver({ servers: [world.dnsServer], timeoutMs: 150 });

test('MX, A and their absence', async () => {
  const mx = await resolver().mx('good.example');
  expect(mx.kind === 'records' && [...mx.records].sort((a, b) => a.preference - b.preference)).toEqual([
    { preference: 10, exchange: 'mx1.good.example' },
    { preference: 20, exchange: 'mx2.good.example' },
  ]);
  expect(await resolver().mx('null.example')).toMatchObject({ records: [{ exchange: '' }] });
  expect(await resolver().mx('plain.example')).toEqual({ kind: 'nodata' });
  const a = await resolver().a('plain.example');
  expect(a.kind === 'records' && a.ttlSeconds).toBeGreaterThan(0);
  expect(await resolver().aaaa('plain.example')).toEqual({ kind: 'nodata' });
});

test('an alias on the way', async () => {
  expect((await resolver().mx('alias.example')).kind).toBe('records');
});

test('an alias is followed where the server leaves that to us, and a loop of them is a failure', async () => {
  const dns = await startRawDns({
    'chain.example': [cname('alias.example')],
    'alias.example': [cname('real.example')],
    'real.example': [mx(10, 'mx.example')],
    'mx.example': [cname('host.example')],
    'host.example': [a('192.0.2.1')],
    'self.example': [cname('self.example')],
  });
  const bare = createNodeResolver({ servers: [dns.server], timeoutMs: 150 });
  expect(await bare.mx('chain.example')).toMatchObject({ records: [{ exchange: 'mx.example' }] });
  expect(await bare.a('mx.example')).toMatchObject({ records: ['192.0.2.1'] });
  expect(await bare.mx('host.example')).toEqual({ kind: 'nodata' });
  expect(await bare.mx('self.example')).toEqual({ kind: 'servfail' });
  await dns.close();
});

test('an IPv6 address behind an alias left to us is found where it is the only hope, and not looked for elsewhere', async () => {
  const dns = await startRawDns({
    'mx.example': [cname('host.example')],
    'host.example': [aaaa([0x2606, 0x4700, 0, 0, 0, 0, 0, 1])],
  });
  const bare = createNodeResolver({ servers: [dns.server], timeoutMs: 150 });
  expect(await bare.aaaa('mx.example', true)).toMatchObject({ records: ['2606:4700::1'] });
  expect(await bare.aaaa('mx.example')).toEqual({ kind: 'nodata' });
  await dns.close();
});

test('an answer that is cut off over TCP too is no answer, and the next resolver is asked', async () => {
  const cut = await startRawDns({ 'a.example': cutOff, 'none.example': [] });
  const whole = await startRawDns({ 'a.example': [mx(10, 'mx.example')] });
  const one = createNodeResolver({ servers: [cut.server], timeoutMs: 500 });
  expect(await one.mx('a.example')).toEqual({ kind: 'servfail' });
  expect(await one.a('a.example')).toEqual({ kind: 'servfail' });
  expect(await one.aaaa('a.example', true)).toEqual({ kind: 'servfail' });
  // Empty and whole: that is what it says.
  expect(await one.mx('none.example')).toEqual({ kind: 'nodata' });
  const both = createNodeResolver({ servers: [cut.server, whole.server], timeoutMs: 500 });
  expect(await both.mx('a.example')).toMatchObject({ records: [{ exchange: 'mx.example' }] });
  await cut.close();
  await whole.close();
});

test('a resolver that does not speak TCP is taken at its word', async () => {
  const udp = createSocket('udp4');
  await new Promise<void>((bound) => udp.bind(0, '127.0.0.1', bound));
  udp.on('message', (query, from) => {
    const answer = Buffer.from(query);
    answer.writeUInt16BE(0x8180, 2);
    udp.send(answer, from.port, from.address);
  });
  const one = createNodeResolver({ servers: [`127.0.0.1:${udp.address().port}`], timeoutMs: 150 });
  expect(await one.mx('a.example')).toEqual({ kind: 'nodata' });
  udp.close();
});

test.each([
  ['gone.example', 'nxdomain'],
  ['sick.example', 'servfail'],
  ['closed.example', 'refused'],
  ['silent.example', 'timeout'],
])('%s: %s', async (name, kind) => {
  expect(await resolver().mx(name)).toEqual({ kind });
});

test('a truncated answer is asked again over TCP', async () => {
  expect((await resolver().mx('big.example')).kind).toBe('records');
});

test('the next resolver is asked when one fails, and not when it has answered', async () => {
  const dead = createSocket('udp4');
  await new Promise<void>((bound) => dead.bind(0, '127.0.0.1', bound));
  const servers = [`127.0.0.1:${dead.address().port}`, world.dnsServer];
  try {
    const both = createNodeResolver({ servers, timeoutMs: 150 });
    expect((await both.mx('good.example')).kind).toBe('records');
    // Who was silent is asked last from then on.
    let heard = 0;
    dead.on('message', () => {
      heard += 1;
    });
    expect((await both.mx('plain.example')).kind).toBe('nodata');
    expect(heard).toBe(0);
    const before = world.seen.questions.get('mx gone.example') ?? 0;
    const twice = createNodeResolver({ servers: [world.dnsServer, world.dnsServer], timeoutMs: 150 });
    await twice.mx('gone.example');
    expect((world.seen.questions.get('mx gone.example') ?? 0) - before).toBe(1);
  } finally {
    dead.close();
  }
});

test('a resolver at an IPv6 address can be named', () => {
  expect(() => createNodeResolver({ servers: ['[::1]:5353', '::1', '127.0.0.1'] })).not.toThrow();
});
