// What an observer is told of the wire: every reply that counts, by source and provider, and no address.
import { expect, test } from 'vitest';
import type { WorldSpec } from '../../world/src/spec.ts';
import type { WireObserver } from '../src/ports.ts';
import { catchAllProbes, virtualChecker } from './virtual-checker.ts';

const SOURCES = ['127.0.0.2', '127.0.0.3'].map((ip) => ({ ip, heloName: 'probe.example.org' }));

/** Counts by `source provider what`, and the replies of refusals. */
function counting() {
  const counts: Record<string, number> = {};
  const replies: string[] = [];
  const count = (source: string | null, provider: string, what: string) => {
    const key = `${source} ${provider} ${what}`;
    counts[key] = (counts[key] ?? 0) + 1;
  };
  const observer: WireObserver = {
    session: ({ source, provider }, end) => count(source, provider, `session ${end}`),
    recipient: ({ source, provider }, outcome) => count(source, provider, outcome),
    refusal: ({ source, provider }, kind, reply) => {
      count(source, provider, `refusal ${kind}`);
      replies.push(reply);
    },
  };
  const sum = (...outcomes: readonly string[]) =>
    Object.entries(counts).reduce(
      (total, [key, n]) => total + (outcomes.includes(key.split(' ').slice(2).join(' ')) ? n : 0),
      0,
    );
  return { counts, replies, observer, sum };
}

const RECIPIENTS = ['accepted', 'unknown', 'deferred', 'refused', 'other'];

test('as many recipients are told as the world was asked about, each with what came of it', async () => {
  const google = { mx: ['aspmx.l.google.com'], mailboxes: ['anna', 'ben'] } as const;
  const spec: WorldSpec = {
    hosts: { 'aspmx.l.google.com': {} },
    domains: {
      'a.example': google,
      'b.example': google,
      'c.example': { mailboxes: ['anna'], host: {} },
      'e.example': { mailboxes: ['anna'], host: {} },
      'd.example': { mailboxes: ['anna'], host: { greylist: { delayMs: 30_000 } } },
    },
  };
  const { counts, observer, sum } = counting();
  const virtual = virtualChecker(spec, { sources: SOURCES, observer });
  const emails = ['a', 'b', 'c', 'd'].flatMap((label) =>
    ['anna', 'ben', 'carl', 'dora'].map((name) => `${name}@${label}.example`),
  );
  // The probe is the only unknown recipient there.
  emails.push('anna@e.example');
  await virtual.checkAll(emails);
  await virtual.checker.close(0);
  const { total } = virtual.world.seen;
  expect(sum(...RECIPIENTS)).toBe(total.rcpts);
  expect(sum('accepted')).toBe(total.accepted);
  // Of a probe it says nothing that its name does not exist.
  const probes = catchAllProbes(virtual, emails).length;
  expect(probes).toBeGreaterThan(0);
  expect(sum('unknown')).toBe(2 * 2 + 3 + 3);
  expect(sum('deferred')).toBe(total.deferrals);
  expect(sum('deferred')).toBeGreaterThanOrEqual(4);
  expect(sum('session answered')).toBe(total.connections);
  for (const [email, asks] of virtual.world.seen.asks) {
    const provider = email.endsWith('@a.example') || email.endsWith('@b.example') ? 'google' : 'other';
    for (const { source } of asks)
      expect(Object.keys(counts).some((key) => key.startsWith(`${source} ${provider} `))).toBe(true);
  }
});

test.each([
  ['banner', { reply: '554 5.7.1 [127.0.0.2] blocked using zen.spamhaus.org' }, 'block', 'refused', 0],
  ['ehlo', { reply: '550 5.7.25 no PTR record, told to ben@b.example' }, 'ptr', 'refused', 0],
  ['mail', { reply: '550 5.7.1 Rejected per DMARC policy of ben@b.example' }, 'policy', 'refused', 0],
  ['mail', { reply: '421 4.7.0 [TSS04] Messages temporarily deferred', next: 'drop' }, 'rate', 'refused', 0],
  ['rcpt', { reply: '550 Client is listed on the RBL, write to ops@b.example' }, 'block', 'answered', 1],
] as const)('a refusal at %s is told with its kind and without an address: %o', async (stage, fault, kind, end, recipients) => {
  const { counts, replies, observer, sum } = counting();
  const virtual = virtualChecker(
    {
      domains: { 'a.example': { mailboxes: ['anna'], mx: ['mta5.am0.yahoodns.net'] } },
      hosts: { 'mta5.am0.yahoodns.net': { at: { [stage]: fault } } },
    },
    { observer, retrySeconds: [] },
  );
  await virtual.check('anna@a.example');
  await virtual.checker.close(0);
  expect(counts[`null yahoo refusal ${kind}`]).toBeGreaterThanOrEqual(1);
  expect(Object.keys(counts).filter((key) => key.includes(' refusal '))).toEqual([
    `null yahoo refusal ${kind}`,
  ]);
  expect(counts[`null yahoo session ${end}`]).toBe(virtual.world.seen.total.connections);
  expect(sum(...RECIPIENTS)).toBe(recipients === 0 ? 0 : virtual.world.seen.total.rcpts);
  expect(replies.join(' ')).not.toMatch(/@/);
  expect(replies[0]).toContain(fault.reply.slice(0, 3));
});

test('what sounds like a block beside answers about others is no refusal of ours', async () => {
  const { counts, observer } = counting();
  const virtual = virtualChecker(
    {
      domains: {
        'a.example': {
          mailboxes: ['anna'],
          host: { at: { rcpt: { reply: '550 5.7.1 blocked using zen.example', times: 1 } } },
        },
      },
    },
    { observer, retrySeconds: [], mailFrom: 'p@b.example' },
  );
  await virtual.checkAll(['anna@a.example', 'ben@a.example', 'carl@a.example']);
  expect(Object.keys(counts).filter((key) => key.includes('refus'))).toEqual([]);
});

test('a host that cannot be reached is a session that failed', async () => {
  const { counts, observer } = counting();
  const virtual = virtualChecker(
    { domains: { 'a.example': { mailboxes: ['anna'], host: { down: true } } } },
    { observer, retrySeconds: [] },
  );
  await virtual.check('anna@a.example');
  expect(Object.keys(counts)).toEqual(['null other session failed']);
});
