// What is said of a domain without its mail hosts.
import { expect, test } from 'vitest';
import type { DnsLieKind, WorldSpec } from '../../world/src/spec.ts';
import { virtualChecker } from './virtual-checker.ts';

const SPF = 'v=spf1 mx -all';
const DMARC = 'v=DMARC1; p=reject';
const TWO = { txt: ['v=spf1 a -all', SPF] };
const SPEC: WorldSpec = {
  hosts: { 'mx1.good.com': {}, 'mx2.good.com': {} },
  domains: {
    'good.com': {
      mx: [
        { host: 'mx2.good.com', preference: 20 },
        { host: 'mx1.good.com', preference: 10 },
      ],
    },
    'plain.org': { implicit: {} },
    'null.org': { mx: null },
    'sub.good.com': { host: {} },
    'broken.com': { dns: 'servfail' },
  },
  names: {
    'good.com': { txt: ['google-site-verification=x', ['v=spf1 mx ', '-all']] },
    '_dmarc.good.com': { txt: [DMARC] },
    'plain.org': TWO,
    'null.org': { txt: [`v=spf1 ${'a'.repeat(3_000)}`, 'v=spf1\u0007 -all', 'v=spf10 -all'] },
  },
};

const reported = (spec: WorldSpec, domain: string) => {
  const virtual = virtualChecker(spec);
  return virtual.world.run(virtual.checker.lookUpDomain(domain)).then((report) => ({ virtual, report }));
};

test('what DNS says, the records that count, and what the lists say; no mail host is connected to', async () => {
  const { virtual, report } = await reported(SPEC, 'good.com');
  expect(report).toEqual({
    domain: 'good.com',
    acceptsMail: true,
    mx: [
      { preference: 10, exchange: 'mx1.good.com' },
      { preference: 20, exchange: 'mx2.good.com' },
    ],
    provider: 'other',
    free: false,
    disposable: false,
    suggestion: null,
    spf: SPF,
    dmarc: DMARC,
  });
  expect(virtual.world.seen.total.connections).toBe(0);
});

test.each([
  // Without a policy of its own it has that of its registered domain.
  ['sub.good.com', { acceptsMail: true, spf: '', dmarc: DMARC }],
  // Of two SPF records receivers use none.
  ['plain.org', { acceptsMail: true, mx: [{ preference: 0, exchange: 'plain.org' }], spf: '', dmarc: '' }],
  ['null.org', { acceptsMail: false, mx: [], provider: '', spf: '', dmarc: '' }],
  ['no-such.com', { acceptsMail: false, mx: [], provider: '', spf: '', dmarc: '' }],
  ['localhost', { acceptsMail: false, mx: [], provider: '', spf: '', dmarc: '' }],
  ['broken.com', { acceptsMail: null, mx: null, provider: null, spf: null, dmarc: null }],
  ['gmial.com', { acceptsMail: false, suggestion: 'gmail.com' }],
])('%s', async (domain, expected) => {
  expect((await reported(SPEC, domain)).report).toMatchObject(expected);
});

test.each([
  'nxdomain',
  'no_mx',
  'one_address',
  'one_mx',
  'silent',
] as DnsLieKind[])('a name server that lies (%s) is not believed: what it says is not known', async (kind) => {
  const { report } = await reported({ ...SPEC, dns: { lie: { kind } } }, 'good.com');
  expect(report).toEqual({
    domain: 'good.com',
    acceptsMail: null,
    mx: null,
    provider: null,
    free: false,
    disposable: false,
    suggestion: null,
    spf: null,
    dmarc: null,
  });
});
