// Hosts that many domains share, as Google's and Microsoft's: what one domain's policy says there is kept to that domain.
import { expect, test } from 'vitest';
import { asked, verdictOf, virtualChecker } from './virtual-checker.ts';

const OURS = 'probe@probe.example.org';
const HOUR_MS = 3_600_000;
const TENANTS = Array.from({ length: 20 }, (_, i) => `tenant${i}.example`);

/** One MX address for twenty domains, of which `strict.example` refuses our sender by its own policy, at RCPT. */
function sharedHost() {
  const tenant = { mx: ['mx.shared.example'], mailboxes: { share: 1 } };
  const domains = Object.fromEntries(TENANTS.map((name) => [name, tenant]));
  const strict = { ...tenant, senders: 'null_only' } as const;
  const virtual = virtualChecker(
    {
      domains: { ...domains, 'strict.example': strict },
      hosts: { 'mx.shared.example': { replyDelayMs: 20 } },
    },
    { mailFrom: OURS },
  );
  const sendersOf = (email: string) => virtual.world.seen.asks.get(email)?.map(({ sender }) => sender);
  return { virtual, sendersOf };
}

test('a sender that one domain refuses is refused by that domain alone', async () => {
  const { virtual, sendersOf } = sharedHost();
  expect(verdictOf(await virtual.check('p1@strict.example'))).toBe('deliverable accepted_email');
  expect(sendersOf('p1@strict.example')).toEqual([OURS, '']);
  const others = TENANTS.flatMap((name) => [`p1@${name}`, `p2@${name}`, `p3@${name}`]);
  const found = await virtual.checkAll([...others, 'p2@strict.example']);
  for (const email of others) {
    expect(verdictOf(found.get(email))).toBe('deliverable accepted_email');
    expect(sendersOf(email)).toEqual([OURS]);
  }
  expect(sendersOf('p2@strict.example')).toEqual(['']);
});

test('after an hour the domain is asked with our sender again', async () => {
  const { virtual, sendersOf } = sharedHost();
  await virtual.check('p1@strict.example');
  await virtual.sleep(HOUR_MS);
  await virtual.check('p2@strict.example');
  expect(sendersOf('p2@strict.example')).toEqual([OURS, '']);
});

test('a recipient that refuses our sender speaks for itself, where others of its domain were accepted from it', async () => {
  const reply = '550 5.7.1 Sender address rejected: this group takes mail from its members only';
  const host = { at: { rcpt: { reply, afterAll: 2, times: 1 } } };
  const virtual = virtualChecker(
    { domains: { 'a.example': { host, mailboxes: { share: 1 } } } },
    { mailFrom: OURS },
  );
  // The first is asked about together with the catch-all probe.
  for (const local of ['p1', 'p2', 'p3']) await virtual.check(`${local}@a.example`);
  const sendersOf = (local: string) =>
    virtual.world.seen.asks.get(`${local}@a.example`)?.map(({ sender }) => sender);
  expect(sendersOf('p2')).toEqual([OURS, '']);
  expect(sendersOf('p3')).toEqual([OURS]);
});

/** Tenants of Microsoft 365 at one address, as it names them: only the first has lapsed. */
const MICROSOFT = 'tenants.mail.protection.outlook.com';
const LAPSED = 'unknown unavailable_smtp tenant_lapsed';
const told = (finding: { state: string; reason: string; detail: string } | undefined) =>
  `${finding?.state} ${finding?.reason} ${finding?.detail}`;
const lapsedTenants = (mx: readonly string[] = [MICROSOFT]) =>
  virtualChecker({
    domains: {
      'lapsed.example': { mx, lapsed: true },
      'paid.example': { mx, mailboxes: { share: 1 } },
    },
    hosts: { [MICROSOFT]: { wording: 'microsoft', replyDelayMs: 20 }, 'mx.own.example': {} },
  });
const p = (count: number, domain: string) => Array.from({ length: count }, (_, i) => `p${i}@${domain}`);

test('a lapsed tenant is asked about no more than once an address, and its neighbours as ever', async () => {
  const virtual = lapsedTenants();
  const [lapsed, paid] = [p(300, 'lapsed.example'), p(20, 'paid.example')];
  const found = await virtual.checkAll([...lapsed, ...paid]);
  for (const email of lapsed) expect(told(found.get(email))).toBe(LAPSED);
  for (const email of paid) expect(told(found.get(email))).toBe('deliverable accepted_email accepted');
  const asks = lapsed.map((email) => asked(virtual, email));
  expect(Math.max(...asks)).toBe(1);
  // Those that were on the wire when the first answer came.
  expect(asks.filter((times) => times > 0).length).toBeLessThan(60);
  expect(found.get('p299@lapsed.example')?.evidence).toMatchObject({ meaning: 'tenant_lapsed', attempts: 0 });
});

test('once it is known, no address of a lapsed tenant is asked about for an hour, then again', async () => {
  const virtual = lapsedTenants();
  expect(told(await virtual.check('p1@lapsed.example'))).toBe(LAPSED);
  expect(told(await virtual.check('p2@lapsed.example'))).toBe(LAPSED);
  expect(asked(virtual, 'p2@lapsed.example')).toBe(0);
  await virtual.sleep(HOUR_MS);
  expect(told(await virtual.check('p2@lapsed.example'))).toBe(LAPSED);
  expect(asked(virtual, 'p2@lapsed.example')).toBe(1);
});

test('where another host of the domain is not the same provider’s, each address is asked about', async () => {
  const virtual = lapsedTenants([MICROSOFT, 'mx.own.example']);
  await virtual.check('p1@lapsed.example');
  expect(told(await virtual.check('p2@lapsed.example'))).toBe(LAPSED);
  expect(asked(virtual, 'p2@lapsed.example')).toBe(1);
});
