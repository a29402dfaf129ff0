// Our own resolver against DNS servers on loopback: what is said is told apart from what fails.
import { createSocket } from 'node:dgram';
import type { ReadingSubject, ReadingWatch } from '@mxproof/common/watchdog';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../../../world/src/index.ts';
import {
  a,
  aaaa,
  answerTo,
  cname,
  cutOff,
  mx,
  startRawDns,
  startRawUdp,
} from '../../test/hostile/raw-dns.ts';
import { createWireResolver } from './wire-resolver.ts';

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
    ptr: { '192.0.2.1': ['mx.good.example'], '2001:db8::1': ['six.good.example'] },
    names: { 'good.example': { txt: ['v=spf1 -all', ['one ', 'text']] } },
  });
});
afterAll(() => world.close());

const resolver = () => createWireResolver({ servers: [world.dnsServer], timeoutMs: 150 });

test('MX, A and their absence', async () => {
  const mx = await resolver().mx('good.example');
  expect(mx.kind === 'records' && [...mx.records].sort((a, b) => a.preference - b.preference)).toEqual([
    { preference: 10, exchange: 'mx1.good.example' },
    { preference: 20, exchange: 'mx2.good.example' },
  ]);
  expect(await resolver().mx('null.example')).toMatchObject({ records: [{ exchange: '' }] });
  expect(await resolver().mx('plain.example')).toEqual({ kind: 'nodata' });
  expect(mx.kind === 'records' && mx.ttlSeconds).toBeGreaterThan(0);
  const a = await resolver().a('plain.example');
  expect(a.kind === 'records' && a.ttlSeconds).toBeGreaterThan(0);
  expect(await resolver().aaaa('plain.example')).toEqual({ kind: 'nodata' });
});

test('names of addresses, and texts of several strings', async () => {
  expect(await resolver().ptr('1.2.0.192.in-addr.arpa')).toMatchObject({ records: ['mx.good.example'] });
  const six = `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`;
  expect(await resolver().ptr(six)).toMatchObject({ records: ['six.good.example'] });
  expect(await resolver().txt('good.example')).toMatchObject({ records: ['v=spf1 -all', 'one text'] });
  expect(await resolver().txt('plain.example')).toEqual({ kind: 'nodata' });
  expect(await resolver().ptr('2.2.0.192.in-addr.arpa')).toEqual({ kind: 'nxdomain' });
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
    'short.example': [{ ...cname('host.example'), ttlSeconds: 20 }],
  });
  const bare = createWireResolver({ servers: [dns.server], timeoutMs: 150 });
  expect(await bare.mx('chain.example')).toMatchObject({ records: [{ exchange: 'mx.example' }] });
  expect(await bare.a('mx.example')).toMatchObject({ records: ['192.0.2.1'] });
  expect(await bare.mx('host.example')).toEqual({ kind: 'nodata' });
  expect(await bare.mx('self.example')).toEqual({ kind: 'servfail' });
  // The shortest of all that was needed.
  expect(await bare.a('mx.example')).toMatchObject({ ttlSeconds: 60 });
  expect(await bare.a('short.example')).toMatchObject({ ttlSeconds: 20 });
  await dns.close();
});

test('eight aliases are followed, shown in one answer or left to us, and nine are not', async () => {
  const zone = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [`n${i}.example`, [cname(`n${i + 1}.example`)]]),
  );
  const dns = await startRawDns({ ...zone, 'n9.example': [a('192.0.2.1')] });
  const bare = createWireResolver({ servers: [dns.server], timeoutMs: 150 });
  expect(await bare.a('n1.example')).toMatchObject({ records: ['192.0.2.1'] });
  expect(await bare.a('n0.example')).toEqual({ kind: 'servfail', about: 'n8.example' });
  await dns.close();
});

test('aliases that are left to us are followed within the budget of the lookup', async () => {
  const zone = Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [`n${i}.example`, [cname(`n${i + 1}.example`)]]),
  );
  const dns = await startRawDns({ ...zone, 'n8.example': [a('192.0.2.1')] });
  const bare = createWireResolver({ servers: [dns.server], timeoutMs: 150 });
  const budget = { questionsLeft: 7 };
  expect(await bare.a('n1.example', null, budget)).toMatchObject({ records: ['192.0.2.1'] });
  expect(await bare.a('n1.example', null, budget)).toEqual({ kind: 'servfail' });
  expect(budget.questionsLeft).toBe(0);
  await dns.close();
});

test('an alias to a name with odd octets is asked for as it is', async () => {
  const label = Buffer.from([0, 255, 46, 92]);
  const target = Buffer.concat([
    Buffer.from([4]),
    label,
    Buffer.from([7]),
    Buffer.from('example'),
    Buffer.alloc(1),
  ]);
  const dns = await startRawDns({
    'a.example': [{ type: 'cname', data: target }],
    [`${label.toString('latin1')}.example`]: [a('192.0.2.1')],
  });
  const bare = createWireResolver({ servers: [dns.server], timeoutMs: 150 });
  expect(await bare.a('a.example')).toMatchObject({ records: ['192.0.2.1'] });
  await dns.close();
});

test('a malformed answer is its own question’s failure, after the next resolver was asked', async () => {
  const names = ['good1', 'bad', 'good2', 'good3'].map((label) => `${label}.example`);
  const good = Object.fromEntries(names.map((name) => [name, [a('192.0.2.1')]]));
  const liar = await startRawDns({
    ...good,
    'bad.example': (query) => Buffer.concat([answerTo(query, []), Buffer.alloc(60, 255)]).fill(9, 7, 8),
  });
  const honest = await startRawDns(good);
  const one = createWireResolver({ servers: [liar.server], timeoutMs: 5_000 });
  const kinds = (await Promise.all(names.map((name) => one.a(name)))).map((said) => said.kind);
  expect(kinds).toEqual(['records', 'servfail', 'records', 'records']);
  const both = createWireResolver({ servers: [liar.server, honest.server], timeoutMs: 5_000 });
  expect((await both.a('bad.example')).kind).toBe('records');
  await liar.close();
  await honest.close();
});

test('a name that cannot be written is a failure, and no server is asked', async () => {
  const dns = await startRawDns({});
  const bare = createWireResolver({ servers: [dns.server], timeoutMs: 150 });
  for (const name of ['a..example', `${'a'.repeat(64)}.example`, 'a.'.repeat(200)])
    expect(await bare.mx(name)).toEqual({ kind: 'servfail' });
  expect(dns.asked.size).toBe(0);
  await dns.close();
});

test('an IPv6 address behind an alias left to us is found', async () => {
  const dns = await startRawDns({
    'mx.example': [cname('host.example')],
    'host.example': [aaaa([0x2606, 0x4700, 0, 0, 0, 0, 0, 1])],
  });
  const bare = createWireResolver({ servers: [dns.server], timeoutMs: 150 });
  expect(await bare.aaaa('mx.example')).toMatchObject({ records: ['2606:4700::1'] });
  await dns.close();
});

test('an answer that is cut off over TCP too is no answer, and the next resolver is asked', async () => {
  const cut = await startRawDns({ 'a.example': cutOff, 'none.example': [] });
  const whole = await startRawDns({ 'a.example': [mx(10, 'mx.example')] });
  const one = createWireResolver({ servers: [cut.server], timeoutMs: 500 });
  expect(await one.mx('a.example')).toEqual({ kind: 'servfail' });
  expect(await one.a('a.example')).toEqual({ kind: 'servfail' });
  expect(await one.aaaa('a.example')).toEqual({ kind: 'servfail' });
  // Empty and whole: that is what it says.
  expect(await one.mx('none.example')).toEqual({ kind: 'nodata' });
  const both = createWireResolver({ servers: [cut.server, whole.server], timeoutMs: 500 });
  expect(await both.mx('a.example')).toMatchObject({ records: [{ exchange: 'mx.example' }] });
  await cut.close();
  await whole.close();
});

test('an empty answer that is whole is taken at its word, without a question over TCP', async () => {
  let questions = 0;
  const udp = await startRawUdp((query, reply) => {
    questions += 1;
    reply(answerTo(query, []));
  });
  const one = createWireResolver({ servers: [udp.server], timeoutMs: 150 });
  expect(await one.mx('a.example')).toEqual({ kind: 'nodata' });
  expect(questions).toBe(1);
  await udp.close();
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
    const both = createWireResolver({ servers, timeoutMs: 150 });
    expect((await both.mx('good.example')).kind).toBe('records');
    // Who was silent is asked last from then on.
    let heard = 0;
    dead.on('message', () => {
      heard += 1;
    });
    expect((await both.mx('plain.example')).kind).toBe('nodata');
    expect(heard).toBe(0);
    const before = world.seen.questions.get('mx gone.example') ?? 0;
    const twice = createWireResolver({ servers: [world.dnsServer, world.dnsServer], timeoutMs: 150 });
    await twice.mx('gone.example');
    expect((world.seen.questions.get('mx gone.example') ?? 0) - before).toBe(1);
  } finally {
    dead.close();
  }
});

test.each([
  ['over UDP', 'good.example'],
  ['over TCP', 'big.example'],
])('an answer %s that is slow to read counts as a failure, and no other server is asked for it', async (_, name) => {
  const slow: ReadingSubject[] = [];
  const watchdog: ReadingWatch = {
    began: () => 0,
    wasSlow: (reader) => {
      // Of a truncated answer over UDP there is nothing to read yet.
      reads += 1;
      if (name === 'big.example' && reads === 1) return false;
      slow.push(reader.whatIsRead());
      return true;
    },
  };
  let reads = 0;
  const servers = [world.dnsServer, world.dnsServer];
  const watched = createWireResolver({ servers, timeoutMs: 150, watchdog });
  expect(await watched.mx(name)).toEqual({ kind: 'servfail' });
  expect(slow).toEqual([{ kind: 'dns', host: world.dnsServer, lots: [], domain: name }]);
  watched.close();
});

test('a resolver at an IPv6 address can be named, one that has no address is refused at once', () => {
  expect(() => createWireResolver({ servers: ['[::1]:5353', '::1', '127.0.0.1'] })).not.toThrow();
  expect(() => createWireResolver({ servers: ['dns.example'] })).toThrow('dns.example');
  expect(() => createWireResolver()).not.toThrow();
});
