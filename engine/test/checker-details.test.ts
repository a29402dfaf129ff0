// Why an address ended as it did, or what it waits for, in one word: each reached over the wire of a virtual world.
import { expect, test } from 'vitest';
import type { DomainSpec, HostSpec, WorldSpec } from '../../world/src/spec.ts';
import type { CheckerOptions, Detail, Reason } from '../src/index.ts';
import { explain, unansweredVerdict } from '../src/index.ts';
import { ask, virtualChecker } from './virtual-checker.ts';

const BLOCKED = '554 5.7.1 Service unavailable; client host [127.0.0.1] blocked using zen.example';

const at = (host: HostSpec, mailboxes: DomainSpec['mailboxes'] = ['anna']): WorldSpec => ({
  domains: { 'a.example': { host, mailboxes } },
});
const domain = (spec: DomainSpec): WorldSpec => ({ domains: { 'a.example': spec } });

interface Case {
  readonly reason: Reason;
  readonly detail: Detail;
  readonly name: string;
  readonly world: WorldSpec;
  readonly email?: string;
  readonly options?: CheckerOptions;
}

const CASES: readonly Case[] = [
  { reason: 'accepted_email', detail: 'accepted', name: 'accepted', world: at({}) },
  {
    reason: 'accepted_email',
    detail: 'accepted',
    name: 'busy to the end',
    world: at({}, { busy: ['anna'] }),
  },
  {
    reason: 'low_quality',
    detail: 'role',
    name: 'a role',
    world: at({}, ['postmaster', 'info']),
    email: 'info@a.example',
  },
  {
    reason: 'low_deliverability',
    detail: 'catch_all',
    name: 'a catch-all',
    world: at({}, { catchAll: true }),
  },
  {
    reason: 'low_deliverability',
    detail: 'catch_all_unknown',
    name: 'no answer to the catch-all probe',
    world: at({ at: { rcpt: { reply: '451 4.3.0 not now', afterAll: 1 } } }),
  },
  {
    reason: 'low_deliverability',
    detail: 'mailbox_full',
    name: 'full',
    world: at({}, { overQuota: ['anna'] }),
  },
  {
    reason: 'low_deliverability',
    detail: 'mailbox_full',
    name: 'full for now, and still so',
    world: at({}, { known: ['anna'], fullForNow: ['anna'] }),
  },
  { reason: 'rejected_email', detail: 'no_such_mailbox', name: 'unknown', world: at({}, ['ben']) },
  {
    reason: 'rejected_email',
    detail: 'mailbox_disabled',
    name: 'closed',
    world: at({ wording: 'google' }, { known: ['ben'], disabled: ['anna'] }),
  },
  {
    reason: 'rejected_email',
    detail: 'mailbox_moved',
    name: 'moved',
    world: at({ at: { rcpt: { reply: '551 5.1.6 User has moved', times: 1 } } }),
  },
  { reason: 'invalid_email', detail: 'syntax', name: 'no address', world: at({}), email: 'no address' },
  {
    reason: 'disposable',
    detail: 'disposable',
    name: 'disposable',
    world: { domains: { 'mailinator.com': { host: {} } } },
    email: 'anna@mailinator.com',
  },
  {
    reason: 'invalid_domain',
    detail: 'no_such_domain',
    name: 'a domain without a dot',
    world: at({}),
    email: 'anna@localhost',
  },
  {
    reason: 'invalid_domain',
    detail: 'no_such_domain',
    name: 'NXDOMAIN',
    world: domain({ dns: 'nxdomain' }),
  },
  { reason: 'invalid_domain', detail: 'null_mx', name: 'a null MX', world: domain({ mx: null }) },
  {
    reason: 'invalid_domain',
    detail: 'no_mx',
    name: 'neither MX nor address',
    world: domain({ dns: 'nodata' }),
  },
  {
    reason: 'invalid_domain',
    detail: 'no_mx',
    name: 'an MX host without an address',
    world: {
      domains: { 'a.example': { mx: ['mx.a.example'] } },
      hosts: { 'mx.a.example': { addresses: [] } },
    },
  },
  {
    reason: 'invalid_domain',
    detail: 'private_address',
    name: 'private addresses only',
    world: at({}),
    options: { allowPrivateTargets: false },
  },
  { reason: 'dns_error', detail: 'dns_failed', name: 'SERVFAIL', world: domain({ dns: 'servfail' }) },
  {
    reason: 'dns_error',
    detail: 'dns_untrusted',
    name: 'a DNS server that says of everything that it does not exist',
    world: { ...at({}), dns: { lie: { kind: 'nxdomain' } } },
  },
  {
    reason: 'dns_error',
    detail: 'dns_untrusted',
    name: 'a DNS server that makes answers up',
    world: { ...at({}), dns: { lie: { kind: 'one_mx' } } },
  },
  {
    reason: 'no_connect',
    detail: 'connection_refused',
    name: 'a refused connect',
    world: at({ down: true }),
  },
  { reason: 'no_connect', detail: 'timeout', name: 'a swallowed connect', world: at({ down: 'silent' }) },
  {
    reason: 'no_connect',
    detail: 'timeout',
    name: 'no greeting',
    world: at({ at: { banner: { next: 'silent' } } }),
  },
  {
    reason: 'no_connect',
    detail: 'connection_lost',
    name: 'hung up before the greeting',
    world: at({ at: { banner: { mangle: 'lost', next: 'drop' } } }),
  },
  {
    reason: 'no_connect',
    detail: 'never_asked',
    name: 'a host that policy leaves alone',
    world: {
      domains: { 'a.example': { mx: ['mx.spamhaus.org'], mailboxes: ['anna'] } },
      hosts: { 'mx.spamhaus.org': {} },
    },
  },
  {
    reason: 'unavailable_smtp',
    detail: 'connection_lost',
    name: 'hung up while asked',
    world: at({ at: { rcpt: { mangle: 'lost', next: 'drop' } } }),
  },
  {
    reason: 'unavailable_smtp',
    detail: 'timeout',
    name: 'silent when asked',
    world: at({ at: { rcpt: { mangle: 'lost', next: 'silent' } } }),
  },
  {
    reason: 'unavailable_smtp',
    detail: 'greylisted',
    name: 'greylisted to the end',
    world: at({ greylist: { delayMs: 100 * 3_600_000 } }),
  },
  {
    reason: 'unavailable_smtp',
    detail: 'rate_limited',
    name: 'asked too fast, it says, to the end',
    world: at({ at: { rcpt: { reply: '450 4.7.1 You are sending too fast, slow down' } } }),
  },
  {
    reason: 'unavailable_smtp',
    detail: 'blocked',
    name: 'blocked',
    world: at({ at: { banner: { reply: BLOCKED } } }),
  },
  {
    reason: 'unavailable_smtp',
    detail: 'sender_refused',
    name: 'our sender refused',
    world: at({ at: { mail: { reply: '550 5.1.8 Sender address rejected' } } }),
  },
  {
    reason: 'unavailable_smtp',
    detail: 'temporary',
    name: 'deferred',
    world: at({}, { tempfail: ['anna'] }),
  },
  {
    reason: 'unavailable_smtp',
    detail: 'tls_failed',
    name: 'wants TLS and has none',
    world: at({ tls: 'required', at: { starttls: { reply: '454 4.7.0 TLS not available' } } }),
  },
  {
    reason: 'unavailable_smtp',
    detail: 'unclear',
    name: 'every recipient refused alike',
    world: at({ at: { rcpt: { reply: '550 5.4.1 Recipient address rejected: Access denied' } } }),
  },
  {
    reason: 'unavailable_smtp',
    detail: 'unclear',
    name: 'no mail accepted for the domain',
    world: at({ at: { rcpt: { reply: '554 5.7.1 Relay access denied' } } }),
  },
];

test.each(CASES)('$reason, $detail: $name', async ({
  reason,
  detail,
  world,
  email = 'anna@a.example',
  options,
}) => {
  const virtual = virtualChecker(world, { retrySeconds: [60, 300], ...options });
  const finding = await virtual.check(email);
  expect([finding.reason, finding.detail]).toEqual([reason, detail]);
  expect(explain(finding, finding.evidence)).toMatch(/^[A-Z][^.\n]+\.$/);
});

test('a source that was blocked rests there, and addresses that come meanwhile are told so', async () => {
  const virtual = virtualChecker(at({ at: { banner: { reply: BLOCKED } } }), { retrySeconds: [60] });
  expect((await virtual.check('anna@a.example')).detail).toBe('blocked');
  await virtual.sleep(1_000);
  const [outcome] = await ask(virtual, [{ email: 'ben@a.example' }]);
  expect(outcome).toMatchObject({ kind: 'later', resume: { detail: 'source_resting' } });
  expect((await virtual.check('ben@a.example')).detail).toBe('source_resting');
});

test('our own network is down: one connect says so, and so do all that wait for it', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `d${i}.example`);
  const world: WorldSpec = { domains: Object.fromEntries(names.map((name) => [name, { host: {} }])) };
  const virtual = virtualChecker(world, {
    connect: (_target, events) => {
      virtual.world.clock.setTimeout(() => events.closed('ENETUNREACH'), 1);
      return { write: () => {}, startTls: () => {}, destroy: () => {} };
    },
  });
  expect((await virtual.check('anna@d0.example')).detail).toBe('network_down');
  const outcomes = await ask(
    virtual,
    names.map((name) => ({ email: `anna@${name}` })),
  );
  const waitsFor = outcomes.map((one) => (one.kind === 'later' ? one.resume.detail : one.kind));
  expect(new Set(waitsFor)).toEqual(new Set(['network_down']));
});

test('while hardly any host answers, what timed out waits for our network', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `d${i}.example`);
  const world: WorldSpec = {
    domains: Object.fromEntries(names.map((name) => [name, { host: { down: 'silent' } as const }])),
  };
  const virtual = virtualChecker(world);
  const questions = names.map((name) => ({ email: `anna@${name}` }));
  // The first of them could not know yet.
  await ask(virtual, questions);
  expect(virtual.checker.reachable).toBe(false);
  const outcomes = await ask(virtual, questions);
  const waitsFor = outcomes.map((one) => (one.kind === 'later' ? one.resume.detail : one.kind));
  expect(new Set(waitsFor)).toEqual(new Set(['network_down']));
});

test.each<readonly [Detail, Reason, WorldSpec]>([
  ['greylisted', 'unavailable_smtp', at({ greylist: { delayMs: 3_600_000 } })],
  ['temporary', 'unavailable_smtp', at({}, { tempfail: ['anna'] })],
  ['rate_limited', 'unavailable_smtp', at({ at: { rcpt: { reply: '450 4.7.1 Too fast, slow down' } } })],
  ['connection_refused', 'no_connect', at({ down: true })],
  ['dns_failed', 'dns_error', domain({ dns: 'servfail' })],
  ['dns_untrusted', 'dns_error', { ...at({}), dns: { lie: { kind: 'nxdomain' } } }],
])('what waits for the next attempt says why, and keeps it when its list ends: %s', async (detail, reason, world) => {
  const virtual = virtualChecker(world);
  const [outcome] = await ask(virtual, [{ email: 'anna@a.example' }]);
  if (outcome?.kind !== 'later') throw new Error('there is a next attempt');
  expect(outcome.resume.detail).toBe(detail);
  const ended = unansweredVerdict('anna@a.example', outcome.resume);
  expect([ended.state, ended.reason, ended.detail]).toEqual(['unknown', reason, detail]);
});

test.each<readonly [Detail, WorldSpec]>([
  ['accepted', at({}, { known: ['ben'], busy: ['anna'] })],
  ['mailbox_full', at({}, { known: ['ben'], fullForNow: ['anna'] })],
  ['catch_all_unknown', at({ at: { rcpt: { reply: '451 4.3.0 not now', afterAll: 1 } } })],
])('an answer that is not final waits as %s, which is no verdict of a list that ends', async (detail, world) => {
  const virtual = virtualChecker(world);
  const [outcome] = await ask(virtual, [{ email: 'anna@a.example' }]);
  if (outcome?.kind !== 'later') throw new Error('there is a next attempt');
  expect(outcome.resume.detail).toBe(detail);
  expect(unansweredVerdict('anna@a.example', outcome.resume).detail).toBe('list_ended');
});
