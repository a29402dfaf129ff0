// Hosts that many domains share, as Google's and Microsoft's: what one domain's policy says there is kept to that domain.
import { expect, test } from 'vitest';
import { verdictOf, virtualChecker } from './virtual-checker.ts';

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
