// Hosts that count: connections at once, connections a minute, recipients a minute.
import { expect, test } from 'vitest';
import { TWO_MX_HOSTS, verdictOf, virtualChecker } from './virtual-checker.ts';

const MINUTE_MS = 60_000;
const people = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@a.example`);

async function run(limits: Record<string, number>, count: number, mailFrom = '') {
  const host = { replyDelayMs: 20, limits };
  const virtual = virtualChecker(
    { domains: { 'a.example': { host, mailboxes: { share: 0.5 } } } },
    { mailFrom },
  );
  const startMs = virtual.world.clock.now();
  const emails = people(count);
  const found = await virtual.checkAll(emails);
  const wrong = emails.filter((email) => found.get(email)?.state !== virtual.world.truth(email).state);
  return { wrong, tookMs: virtual.world.clock.now() - startMs, total: virtual.world.seen.total };
}

test.each([
  1, 3,
])('a host that takes %i connections is asked over as many, and turns away few', async (limit) => {
  const { wrong, tookMs, total } = await run({ connectionsPerSource: limit }, 500);
  expect(wrong).toEqual([]);
  // Those that were on their way when the first was turned away.
  expect(total.given421).toBeLessThanOrEqual(10);
  expect(tookMs).toBeLessThan(MINUTE_MS);
});

test('a host that takes thirty connections a minute gets about as many, and no address is given up for it', async () => {
  const { wrong, tookMs, total } = await run({ connectionsPerMinute: 30 }, 3_000);
  expect(wrong).toEqual([]);
  expect(total.given421).toBeLessThan(total.connections / 10);
  expect(tookMs).toBeLessThan((total.connections / 30) * MINUTE_MS * 2);
});

test.each([
  '',
  'probe@probe.example.org',
])('a host that answers a hundred recipients a minute is asked about as many (%s)', async (mailFrom) => {
  const { wrong, tookMs, total } = await run({ recipientsPerMinute: 100 }, 1_000, mailFrom);
  expect(wrong).toEqual([]);
  expect(total.deferrals).toBeLessThan(100);
  expect(tookMs).toBeLessThan(15 * MINUTE_MS);
});

test('one mailbox that gets too much mail does not slow its host', async () => {
  const text = '450 4.2.1 The user you are trying to contact is receiving mail too quickly';
  const virtual = virtualChecker(
    {
      domains: {
        'a.example': {
          host: { replyDelayMs: 20, at: { rcpt: { reply: text, after: 3, times: 1 } } },
          mailboxes: { share: 1 },
        },
      },
    },
    { retrySeconds: [5] },
  );
  const startMs = virtual.world.clock.now();
  const found = await virtual.checkAll(people(1_000));
  expect(new Set([...found.values()].map(verdictOf))).toEqual(new Set(['deliverable accepted_email']));
  expect(virtual.world.clock.now() - startMs).toBeLessThan(MINUTE_MS);
});

test('a less preferred MX host is asked when the better one has enough of us, as mail would be', async () => {
  const virtual = virtualChecker({
    hosts: {
      'mx1.example': { at: { banner: { reply: '421 4.3.2 Too busy', next: 'drop' } } },
      'mx2.example': {},
    },
    domains: { 'a.example': TWO_MX_HOSTS },
  });
  const finding = await virtual.check('anna@a.example');
  expect([verdictOf(finding), finding.mx]).toEqual(['deliverable accepted_email', 'mx2.example']);
});
