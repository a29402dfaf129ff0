// What a zone gets that strangers' MX records name: anyone can write any host of anyone into them.
import { expect, test } from 'vitest';
import type { DomainSpec, HostSpec, NameSpec, WorldSpec } from '../../world/src/spec.ts';
import { parsePolicy } from '../src/policy/parse-policy.ts';
import type { Resolver } from '../src/ports.ts';
import type { Outcome } from '../src/types.ts';
import { type VirtualRig, verdictOf, virtualChecker } from './virtual-checker.ts';

const PER_MINUTE = 40;
const MINUTE_MS = 60_000;
const DOMAINS = 60;
const ATTACKER = 1;
const ORDINARY = 2;
const VICTIM = '.victim.example';

function policy() {
  const parsed = parsePolicy({ missingQuestionsPerMinute: PER_MINUTE });
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
}

/** Twelve hosts each that are not there. */
function attack(more: WorldSpec = { domains: {} }): WorldSpec {
  const domains: Record<string, DomainSpec> = { 'victim.example': { host: {}, mailboxes: ['anna'] } };
  for (let i = 0; i < DOMAINS; i += 1)
    domains[`d${i}.example`] = { mx: Array.from({ length: 12 }, (_, at) => `r${at}x${i}${VICTIM}`) };
  return { ...more, domains: { ...domains, ...more.domains }, dns: { latencyMs: 20 } };
}

const attackers = Array.from({ length: DOMAINS }, (_, i) => `anna@d${i}.example`);

interface Asked {
  readonly name: string;
  readonly atMs: number;
}

/** With every question about an address, and when it was asked. */
function attacked(spec: WorldSpec = attack(), limits = policy()) {
  const asked: Asked[] = [];
  const noted = (name: string) => asked.push({ name, atMs: virtual.world.clock.now() });
  const resolver: Resolver = {
    mx: (name) => virtual.world.resolver.mx(name),
    a: (name) => {
      noted(name);
      return virtual.world.resolver.a(name);
    },
    aaaa: (name) => {
      noted(name);
      return virtual.world.resolver.aaaa(name);
    },
  };
  const virtual: VirtualRig = virtualChecker(spec, { policy: limits, resolver });
  return { virtual, asked, victims: () => asked.filter(({ name }) => name.endsWith(VICTIM)) };
}

function ask(virtual: VirtualRig, emails: readonly string[], account: number) {
  const outcomes: Outcome[] = [];
  const over = virtual.checker.ask(
    emails.map((email) => ({ email })),
    { account, onOutcome: (index, outcome) => (outcomes[index] = outcome) },
  );
  return { outcomes, over };
}

/** The most within any minute. */
function mostAMinute(all: readonly Asked[]): number {
  const within = (from: number) => all.filter(({ atMs }) => atMs >= from && atMs < from + MINUTE_MS).length;
  return Math.max(0, ...all.map(({ atMs }) => within(atMs)));
}

test('a zone is asked a bounded number of questions a minute about names that are not there', async () => {
  const { virtual, victims } = attacked();
  const found = await virtual.checkAll(attackers);
  expect(victims().length).toBeGreaterThan(PER_MINUTE);
  expect(mostAMinute(victims())).toBeLessThanOrEqual(PER_MINUTE);
  // Some were asked about in time, twice over; the others are not called missing.
  const ends = new Set([...found.values()].map((one) => `${verdictOf(one)} ${one.detail}`));
  ends.delete('undeliverable invalid_domain no_mx');
  expect([...ends]).toEqual(['unknown dns_error dns_failed']);
});

test('aliases in zones of their own that lead to one zone are smoothed once an account has had a few of them', async () => {
  const PER_MINUTE_OF_ALIASES = 600;
  const parsed = parsePolicy({ missingQuestionsPerMinute: PER_MINUTE_OF_ALIASES });
  if (!parsed.ok) throw new Error(parsed.why);
  const domains: Record<string, DomainSpec> = { 'honest.example': { host: {}, mailboxes: ['anna'] } };
  const names: Record<string, NameSpec> = {};
  for (let i = 0; i < 1_000; i += 1) {
    const hosts = Array.from({ length: 12 }, (_, at) => `mx${at}.d${i}.example`);
    domains[`d${i}.example`] = { mx: hosts };
    for (const [at, host] of hosts.entries()) names[host] = { cname: `r${at}x${i}${VICTIM}` };
  }
  const { virtual, asked } = attacked({ domains, names, dns: { latencyMs: 5 } }, parsed.policy);
  const emails = Array.from({ length: 1_000 }, (_, i) => `anna@d${i}.example`);
  void ask(virtual, emails, ATTACKER);
  await virtual.sleep(MINUTE_MS - 1);
  // What is in flight before the first answer shows where they lead (100 lookups, four hosts each), then the rate.
  expect(asked.length).toBeLessThanOrEqual(100 * 4 * 2 + PER_MINUTE_OF_ALIASES);
  const { outcomes, over } = ask(virtual, ['anna@honest.example'], ORDINARY);
  const begunMs = virtual.world.clock.now();
  await virtual.world.run(over);
  expect(outcomes[0]).toMatchObject({ kind: 'final', finding: { state: 'deliverable' } });
  expect(virtual.world.clock.now() - begunMs).toBeLessThan(MINUTE_MS / 4);
  await virtual.world.run(virtual.checker.close());
});

test('names that are there are asked about at once, however many, and beside those that are not', async () => {
  const tenants = Array.from({ length: 500 }, (_, i) => `t${i}.example`);
  const hosts: Record<string, HostSpec> = {};
  const domains: Record<string, DomainSpec> = {};
  for (const name of tenants) {
    hosts[`${name.replace('.', '-')}.mail${VICTIM}`] = {};
    domains[name] = { mx: [`${name.replace('.', '-')}.mail${VICTIM}`], mailboxes: ['anna'] };
  }
  const spec = attack({ domains, hosts });
  const tookMs = async (isAttacked: boolean) => {
    const { virtual } = attacked(spec);
    if (isAttacked) void ask(virtual, attackers, ATTACKER);
    await virtual.sleep(5_000);
    const begunMs = virtual.world.clock.now();
    const { outcomes, over } = ask(
      virtual,
      tenants.map((name) => `anna@${name}`),
      ORDINARY,
    );
    await virtual.world.run(over);
    const tookMs = virtual.world.clock.now() - begunMs;
    expect(outcomes.every((one) => one.kind === 'final' && one.finding.state === 'deliverable')).toBe(true);
    await virtual.world.run(virtual.checker.close());
    return tookMs;
  };
  expect(await tookMs(false)).toBeLessThan(MINUTE_MS / 4);
  // A place in ten is kept for those who have fewer than others.
  expect(await tookMs(true)).toBeLessThan(MINUTE_MS / 2);
});

test('of a domain whose first four hosts are not there the others are asked about one at a time, and found', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `h${String(at).padStart(2, '0')}${VICTIM}`);
  const { virtual, victims } = attacked(
    attack({ domains: { 'late.example': { mx: names, mailboxes: ['anna'] } }, hosts: { [names[8]!]: {} } }),
  );
  expect(verdictOf(await virtual.check('anna@late.example'))).toBe('deliverable accepted_email');
  const moments = names.map((name) => victims().find((one) => one.name === name)?.atMs);
  expect(new Set(moments.slice(0, 4)).size).toBe(1);
  expect(new Set(moments).size).toBe(9);
});

test('names below the domain itself are its own affair', async () => {
  const own = Array.from({ length: 40 }, (_, i) => `own${i}.example`);
  const { virtual } = attacked(
    attack({ domains: Object.fromEntries(own.map((name) => [name, { mx: [`gone.${name}`] }])) }),
  );
  const { outcomes, over } = ask(
    virtual,
    own.map((name) => `anna@${name}`),
    ORDINARY,
  );
  const begunMs = virtual.world.clock.now();
  await virtual.world.run(over);
  expect(outcomes.every(({ kind }) => kind === 'final')).toBe(true);
  expect(virtual.world.clock.now() - begunMs).toBeLessThan(MINUTE_MS / 2);
});

test('waiting() says what its addresses wait for', async () => {
  const { virtual } = attacked();
  void ask(virtual, attackers, ATTACKER);
  await virtual.sleep(10_000);
  const held = virtual.checker.waiting().filter(({ why }) => why === 'dns_failed');
  expect(held.reduce((sum, { addresses }) => sum + addresses, 0)).toBeGreaterThan(DOMAINS / 2);
  await virtual.world.run(virtual.checker.close());
});
