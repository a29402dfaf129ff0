// What is learnt of a domain: catch-all, refuse-all, and for how long.
import { describe, expect, test } from 'vitest';
import type { Mailboxes } from '../../world/src/spec.ts';
import { HOST_ACCEPTS_ALL } from '../src/check/finding.ts';
import { CATCH_ALL_RULES } from '../src/check/unasked.ts';
import type { Finding } from '../src/types.ts';
import { asked, catchAllProbes, verdictOf, virtualChecker } from './virtual-checker.ts';

const HOUR_MS = 3_600_000;

test('a domain gets one catch-all probe for a hundred addresses, after a real recipient', async () => {
  const emails = Array.from({ length: 100 }, (_, i) => `p${i}@a.example`);
  const virtual = virtualChecker({ domains: { 'a.example': { host: {}, mailboxes: { share: 0.8 } } } });
  const found = await virtual.checkAll(emails);
  for (const email of emails) expect(found.get(email)?.state).toBe(virtual.world.truth(email).state);
  const order = [...virtual.world.seen.asks.keys()];
  const probes = catchAllProbes(virtual, emails);
  expect(probes).toHaveLength(1);
  expect(order.indexOf(probes[0] ?? '')).toBeGreaterThan(0);
});

test('what is known of a domain is kept for hours and then asked again', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { host: {}, mailboxes: ['anna', 'ben', 'carl'] } },
  });
  const named = ['anna@a.example', 'ben@a.example', 'carl@a.example'];
  await virtual.check('anna@a.example');
  await virtual.sleep(HOUR_MS);
  const ben = await virtual.check('ben@a.example');
  expect(catchAllProbes(virtual, named)).toHaveLength(1);
  const probe = catchAllProbes(virtual, named)[0] ?? '';
  expect(ben.evidence.dialogue.some((line) => line.text.includes(probe))).toBe(true);
  expect(asked(virtual, probe)).toBe(1);
  await virtual.sleep(12 * HOUR_MS);
  await virtual.check('carl@a.example');
  expect(catchAllProbes(virtual, named).reduce((sum, one) => sum + asked(virtual, one), 0)).toBe(2);
});

test('a probe that gets no answer leaves catch-all unknown, not "no"', async () => {
  // The real one is accepted, everything after it in a session meets 451.
  const virtual = virtualChecker({
    domains: {
      'a.example': {
        host: { at: { rcpt: { reply: '451 4.3.0 try later', after: 1 } } },
        mailboxes: ['anna'],
      },
    },
  });
  const anna = await virtual.check('anna@a.example');
  // Asked again in its own session, where it comes first, the probe is answered.
  expect(verdictOf(anna)).toBe('deliverable accepted_email');
});

test('a probe that missed twice is asked again when its addresses come back, even while others are queued', async () => {
  // Five recipients a minute: the first rounds end in deferrals, the probe's among them.
  const virtual = virtualChecker(
    {
      domains: {
        'a.example': { host: { limits: { recipientsPerMinute: 5 } }, mailboxes: { share: 1 } },
      },
    },
    { retrySeconds: [60, 60, 60, 60, 60, 60] },
  );
  const emails = Array.from({ length: 12 }, (_, i) => `p${i}@a.example`);
  const found = await virtual.checkAll(emails);
  expect([...found.values()].map(verdictOf)).toEqual(emails.map(() => 'deliverable accepted_email'));
});

test('catch-all that stays unknown after every retry is risky, and accept_all is not claimed', async () => {
  const virtual = virtualChecker(
    {
      domains: {
        'a.example': {
          host: {},
          mailboxes: { known: ['anna'], tempfail: [], fullForNow: [] },
        },
      },
    },
    { random: () => 0 },
  );
  // With chance switched off the local part of the probe is known beforehand.
  const probe = 'bababa.bababa000000';
  const stubborn = virtualChecker(
    { domains: { 'a.example': { host: {}, mailboxes: { known: ['anna'], tempfail: [probe] } } } },
    { random: () => 0 },
  );
  const anna = await stubborn.check('anna@a.example');
  expect(verdictOf(anna)).toBe('risky low_deliverability');
  expect(anna.acceptAll).toBe(false);
  expect(asked(stubborn, `${probe}@a.example`)).toBeGreaterThan(3);
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('deliverable accepted_email');
});

test('where every recipient is refused alike, postmaster and the catch-all probe included, it says nothing about any of them', async () => {
  const emails = Array.from({ length: 12 }, (_, i) => `p${i}@a.example`);
  const virtual = virtualChecker({
    domains: { 'a.example': { host: {}, mailboxes: { known: ['p1'], refuseAll: true } } },
  });
  const found = await virtual.checkAll(emails);
  expect([...found.values()].map(verdictOf)).toEqual(emails.map(() => 'unknown unavailable_smtp'));
});

test('an unknown mailbox asked alone is rejected, and so are many where postmaster is accepted', async () => {
  const virtual = virtualChecker({ domains: { 'a.example': { host: {}, mailboxes: ['anna'] } } });
  expect(verdictOf(await virtual.check('nobody@a.example'))).toBe('undeliverable rejected_email');
  const emails = Array.from({ length: 12 }, (_, i) => `p${i}@a.example`);
  const found = await virtual.checkAll(emails);
  expect([...found.values()].map(verdictOf)).toEqual(emails.map(() => 'undeliverable rejected_email'));
});

test('one refusal in words that name no mailbox is held against postmaster, unless the provider is known to mean it', async () => {
  const host = { wording: 'microsoft' } as const;
  const shut = virtualChecker({ domains: { 'a.example': { host, mailboxes: { refuseAll: true } } } });
  expect(verdictOf(await shut.check('nobody@a.example'))).toBe('unknown unavailable_smtp');
  const healthy = virtualChecker({ domains: { 'a.example': { host, mailboxes: ['anna'] } } });
  expect(verdictOf(await healthy.check('nobody@a.example'))).toBe('undeliverable rejected_email');
  // Consumer Outlook is a provider of its own, and means it as well.
  for (const below of ['mail', 'olc']) {
    const mxHost = `a-example.${below}.protection.outlook.com`;
    const microsoft = virtualChecker({
      domains: { 'a.example': { mx: [mxHost], mailboxes: { refuseAll: true } } },
      hosts: { [mxHost]: host },
    });
    expect(verdictOf(await microsoft.check('nobody@a.example'))).toBe('undeliverable rejected_email');
  }
});

test('with a key of its own a checker asks about the same catch-all probe as the one before it', async () => {
  const spec = { domains: { 'a.example': { host: {}, mailboxes: ['anna'] } } };
  const probeOf = async (probeKey: string, random: () => number) => {
    const virtual = virtualChecker(spec, { probeKey, random });
    await virtual.check('anna@a.example');
    return catchAllProbes(virtual, ['anna@a.example']);
  };
  const first = await probeOf('a secret', () => 0.1);
  expect(first).toHaveLength(1);
  expect(await probeOf('a secret', () => 0.9)).toEqual(first);
  expect(await probeOf('another secret', () => 0.1)).not.toEqual(first);
});

describe('a host that accepts every recipient of every domain', () => {
  const shared = (everyRcpt?: 'accept') => ({ 'mx.shared.example': everyRcpt ? { everyRcpt } : {} });
  const domains = (names: readonly string[], mailboxes: Mailboxes = {}) =>
    Object.fromEntries(names.map((name) => [name, { mx: ['mx.shared.example'], mailboxes }]));
  const NAMES = ['a.example', 'b.example', 'c.example', 'd.example'];
  /** With chance switched off the local part of the probe is known beforehand. */
  const PROBE = 'bababa.bababa000000';
  const noted = (finding: Finding) => finding.evidence.dialogue.map((line) => line.text).join();

  test('is seen as such once three domains have shown it, and every finding says so', async () => {
    const virtual = virtualChecker({ domains: domains(NAMES), hosts: shared('accept') });
    const rules: string[] = [];
    for (const name of NAMES) {
      const finding = await virtual.check(`anna@${name}`);
      expect(verdictOf(finding)).toBe('risky low_deliverability');
      expect(finding.acceptAll).toBe(true);
      rules.push(finding.evidence.rule);
    }
    expect(rules.map((rule) => rule === CATCH_ALL_RULES.hostAcceptsAll)).toEqual([false, false, true, true]);
    expect(noted(await virtual.check('ben@a.example'))).toContain(HOST_ACCEPTS_ALL);
  });

  test('decides where a domain’s own probe gets no answer, and only there', async () => {
    const three = domains(NAMES.slice(0, 3), { catchAll: true });
    const fourth = domains(['d.example'], { known: ['anna'], tempfail: [PROBE] });
    const virtual = virtualChecker(
      { domains: { ...three, ...fourth }, hosts: shared() },
      { random: () => 0 },
    );
    for (const name of NAMES.slice(0, 3)) await virtual.check(`anna@${name}`);
    const anna = await virtual.check('anna@d.example');
    expect([verdictOf(anna), anna.acceptAll]).toEqual(['risky low_deliverability', true]);
    // The schedule is not waited for.
    expect(anna.evidence.attempts).toBe(1);
  });

  test('is forgotten at its first refusal, and a domain’s own probe always weighs more', async () => {
    const three = domains(NAMES.slice(0, 3), { catchAll: true });
    const others = {
      ...domains(['d.example'], { known: ['anna'] }),
      ...domains(['e.example'], { known: ['anna'], tempfail: [PROBE] }),
    };
    const virtual = virtualChecker(
      { domains: { ...three, ...others }, hosts: shared() },
      { random: () => 0 },
    );
    for (const name of NAMES.slice(0, 3)) await virtual.check(`anna@${name}`);
    expect(verdictOf(await virtual.check('anna@d.example'))).toBe('deliverable accepted_email');
    expect((await virtual.check('anna@e.example')).acceptAll).toBe(false);
    expect((await virtual.check('ben@a.example')).evidence.rule).not.toBe(CATCH_ALL_RULES.hostAcceptsAll);
  });

  test('is not concluded from one owner’s domains at a known provider', async () => {
    const mxHost = 'aspmx.l.google.com';
    const spec = Object.fromEntries(
      NAMES.map((name) => [name, { mx: [mxHost], mailboxes: { catchAll: true } }]),
    );
    const virtual = virtualChecker({ domains: spec, hosts: { [mxHost]: {} } });
    for (const name of NAMES)
      expect((await virtual.check(`anna@${name}`)).evidence.rule).not.toBe(CATCH_ALL_RULES.hostAcceptsAll);
  });
});

test('MX hosts that refuse every recipient, each in words of its own, say nothing about any of them', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { mx: ['mx1.example', 'mx2.example', 'mx3.example'] } },
    hosts: {
      'mx1.example': { everyRcpt: 'refuse' },
      'mx2.example': { everyRcpt: 'refuse', wording: 'exim' },
      'mx3.example': { everyRcpt: 'refuse', wording: 'german' },
    },
  });
  const found = await virtual.checkAll(Array.from({ length: 60 }, (_, i) => `p${i}@a.example`));
  expect(new Set([...found.values()].map(verdictOf))).toEqual(new Set(['unknown unavailable_smtp']));
});
