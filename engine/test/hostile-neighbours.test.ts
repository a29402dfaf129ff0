// Random worlds in which one account asks what an attacker has laid out, and others ask honest hosts beside it: under the same
// providers' names, at the same addresses, through the same DNS. Time is simulated, so that every run is the same.
import { expect, test } from 'vitest';
import type { DomainSpec, HostSpec, WorldSpec } from '../../world/src/spec.ts';
import type { Outcome, Question } from '../src/types.ts';
import { type VirtualRig, virtualChecker } from './virtual-checker.ts';

const WORLDS = Number(process.env.MXPROOF_HOSTILE_WORLDS ?? 40);
/** Beside an attacker an honest list may take so many times as long as beside an honest account that asks as much at the same hosts. */
const FACTOR_FAIR = 2;
/** And so many times as long as alone, and a second: shares of hosts that all of them ask. */
const FACTOR = 3;
const MORE_MS = 1_000;
const HONEST = [2, 3];
const OTHER = 1;
const BELOW = ['mail.protection.outlook.com', 'l.google.com', 'your-server.de', 'rr.com', 'pphosted.com'];
const LISTED = '554 5.7.1 Service unavailable; client host blocked using zen.example';

const HOSTILE: readonly HostSpec[] = [
  { at: { banner: { reply: LISTED } } },
  { at: { banner: { reply: '421 4.7.0 Too many connections, try again in 60 minutes', next: 'drop' } } },
  { at: { rcpt: { reply: '550 5.7.1 Client host blocked using Spamhaus', next: 'drop' } } },
  { at: { rcpt: { reply: '450 4.7.1 Too many recipients, slow down' } } },
  { at: { banner: { next: 'silent' } } },
  { at: { mail: { reply: LISTED } } },
  { down: true },
  { replyDelayMs: 5_000 },
];

function chance(seed: number): (below: number) => number {
  let state = seed * 7_919 + 12_345;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Of the account beside the honest ones. */
type Beside = 'no one' | 'an honest account' | 'an attacker';

/** What the account beside them asks, and what the honest ones do; all in one world. */
function laidOut(seed: number, beside: Beside) {
  const pick = chance(seed);
  const hosts: Record<string, HostSpec> = {};
  const domains: Record<string, DomainSpec> = {};
  const honest: string[] = [];
  const others: string[] = [];
  for (let n = 0; n < 12; n += 1) {
    const mx = `good${n}.${BELOW[pick(BELOW.length)]}`;
    hosts[mx] = { replyDelayMs: 20 };
    domains[`good${n}.example`] = { mx: [mx], mailboxes: { share: 0.9 } };
    honest.push(`good${n}.example`);
  }
  const kinds = [HOSTILE[pick(HOSTILE.length)]!, HOSTILE[pick(HOSTILE.length)]!];
  const shared = Object.keys(hosts);
  for (let n = 0; n < 30; n += 1) {
    const name = `bad${n}.example`;
    const way = pick(4);
    others.push(name);
    const at = way < 2 ? shared[pick(shared.length)]! : `bad${n}.${BELOW[pick(BELOW.length)]}`;
    if (way >= 2) hosts[at] = kinds[pick(2)]!;
    domains[name] = { mx: [at], mailboxes: { share: 1 } };
    if (beside === 'an honest account') hosts[at] = { replyDelayMs: 20 };
    else if (way === 0) {
      // Leads to a host of others', which refuses its names.
      domains[name] = { mx: [`mx.${name}`] };
      domains[`mx.${name}`] = { cname: at };
    } else if (way === 1) {
      // A tenant of a host of others', with a block list of its own.
      domains[name] = { mx: [at], everyRcpt: LISTED };
    }
  }
  const world: WorldSpec = { hosts, domains };
  const asked = beside === 'no one' ? [] : others.flatMap((domain) => of(domain, 12));
  return { world, asked, lists: HONEST.map((n) => honest.flatMap((domain) => of(domain, 6, `p${n}`))) };
}

const of = (domain: string, count: number, name = 'p'): Question[] =>
  Array.from({ length: count }, (_, i) => ({ email: `${name}${i}@${domain}` }));

async function took(virtual: VirtualRig, account: number, questions: readonly Question[]) {
  const begunMs = virtual.world.clock.now();
  const outcomes: Outcome[] = [];
  const onOutcome = (index: number, outcome: Outcome) => {
    outcomes[index] = outcome;
  };
  await virtual.checker.ask(questions, { account, onOutcome });
  return { ms: virtual.world.clock.now() - begunMs, outcomes };
}

/** The other account begins a minute before the honest ones, and goes on beside them. */
async function run(seed: number, beside: Beside) {
  const { world, asked, lists } = laidOut(seed, beside);
  const virtual = virtualChecker(world);
  virtual.checker.hasSeveralPayers = true;
  const half = Math.floor(asked.length / 2);
  void took(virtual, OTHER, asked.slice(0, half));
  await virtual.sleep(60_000);
  void took(virtual, OTHER, asked.slice(half));
  const honest = lists.map((list, at) => took(virtual, HONEST[at]!, list));
  return virtual.world.run(Promise.all(honest));
}

const states = (outcomes: readonly Outcome[]) =>
  outcomes.map((one) => (one.kind === 'final' ? one.finding.state : one.kind));

test.each(
  Array.from({ length: WORLDS }, (_, i) => i + 1),
)('world %i: honest accounts are not held up', async (seed) => {
  const alone = await run(seed, 'no one');
  const fair = await run(seed, 'an honest account');
  const attacked = await run(seed, 'an attacker');
  for (const [at, { ms, outcomes }] of attacked.entries()) {
    expect(states(outcomes)).toEqual(states(alone[at]!.outcomes));
    expect(ms).toBeLessThanOrEqual(FACTOR_FAIR * fair[at]!.ms);
    expect(ms).toBeLessThanOrEqual(FACTOR * alone[at]!.ms + MORE_MS);
  }
});
