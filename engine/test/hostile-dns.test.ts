// DNS that lies, floods and garbles. Promise: a stranger's zone can neither send us to an address that is not public,
// nor make us ask without end, nor spoil what others are told.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChecker } from '../src/checker.ts';
import { createWireResolver } from '../src/dns/wire-resolver.ts';
import type { Connect } from '../src/ports.ts';
import type { Finding } from '../src/types.ts';
import {
  a,
  cname,
  cutOff,
  header,
  mx,
  type RawAnswer,
  type RawDns,
  startRawDns,
  startRawUdp,
} from './hostile/raw-dns.ts';

/** Public, and never really dialled: the connections here are made of nothing. */
const PUBLIC = '185.199.110.9';
const PRIVATE = [
  '127.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.1.1',
  '100.64.0.1',
  '224.0.0.1',
];
const ODD_LABEL = Buffer.from([0, 255, 10, 13, 64]);

const NOWHERE: Readonly<Record<string, RawAnswer>> = {
  'loop.example': [cname('loop2.example')],
  'loop2.example': [cname('loop.example')],
  'self.example': [cname('self.example')],
  'mx-loop.example': [mx(0, 'self.example')],
  'null.example': [mx(0, '')],
  'localhost-mx.example': [mx(0, 'localhost')],
  'literal.example': [mx(0, '127.0.0.1')],
  'public-literal.example': [mx(0, PUBLIC)],
  'short-literal.example': [mx(0, '127.1')],
  'odd.example': [mx(0, [ODD_LABEL, 'example'])],
  'thousand.example': Array.from({ length: 1000 }, (_, n) => mx(0, `t${n}.example`)),
};

const SOMEWHERE: Readonly<Record<string, RawAnswer>> = {
  'good.example': [a(PUBLIC)],
  'null-and-more.example': [mx(0, ''), mx(10, 'good.example')],
  'odd-and-more.example': [mx(0, [ODD_LABEL, 'example']), mx(10, 'good.example')],
  'thousand-and-more.example': [
    ...Array.from({ length: 1000 }, (_, n) => mx(5, `t${n}.example`)),
    mx(1, 'good.example'),
  ],
  'mixed.example': [...PRIVATE.map(a), a(PUBLIC)],
};

const GARBLED: Readonly<Record<string, RawAnswer>> = {
  'cut.example': cutOff,
  'text.example': () => Buffer.from('hello'),
  'short.example': (query) => header(query, 0x8180, 5),
  'liar.example': (query) => Buffer.concat([header(query, 0x8180, 60_000), query.subarray(12)]),
  'noise.example': (query) =>
    Buffer.concat([header(query, 0x8180, 3), query.subarray(12), Buffer.alloc(60, 255)]),
};

let dns: RawDns;
const dialled = new Set<string>();
const found = new Map<string, Finding>();

const connect: Connect = (target, events) => {
  dialled.add(target.ip);
  setTimeout(() => events.closed('ECONNREFUSED'), 1);
  return { write: () => {}, startTls: () => {}, destroy: () => {} };
};

beforeAll(async () => {
  const inside = Object.fromEntries(PRIVATE.map((ip, n) => [`inside${n}.example`, [a(ip)]]));
  dns = await startRawDns({ ...NOWHERE, ...SOMEWHERE, ...GARBLED, ...inside });
  const checker = createChecker({
    // What is no answer at all is waited past.
    resolver: createWireResolver({ servers: [dns.server], timeoutMs: 500 }),
    // Its zones know nothing else; what becomes of a resolver that lies is in lying-dns.test.ts.
    dnsSentinels: [],
    connect,
    heloName: 'checker.example',
    retrySeconds: [],
  });
  const domains = [NOWHERE, SOMEWHERE, GARBLED, inside].flatMap((zone) => Object.keys(zone));
  for await (const finding of checker.checkAll(domains.map((domain) => `anna@${domain}`)))
    found.set(finding.email.slice('anna@'.length), finding);
  await checker.close();
});
afterAll(() => dns.close());

describe('there is no server to ask', () => {
  it.each(Object.keys(NOWHERE))('%s', (domain) => {
    const finding = found.get(domain);
    expect(['invalid_domain', 'dns_error']).toContain(finding?.reason);
    expect(Buffer.byteLength(JSON.stringify(finding?.evidence))).toBeLessThanOrEqual(2048);
  });

  it('a domain of none but private addresses cannot receive mail', () => {
    for (const [n] of PRIVATE.entries())
      expect(found.get(`inside${n}.example`)?.reason).toBe('invalid_domain');
  });
});

it.each(Object.keys(SOMEWHERE))('%s is asked where it is public', (domain) => {
  expect(found.get(domain)?.reason).toBe('no_connect');
});

it.each(Object.keys(GARBLED))('%s is told nothing by an answer that is none', (domain) => {
  expect([found.get(domain)?.state, found.get(domain)?.reason]).toEqual(['unknown', 'dns_error']);
});

it('only the public address was ever dialled, and a thousand MX hosts were not all looked up', () => {
  expect([...dialled]).toEqual([PUBLIC]);
  expect([...dns.asked].filter((name) => /^t\d+\.example$/.test(name)).length).toBeLessThanOrEqual(24);
});

it('a checker that closes while a resolver is unresponsive says nothing of it and holds the process no longer', async () => {
  const unresponsive = await startRawUdp(() => {});
  const module = fileURLToPath(new URL('../src/index.ts', import.meta.url));
  const code = `import { createChecker } from ${JSON.stringify(module)};
    const log = ({ event }) => console.log(event);
    const checker = createChecker({ dnsServers: ['${unresponsive.server}'], heloName: 'probe.example.org', log });
    const told = [];
    const onOutcome = (_, { kind }) => told.push(kind);
    checker.ask(Array.from({ length: 400 }, (_, i) => ({ email: 'anna@d' + i + '.example' })), { onOutcome });
    await new Promise((go) => setTimeout(go, 50));
    await checker.close(0);
    // A closed handle goes with the end of the loop's turn.
    await new Promise((go) => setImmediate(() => setImmediate(go)));
    const holding = process.getActiveResourcesInfo().filter((name) => /UDP|TCP|Timeout/.test(name));
    console.log(told.length, [...new Set(told)].join(), holding.join());`;
  const out = await new Promise<string>((done, fail) => {
    execFile(process.execPath, ['--input-type=module', '-e', code], { timeout: 120_000 }, (error, stdout) =>
      error ? fail(error) : done(stdout),
    );
  });
  expect(out).toBe('400 unasked \n');
  await unresponsive.close();
});
