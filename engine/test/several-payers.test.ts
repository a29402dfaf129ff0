// What one account learns about hosts that a stranger may own is not held against the others (ADR 0083). Each test is an attack:
// A asks what the attacker has laid out, B asks its own beside it or after it.
import { expect, test } from 'vitest';
import type { DomainSpec, HostSpec, WorldSpec } from '../../world/src/spec.ts';
import { parsePolicy } from '../src/policy/parse-policy.ts';
import type { Outcome, Question } from '../src/types.ts';
import { type VirtualRig, virtualChecker } from './virtual-checker.ts';

const A = 1;
const B = 2;
const LISTED = '554 5.7.1 Service unavailable; client host [127.0.0.2] blocked using zen.example';
const MINUTE_MS = 60_000;

const of = (domain: string, count: number, name = 'p'): Question[] =>
  Array.from({ length: count }, (_, i) => ({ email: `${name}${i}@${domain}` }));

function severalPayers(spec: WorldSpec, policy: object = {}): VirtualRig {
  const parsed = parsePolicy(policy);
  if (!parsed.ok) throw new Error(parsed.why);
  const virtual = virtualChecker(spec, { policy: parsed.policy });
  virtual.checker.hasSeveralPayers = true;
  return virtual;
}

/** One round of an account; how each question ended, and how long it took. */
async function round(virtual: VirtualRig, account: number, questions: readonly Question[], single = false) {
  const begunMs = virtual.world.clock.now();
  const outcomes: Outcome[] = [];
  const priority = single ? 'single' : 'list';
  const onOutcome = (index: number, outcome: Outcome) => {
    outcomes[index] = outcome;
  };
  await virtual.world.run(virtual.checker.ask(questions, { account, priority, onOutcome }));
  return { kinds: tally(outcomes), tookMs: virtual.world.clock.now() - begunMs };
}

function tally(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of outcomes) {
    const word = one.kind === 'final' ? one.finding.state : one.kind;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

/** Domains of `mailboxes` at hosts under one provider's name. */
function tenants(
  count: number,
  below: string,
  host: HostSpec,
  domain: Partial<DomainSpec> = {},
  name = 'bad',
): { readonly hosts: Record<string, HostSpec>; readonly domains: Record<string, DomainSpec> } {
  const each = Array.from({ length: count }, (_, i) => i);
  return {
    hosts: Object.fromEntries(each.map((i) => [`${name}${i}.${below}`, host])),
    domains: Object.fromEntries(
      each.map((i) => [
        `${name}${i}.example`,
        { mx: [`${name}${i}.${below}`], mailboxes: { share: 1 }, ...domain },
      ]),
    ),
  };
}

const merge = (...parts: readonly { readonly hosts: object; readonly domains: object }[]): WorldSpec =>
  ({
    hosts: Object.assign({}, ...parts.map(({ hosts }) => hosts)),
    domains: Object.assign({}, ...parts.map(({ domains }) => domains)),
  }) as WorldSpec;

const asked = (prefix: string, domains: number) =>
  Array.from({ length: domains }, (_, i) => of(`${prefix}${i}.example`, 4)).flat();

test.each([
  ['machines of customers, named by their hoster', 'your-server.de', { at: { banner: { reply: LISTED } } }],
  ['machines of customers, named by their access company', 'rr.com', { at: { banner: { reply: LISTED } } }],
  ['hosts of tenants that block us', 'mail.protection.outlook.com', { at: { banner: { reply: LISTED } } }],
])('%s silence no provider for others', async (_what, below, host) => {
  const good = tenants(10, below, {}, {}, 'good');
  const virtual = severalPayers(merge(tenants(10, below, host), good));
  const alone = severalPayers(merge(good));
  await round(virtual, A, asked('bad', 10));
  const attacked = await round(virtual, B, asked('good', 10));
  const untouched = await round(alone, B, asked('good', 10));
  expect(attacked.kinds).toEqual({ deliverable: 40 });
  expect(attacked.tookMs).toBeLessThanOrEqual(3 * untouched.tookMs);
});

test.each([
  ['their hoster, which is not asked less', 'your-server.de', { deliverable: 40 }],
  ['Microsoft 365, which is', 'mail.protection.outlook.com', { later: 40 }],
])('machines that block the only account there is are named by %s', async (_what, below, kinds) => {
  const good = tenants(10, below, {}, {}, 'good');
  const virtual = severalPayers(merge(tenants(10, below, { at: { banner: { reply: LISTED } } }), good));
  virtual.checker.hasSeveralPayers = false;
  await round(virtual, A, asked('bad', 10));
  expect((await round(virtual, A, asked('good', 10))).kinds).toEqual(kinds);
});

/** Ten domains at one shared host of Microsoft 365, of which the first so many have a block list of their own. */
function sharedHost(blocking: number): WorldSpec {
  const host = 'shared.mail.protection.outlook.com';
  const domains: Record<string, DomainSpec> = {};
  for (let i = 0; i < 10; i += 1) {
    const own = i < blocking ? { everyRcpt: LISTED } : {};
    domains[`t${i}.example`] = { mx: [host], mailboxes: { share: 1 }, ...own };
  }
  return { hosts: { [host]: {} }, domains };
}

test('one tenant that blocks us rests itself, and no other of its host, also of the same payer', async () => {
  const virtual = severalPayers(sharedHost(1));
  const own = await round(virtual, A, of('t0.example', 40));
  expect(own.kinds.later).toBeGreaterThan(10);
  for (const account of [A, B])
    expect((await round(virtual, account, of('t5.example', 20))).kinds).toEqual({ deliverable: 20 });
  const again = await round(virtual, B, of('t0.example', 20, 'q'));
  expect(again.kinds).toEqual({ later: 20 });
  expect([...virtual.world.seen.asks.keys()].filter((email) => email.startsWith('q'))).toEqual([]);
});

test('several tenants that block one payer rest that payer, and no other', async () => {
  const virtual = severalPayers(sharedHost(3));
  await round(
    virtual,
    A,
    [0, 1, 2].flatMap((i) => of(`t${i}.example`, 2)),
  );
  expect((await round(virtual, A, of('t5.example', 4, 'held'))).kinds).toEqual({ later: 4 });
  expect((await round(virtual, B, of('t5.example', 20))).kinds).toEqual({ deliverable: 20 });
});

test('what several payers were told of several domains keeps everyone out', async () => {
  const virtual = severalPayers(sharedHost(5));
  await round(
    virtual,
    A,
    [0, 1, 2].flatMap((i) => of(`t${i}.example`, 2)),
  );
  await round(
    virtual,
    B,
    [3, 4].flatMap((i) => of(`t${i}.example`, 2)),
  );
  for (const account of [A, B, 3])
    expect((await round(virtual, account, of('t9.example', 4))).kinds).toEqual({ later: 4 });
});

test('one payer alone protects its source as soon as ever: there is no other', async () => {
  const virtual = severalPayers(sharedHost(3));
  virtual.checker.hasSeveralPayers = false;
  await round(
    virtual,
    A,
    [0, 1, 2].flatMap((i) => of(`t${i}.example`, 2)),
  );
  expect((await round(virtual, A, of('t5.example', 4))).kinds).toEqual({ later: 4 });
  expect(virtual.log.filter(({ event }) => event === 'source_blocked')).toHaveLength(1);
});

test('what one payer rests at ends after a while, by one session that tries', async () => {
  const virtual = severalPayers(sharedHost(1));
  await round(virtual, A, of('t0.example', 40));
  const before = virtual.world.seen.asks.size;
  await virtual.sleep(16 * MINUTE_MS);
  await round(virtual, A, of('t0.example', 40, 'again'));
  const tried = virtual.world.seen.asks.size - before;
  expect(tried).toBeGreaterThan(0);
  expect(tried).toBeLessThan(30);
});

test('a host that says "later" holds up itself, and its provider only when others say so too', async () => {
  const later = '421 4.7.0 Too many connections, try again in 60 minutes';
  const below = 'mail.protection.outlook.com';
  const good = tenants(10, below, {}, {}, 'good');
  const bad = tenants(1, below, { at: { banner: { reply: later, next: 'drop' } } });
  const virtual = severalPayers(merge(bad, good));
  const alone = severalPayers(merge(good));
  await round(virtual, A, asked('bad', 1));
  const attacked = await round(virtual, B, asked('good', 10));
  expect(attacked.kinds).toEqual({ deliverable: 40 });
  expect(attacked.tookMs).toBeLessThanOrEqual(3 * (await round(alone, B, asked('good', 10))).tookMs);
});

const REFUSING = {
  everyone: { refusalsInARow: 30, refusingRecipientsPerMinute: 6, refusingConnectionsPerMinute: 4 },
};

/** Domains of A's that lead to the address of a host that others use. */
function ledAstray(): WorldSpec {
  const domains: Record<string, DomainSpec> = {
    'victim.example': { host: { replyDelayMs: 20 }, mailboxes: { share: 1 } },
  };
  for (let i = 0; i < 200; i += 1) {
    domains[`d${i}.example`] = { mx: [`mx.d${i}.example`] };
    domains[`mx.d${i}.example`] = { cname: 'mx.victim.example' };
  }
  return { domains };
}

test('who makes a host refuse hundreds leaves room there for those it does not refuse', async () => {
  const led = Array.from({ length: 200 }, (_, i) => ({ email: `anna@d${i}.example` }));
  const virtual = severalPayers(ledAstray(), REFUSING);
  const alone = severalPayers(ledAstray(), REFUSING);
  const attack = await round(virtual, A, led);
  expect(attack.kinds.later).toBeGreaterThan(100);
  // More of A's wait in the same queue while B comes.
  const more = round(virtual, A, led.slice(100));
  const single = await round(virtual, B, of('victim.example', 1, 'p9'), true);
  expect(single.kinds).toEqual({ deliverable: 1 });
  const list = await round(virtual, B, of('victim.example', 200));
  await more;
  expect(list.kinds).toEqual({ deliverable: 200 });
  const untouched = await round(alone, B, of('victim.example', 200));
  expect(single.tookMs + list.tookMs).toBeLessThanOrEqual(3 * untouched.tookMs);
});

test('what is accepted of others does not free the one that was refused', async () => {
  const led = Array.from({ length: 200 }, (_, i) => ({ email: `anna@d${i}.example` }));
  const virtual = severalPayers(ledAstray(), REFUSING);
  await round(virtual, A, led.slice(0, 100));
  await virtual.sleep(2 * MINUTE_MS);
  await round(virtual, B, of('victim.example', 20));
  const before = virtual.world.seen.asks.size;
  await round(virtual, A, led.slice(100));
  expect(virtual.world.seen.asks.size - before).toBeLessThanOrEqual(6);
});
