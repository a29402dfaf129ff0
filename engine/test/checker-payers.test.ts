// What the hosts of one payer show is not held against the others.
import { expect, test } from 'vitest';
import type { HostSpec, WorldSpec } from '../../world/src/spec.ts';
import { createChecker, parsePolicy } from '../src/index.ts';
import type { Finding, Question } from '../src/types.ts';
import { cutting } from './cutting.ts';
import { type VirtualRig, virtualChecker } from './virtual-checker.ts';

const CHUNK = 250;
const DEAD = 1_000;
const HONEST = 40;

const named = (prefix: string, count: number, host: HostSpec) =>
  Array.from({ length: count }, (_, i) => [`${prefix}${i}.example`, { host, mailboxes: { share: 0.8 } }]);
const emailsAt = (prefix: string, domains: number, count: number) =>
  Array.from({ length: count }, (_, i) => `p${i}@${prefix}${i % domains}.example`);

interface Done {
  readonly findings: Finding[];
  doneAtMs: number | null;
}

/** As the service asks for an account: chunk by chunk, and again when it is told to. */
async function list(
  { world: { clock }, checker }: Pick<VirtualRig, 'world' | 'checker'>,
  account: number,
  emails: readonly string[],
  signal: AbortSignal,
  /** Chunks under way. */
  atOnce = 100,
): Promise<Done> {
  const done: Done = { findings: [], doneAtMs: null };
  const chunk = async (first: readonly Question[]) => {
    let questions = first;
    while (questions.length > 0 && !signal.aborted) {
      const again: Question[] = [];
      let atMs = Number.POSITIVE_INFINITY;
      await checker.ask(questions, {
        account,
        signal,
        onOutcome: (index, outcome) => {
          if (outcome.kind === 'final') done.findings.push(outcome.finding);
          if (outcome.kind !== 'later') return;
          again.push({ ...questions[index]!, resume: outcome.resume });
          atMs = Math.min(atMs, outcome.notBeforeMs);
        },
      });
      questions = again;
      if (again.length > 0)
        await new Promise<void>((resolve) => clock.setTimeout(resolve, atMs - clock.now()));
    }
  };
  const questions = emails.map((email) => ({ email }));
  const chunks = Array.from({ length: Math.ceil(emails.length / CHUNK) }, (_, i) =>
    questions.slice(i * CHUNK, (i + 1) * CHUNK),
  );
  const underWay = Array.from({ length: atOnce }, async () => {
    for (let next = chunks.shift(); next !== undefined; next = chunks.shift()) await chunk(next);
  });
  await Promise.all(underWay);
  done.doneAtMs = clock.now();
  return done;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const DOWN = Object.fromEntries(named('dead', DEAD, { down: true })) as WorldSpec['domains'];
const MUTE: WorldSpec['domains'] = Object.fromEntries(
  Array.from({ length: DEAD }, (_, i) => [`dead${i}.example`, { dns: 'timeout' }]),
);

/** How long the neighbour's list takes. */
async function neighbourMs(dead: WorldSpec['domains'], attacked: boolean): Promise<number> {
  const honest = Object.fromEntries(named('h', HONEST, { replyDelayMs: 20 })) as WorldSpec['domains'];
  const rig = virtualChecker({ domains: { ...dead, ...honest } }, { dnsSentinels: [] });
  rig.checker.hasSeveralPayers = true;
  const { clock } = rig.world;
  const over = new AbortController();
  const attack = attacked ? list(rig, 1, emailsAt('dead', DEAD, 4 * DEAD), over.signal) : null;
  await rig.sleep(60_000);
  const beganMs = clock.now();
  const { findings, doneAtMs } = await rig.world.run(
    list(rig, 2, emailsAt('h', HONEST, 2_000), over.signal, 1),
  );
  over.abort();
  if (attack !== null) await rig.world.run(attack);
  expect(findings.filter(({ email, state }) => state !== rig.world.truth(email).state)).toEqual([]);
  expect(findings).toHaveLength(2_000);
  expect(rig.checker.reachable).toBe(true);
  return doneAtMs! - beganMs;
}

test.each([
  ['hosts that are dead', DOWN],
  ['zones whose servers are silent', MUTE],
])('a neighbour does not wait for an account that has asked for a minute about %s', async (_, dead) => {
  const alone = await neighbourMs(dead, false);
  expect(await neighbourMs(dead, true)).toBeLessThanOrEqual(3 * alone);
});

test.each([
  'refused',
  'swallowed',
] as const)('an outage is recognised with several accounts, is said once, and fails no address: %s', async (mode) => {
  const domains = Object.fromEntries(named('h', HONEST, { replyDelayMs: 100 })) as WorldSpec['domains'];
  const rig = virtualChecker({ domains });
  const { clock, resolver, connect } = rig.world;
  const checker = createChecker({
    clock,
    resolver,
    connect: cutting(clock, connect, { mode, fromMs: 500, forMs: 90_000 }),
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    retrySeconds: [1, 2, 3, 4],
    log: (event) => rig.log.push(event),
  });
  checker.hasSeveralPayers = true;
  const over = new AbortController();
  const lists = [1, 2, 3].map((account) =>
    list({ world: rig.world, checker }, account, emailsAt('h', HONEST, 2_000), over.signal),
  );
  await rig.sleep(60_000);
  expect([checker.reachable, checker.health().obstacles.map(({ code }) => code)]).toEqual([
    false,
    ['port_25'],
  ]);
  for (const { findings } of await rig.world.run(Promise.all(lists))) {
    expect(findings).toHaveLength(2_000);
    expect(findings.filter(({ email, state }) => state !== rig.world.truth(email).state)).toEqual([]);
  }
  expect(rig.log.map(({ event }) => event)).toEqual(['smtp_unreachable', 'smtp_reachable']);
});

const HOST = {
  domains: { 'one.example': { host: { replyDelayMs: 100 }, mailboxes: { share: 1 } } },
} as const;

const emailsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@one.example`);

/** A limit of so many recipients a day, which two accounts share. */
function dayOf(recipientsPerDay: number) {
  const parsed = parsePolicy({ everyone: { recipientsPerDay } });
  if (!parsed.ok) throw new Error(parsed.why);
  const rig = virtualChecker(HOST, { policy: parsed.policy });
  rig.checker.hasSeveralPayers = true;
  return rig;
}

test('an account that asks for all of a day and cancels leaves its neighbour room on the same day', async () => {
  const rig = dayOf(100);
  const over = new AbortController();
  void list(rig, 1, emailsOf('p', 760), over.signal);
  await rig.sleep(12_000);
  over.abort();
  const beganMs = rig.world.clock.now();
  const { findings } = await rig.world.run(list(rig, 2, emailsOf('mine', 10), new AbortController().signal));
  expect(findings).toHaveLength(10);
  expect(rig.world.clock.now() - beganMs).toBeLessThan(60_000);
});

test.each([
  0, 21,
])('%d hours into a day, an account whose share of it is used up does not keep others waiting that ask the same host', async (hours) => {
  const rig = dayOf(400);
  await rig.sleep(DAY_MS - (rig.world.clock.now() % DAY_MS) + hours * HOUR_MS);
  const kinds = new Map<number, string[]>();
  const ask = (account: number, count: number) => {
    const told: string[] = [];
    kinds.set(account, told);
    const questions = emailsOf(`${account}p`, count).map((email) => ({ email }));
    return rig.checker.ask(questions, {
      account,
      onOutcome: (_, outcome) =>
        told.push(outcome.kind === 'later' ? `${outcome.resume.detail}` : outcome.kind),
    });
  };
  await rig.world.run(ask(1, 800));
  await rig.world.run(Promise.all([ask(1, 800), ask(2, 15)]));
  expect(kinds.get(2)).toEqual(Array.from({ length: 15 }, () => 'final'));
  expect(new Set(kinds.get(1))).toEqual(new Set(['budget']));
  expect([...rig.world.seen.asks.keys()].length).toBeLessThanOrEqual(400);
});

test('what is cancelled is given back at once', async () => {
  const rig = dayOf(100);
  const over = new AbortController();
  const ask = async (account: number, count: number, signal: AbortSignal) => {
    const kinds = new Set<string>();
    const questions = emailsOf(`${account}p`, count).map((email) => ({ email }));
    await rig.checker.ask(questions, { account, signal, onOutcome: (_, { kind }) => kinds.add(kind) });
    return [...kinds];
  };
  const cancelled = ask(1, 95, over.signal);
  // Its permits are in hand, and its session is being opened.
  await rig.sleep(50);
  over.abort();
  expect(await rig.world.run(cancelled)).toEqual(['unasked']);
  expect(await rig.world.run(ask(2, 30, new AbortController().signal))).toEqual(['final']);
});
