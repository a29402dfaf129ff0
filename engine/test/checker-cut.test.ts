// The cable is cut in the middle of a list.
import { expect, test } from 'vitest';
import { createChecker, type LogEvent } from '../src/index.ts';
import type { Question } from '../src/types.ts';
import { type Cut, cutting } from './cutting.ts';
import { askWith, resumed, verdictOf, virtualChecker } from './virtual-checker.ts';

const ONE_DEAD = {
  domains: {
    'a.example': { host: {}, mailboxes: ['anna'] },
    'dead.example': { host: { down: true }, mailboxes: ['anna'] },
  },
} as const;

const CUTS: readonly (Cut & { readonly hosts: number })[] = [
  { mode: 'refused', fromMs: 300, forMs: 15_000, hosts: 20 },
  { mode: 'refused', fromMs: 700, forMs: 15_000, hosts: 20 },
  { mode: 'swallowed', fromMs: 700, forMs: 15_000, hosts: 20 },
  { mode: 'refused', fromMs: 700, forMs: 15_000, hosts: 5 },
  { mode: 'swallowed', fromMs: 700, forMs: 15_000, hosts: 1 },
  { mode: 'refused', fromMs: 700, forMs: 60_000, hosts: 5 },
  { mode: 'swallowed', fromMs: 700, forMs: 60_000, hosts: 20 },
];

test.each(CUTS)('no address ends unknown for it, however short the schedule: %j', async ({
  hosts,
  ...cut
}) => {
  const host = { replyDelayMs: 100 };
  const domains = Object.fromEntries(
    Array.from({ length: hosts }, (_, i) => [`d${i}.example`, { host, mailboxes: { share: 0.8 } }]),
  );
  const { world } = virtualChecker({ domains });
  const log: LogEvent[] = [];
  const { clock, resolver } = world;
  const checker = createChecker({
    clock,
    resolver,
    connect: cutting(clock, world.connect, cut),
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    retrySeconds: [1, 2, 3, 4],
    log: (event) => log.push(event),
  });
  const wrong: string[] = [];
  const emails = Array.from({ length: 6_000 }, (_, i) => `p${i}@d${i % hosts}.example`);
  await world.run(
    (async () => {
      for await (const { email, state } of checker.checkAll(emails))
        if (state !== world.truth(email).state) wrong.push(email);
    })(),
  );
  expect(wrong).toEqual([]);
  const said = log.filter(({ level }) => level === 'error').length;
  // A short one may be over before it is understood.
  expect(said).toBeLessThanOrEqual(1);
  if (cut.forMs > 30_000) expect(said).toBe(1);
});

test('a dead host that fails alone costs its list a few seconds of doubt, and ends as it would have', async () => {
  const virtual = virtualChecker(
    {
      domains: {
        'a.example': { host: { replyDelayMs: 20 }, mailboxes: { share: 1 } },
        'dead.example': { host: { down: true }, mailboxes: ['anna'] },
      },
    },
    { retrySeconds: [1] },
  );
  const startMs = virtual.world.clock.now();
  const living = Array.from({ length: 2_000 }, (_, i) => `p${i}@a.example`);
  const found = await virtual.checkAll([...living, 'anna@dead.example']);
  expect(verdictOf(found.get('anna@dead.example'))).toBe('unknown no_connect');
  expect(virtual.world.clock.now() - startMs).toBeLessThan(20_000);
  expect(virtual.log).toEqual([]);
});

test('a dead host is doubted once for each address, however often others answer in between', async () => {
  const virtual = virtualChecker(ONE_DEAD);
  let questions: Question[] = [{ email: 'anna@dead.example' }];
  const attempts: (number | string)[] = [];
  for (let round = 0; round < 3; round += 1) {
    await virtual.check('anna@a.example');
    const outcomes = await askWith(virtual, virtual.checker, questions);
    const [outcome] = outcomes;
    attempts.push(outcome?.kind === 'later' ? outcome.resume.attempt : (outcome?.kind ?? 'none'));
    questions = resumed(questions, outcomes);
    await virtual.sleep(60_000);
  }
  expect(attempts).toEqual([0, 1, 'final']);
});

test('what is in doubt is handed back at once when its asker stops', async () => {
  const virtual = virtualChecker(ONE_DEAD);
  await virtual.check('anna@a.example');
  const stop = new AbortController();
  const kinds: string[] = [];
  const asking = virtual.checker.ask([{ email: 'anna@dead.example' }], {
    signal: stop.signal,
    onOutcome: (_index, { kind }) => kinds.push(kind),
  });
  await virtual.sleep(1_000);
  stop.abort();
  await asking;
  expect(kinds).toEqual(['unasked']);
});

test('closing does not wait for what is in doubt', async () => {
  const virtual = virtualChecker(ONE_DEAD);
  await virtual.check('anna@a.example');
  const kinds: string[] = [];
  const asking = virtual.checker.ask([{ email: 'anna@dead.example' }], {
    onOutcome: (_index, { kind }) => kinds.push(kind),
  });
  await virtual.sleep(1_000);
  expect(kinds).toEqual([]);
  await virtual.world.run(virtual.checker.close());
  await asking;
  expect(kinds).toEqual(['unasked']);
});

test('while no DNS server answers, addresses of domains that are still known are no sign that one does', async () => {
  const domains = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`d${i}.example`, { host: {}, mailboxes: ['anna'] }]),
  );
  const virtual = virtualChecker({ domains: { ...domains, 'mute.example': { dns: 'timeout' } } });
  const { clock, connect, resolver } = virtual.world;
  let isCut = false;
  const named = (name: string) => (isCut ? 'mute.example' : name);
  const log: LogEvent[] = [];
  const checker = createChecker({
    clock,
    connect,
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    retrySeconds: [1, 2],
    log: (event) => log.push(event),
    resolver: {
      mx: (name) => resolver.mx(named(name)),
      a: (name) => resolver.a(named(name)),
      aaaa: (name) => resolver.aaaa(named(name)),
    },
  });
  await virtual.world.run(checker.check('anna@d0.example'));
  isCut = true;
  clock.setTimeout(() => {
    isCut = false;
  }, 60_000);
  const found = new Map<string, string>();
  const list = (async () => {
    const emails = Array.from({ length: 19 }, (_, i) => `anna@d${i + 1}.example`);
    for await (const finding of checker.checkAll(emails)) found.set(finding.email, verdictOf(finding));
  })();
  for (let second = 0; second < 60; second += 1) {
    expect(verdictOf(await virtual.world.run(checker.check('anna@d0.example')))).toBe(
      'deliverable accepted_email',
    );
    await virtual.sleep(1_000);
  }
  await virtual.world.run(list);
  expect(new Set(found.values())).toEqual(new Set(['deliverable accepted_email']));
  expect(log.map(({ event }) => event)).toEqual(['dns_unreachable', 'dns_reachable']);
});
