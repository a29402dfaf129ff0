// A host that bears no error at all.
import { expect, test } from 'vitest';
import { virtualChecker } from './virtual-checker.ts';

const ONE_ERROR = { softErrors: 1, softErrorDelayMs: 0, hardErrors: 1 };
const WITHIN_MS = 30_000;

test.each([
  { pipelining: 'offered' as const, mailFrom: '' },
  { pipelining: 'offered' as const, mailFrom: 'probe@probe.example.org' },
  { pipelining: 'none' as const, mailFrom: '' },
])('a host that hangs up at the first error is asked until that error, without pauses: %j', async (how) => {
  for (const share of [0.9, 0.1]) {
    const host = { replyDelayMs: 20, limits: ONE_ERROR, pipelining: how.pipelining };
    const virtual = virtualChecker(
      { domains: { 'a.example': { host, mailboxes: { share } } } },
      { mailFrom: how.mailFrom },
    );
    const emails = Array.from({ length: 300 }, (_, i) => `p${i}@a.example`);
    const startMs = virtual.world.clock.now();
    const found = await virtual.checkAll(emails);
    for (const email of emails) expect(found.get(email)?.state).toBe(virtual.world.truth(email).state);
    // Simulated time: one pause when it is first met, none for each of hundreds of goodbyes.
    expect(virtual.world.clock.now() - startMs).toBeLessThan(WITHIN_MS);
    const unknown = emails.filter((email) => virtual.world.truth(email).state === 'undeliverable').length;
    const { connections } = virtual.world.seen.total;
    // An accepted recipient does not end a session.
    expect(connections).toBeLessThan(unknown * 1.5 + 30);
  }
});

test('a host that knows no EHLO and hangs up at the second error is asked, not just dialled again and again', async () => {
  const host = {
    replyDelayMs: 20,
    heloOnly: true,
    pipelining: 'none' as const,
    limits: { softErrors: 2, softErrorDelayMs: 0, hardErrors: 2 },
  };
  const virtual = virtualChecker({ domains: { 'a.example': { host, mailboxes: ['anna'] } } });
  const emails = ['anna', 'ben', 'carl', 'dora'].map((local) => `${local}@a.example`);
  const found = await virtual.checkAll(emails);
  for (const email of emails) expect(found.get(email)?.state).toBe(virtual.world.truth(email).state);
  expect(virtual.world.seen.total.connections).toBeLessThan(20);
});
