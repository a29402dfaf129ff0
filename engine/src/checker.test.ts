// The engine against a small internet in simulated time: every behaviour of a host, and what is made of it.
import { expect, test } from 'vitest';
import type { WorldSpec } from '../../world/src/index.ts';
import { asked, verdictOf, virtualChecker } from '../test/virtual-checker.ts';

test.each<[string, WorldSpec['domains'][string], Record<string, string>]>([
  [
    'a plain host',
    { host: {} },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email', info: 'risky low_quality' },
  ],
  [
    'a host that only knows HELO',
    { host: { heloOnly: true } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a host that demands TLS',
    { host: { tls: 'required' } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a host that demands TLS and cannot offer it, since it only knows HELO',
    { host: { tls: 'required', heloOnly: true } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a host whose TLS is broken',
    { host: { tls: 'broken' } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a host without PIPELINING',
    { host: { pipelining: 'none' } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a host that loses pipelined commands',
    { host: { pipelining: 'loses_replies' } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a host whose replies come byte by byte',
    { host: { fragment: { bytes: 1, gapMs: 1 }, multiline: true } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a banner after 45 seconds',
    { host: { at: { banner: { delayMs: 45_000 } } } },
    { anna: 'deliverable accepted_email' },
  ],
  [
    'a RCPT after 45 seconds',
    { host: { at: { rcpt: { delayMs: 45_000 } } } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'greylisting for ten minutes',
    { host: { greylist: { delayMs: 600_000 } } },
    { anna: 'deliverable accepted_email', nobody: 'undeliverable rejected_email' },
  ],
  [
    'a catch-all domain',
    { host: {}, mailboxes: { catchAll: true } },
    { anna: 'risky low_deliverability', info: 'risky low_quality' },
  ],
  ['a host that accepts every RCPT', { host: { everyRcpt: 'accept' } }, { anna: 'risky low_deliverability' }],
  [
    'a host that blocks us at RCPT',
    { host: { everyRcpt: 'blocked' } },
    { anna: 'unknown unavailable_smtp', nobody: 'unknown unavailable_smtp' },
  ],
  [
    '550 in the banner',
    { host: { at: { banner: { reply: '550 5.7.1 go away, 127.0.0.1 is listed' } } } },
    { anna: 'unknown unavailable_smtp' },
  ],
  [
    '550 to EHLO and HELO',
    { host: { at: { ehlo: { reply: '550 5.7.1 bad HELO name' } } } },
    { anna: 'unknown unavailable_smtp' },
  ],
  [
    '550 to MAIL',
    { host: { at: { mail: { reply: '550 5.7.1 your address is blocked' } } } },
    { anna: 'unknown unavailable_smtp' },
  ],
  ['4xx to every RCPT, always', { host: { everyRcpt: 'tempfail' } }, { anna: 'unknown unavailable_smtp' }],
  [
    'a full mailbox, now and later',
    {
      host: {},
      mailboxes: { known: ['anna'], overQuota: ['full'], fullForNow: ['fuller'], disabled: ['gone'] },
    },
    {
      full: 'risky low_deliverability',
      fuller: 'risky low_deliverability',
      gone: 'undeliverable rejected_email',
    },
  ],
  ['a host that is down', { host: { down: true } }, { anna: 'unknown no_connect' }],
  ['an unresponsive host', { host: { at: { banner: { next: 'silent' } } } }, { anna: 'unknown no_connect' }],
  ['garbage instead of a banner', { host: { speaks: 'garbage' } }, { anna: 'unknown unavailable_smtp' }],
  ['a banner without end', { host: { speaks: 'endless_banner' } }, { anna: 'unknown unavailable_smtp' }],
  [
    'a connection that drops at RCPT, always',
    { host: { at: { rcpt: { next: 'drop' } } } },
    { anna: 'unknown unavailable_smtp' },
  ],
  [
    'a connection that drops at RCPT once',
    { host: { at: { rcpt: { next: 'drop', times: 1 } } } },
    { anna: 'deliverable accepted_email' },
  ],
  [
    'a host that stops answering at RCPT',
    { host: { at: { rcpt: { next: 'silent' } } } },
    { anna: 'unknown unavailable_smtp' },
  ],
  ['NXDOMAIN', { dns: 'nxdomain' }, { anna: 'undeliverable invalid_domain' }],
  ['SERVFAIL', { dns: 'servfail' }, { anna: 'unknown dns_error' }],
  ['a null MX', { mx: null }, { anna: 'undeliverable invalid_domain' }],
  ['no MX but an address', { implicit: {} }, { anna: 'deliverable accepted_email' }],
  ['an MX host without an address', { host: { addresses: [] } }, { anna: 'undeliverable invalid_domain' }],
])('%s', async (_what, domain, wanted) => {
  const virtual = virtualChecker({ domains: { 'a.example': { mailboxes: ['anna', 'info'], ...domain } } });
  const found = await virtual.checkAll(Object.keys(wanted).map((local) => `${local}@a.example`));
  const verdicts = Object.fromEntries(
    Object.keys(wanted).map((local) => [local, verdictOf(found.get(`${local}@a.example`))]),
  );
  expect(verdicts).toEqual(wanted);
  expect(virtual.world.seen.total.data).toBe(0);
  await virtual.world.run(virtual.checker.close());
  expect(virtual.world.seen.total.open).toBe(0);
});

test('the next MX host is asked when the first cannot be reached, and never without need', async () => {
  const mx = [
    { host: 'mx1.a.example', preference: 10 },
    { host: 'mx2.a.example', preference: 20 },
  ];
  for (const [down, wanted] of [
    [true, 'mx2.a.example'],
    ['silent', 'mx2.a.example'],
    [false, 'mx1.a.example'],
  ] as const) {
    const virtual = virtualChecker({
      domains: { 'a.example': { mx, mailboxes: ['anna'] } },
      hosts: { 'mx1.a.example': { down }, 'mx2.a.example': {} },
    });
    const anna = await virtual.check('anna@a.example');
    expect([down, verdictOf(anna), anna.mx]).toEqual([down, 'deliverable accepted_email', wanted]);
  }
});

test('equal preferences share the load', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { mx: ['mx1.a.example', 'mx2.a.example'], mailboxes: { share: 0.8 } } },
    hosts: { 'mx1.a.example': { replyDelayMs: 20 }, 'mx2.a.example': { replyDelayMs: 20 } },
  });
  await virtual.checkAll(Array.from({ length: 400 }, (_, i) => `p${i}@a.example`));
  const { hosts } = virtual.world.seen;
  expect(hosts['mx1.a.example']?.rcpts).toBeGreaterThan(100);
  expect(hosts['mx2.a.example']?.rcpts).toBeGreaterThan(100);
});

test('an address that needs SMTPUTF8 is asked about only where the server has it', async () => {
  const domains = {
    'a.example': { host: {}, mailboxes: ['jürgen'] },
    'b.example': { host: { smtpUtf8: false }, mailboxes: ['jürgen'] },
  };
  const virtual = virtualChecker({ domains });
  expect(verdictOf(await virtual.check('jürgen@a.example'))).toBe('deliverable accepted_email');
  expect(verdictOf(await virtual.check('jürgen@b.example'))).toBe('unknown unavailable_smtp');
  expect(asked(virtual, 'jürgen@b.example')).toBe(0);
});
