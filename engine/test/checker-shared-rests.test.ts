// Rests at a provider that several processes share: a sibling and a successor keep them, and one session of all tries.
import { expect, test } from 'vitest';
import type { WorldSpec } from '../../world/src/spec.ts';
import { createVirtualWorld } from '../../world/src/virtual.ts';
import { type Checker, createChecker, type KeptRest, type LogEvent, type RestStore } from '../src/index.ts';
import type { Outcome } from '../src/types.ts';

const MINUTE_MS = 60_000;
const SOURCE = { ip: '127.0.0.2', heloName: 'probe.example.org' };
const PLACE = { source: SOURCE.ip, provider: 'microsoft' };
const HOSTS = 12;

/** Each of Microsoft's hosts blocks us the first time, and answers from then on. */
function blockingOnce(times = 1): WorldSpec {
  const banner = { reply: '554 5.7.1 Service unavailable; client host blocked using zen.example', times };
  const nameOf = (i: number) => `d${i}-example.mail.protection.outlook.com`;
  const each = Array.from({ length: HOSTS }, (_, i) => i);
  return {
    hosts: Object.fromEntries(each.map((i) => [nameOf(i), { at: { banner } }])),
    domains: Object.fromEntries(each.map((i) => [`d${i}.example`, { mx: [nameOf(i)], mailboxes: ['anna'] }])),
  };
}

/** One store for all checkers of the world; what it keeps is told to them when the test says so. */
function shared(spec: WorldSpec) {
  const world = createVirtualWorld(spec, { seed: 1 });
  const { clock } = world;
  const log: LogEvent[] = [];
  const checkers: Checker[] = [];
  const connects: Checker[] = [];
  let kept: {
    by: KeptRest['by'];
    sinceMs: number;
    untilMs: number | null;
    restMs: number;
    refusals: number;
  } | null = null;
  let trialUntilMs = 0;
  let isAway = false;
  const rests: RestStore = {
    began: (at, restMs, refusals) => {
      expect(at).toEqual(PLACE);
      const sinceMs = kept?.sinceMs ?? clock.now();
      kept = { by: 'refusals', sinceMs, untilMs: clock.now() + restMs, restMs, refusals };
      trialUntilMs = 0;
    },
    ended: () => {
      kept = null;
    },
    claimTrial: async (_, forMs) => {
      if (isAway) throw new Error('no database');
      if (trialUntilMs > clock.now()) return false;
      trialUntilMs = clock.now() + forMs;
      return true;
    },
  };
  const tell = (checker: Checker, isResumed = false) => {
    const nowMs = clock.now();
    const rest =
      kept === null
        ? []
        : [
            {
              ...PLACE,
              ...kept,
              agoMs: nowMs - kept.sinceMs,
              leftMs: kept.untilMs === null ? null : kept.untilMs - nowMs,
              trialLeftMs: trialUntilMs - nowMs,
            },
          ];
    checker.learnRests({ rests: rest, resumed: isResumed ? [PLACE] : [] });
  };
  const start = () => {
    const checker = createChecker({
      clock,
      resolver: world.resolver,
      connect: (target, events) => {
        connects.push(checker);
        return world.connect(target, events);
      },
      allowPrivateTargets: true,
      sources: [SOURCE],
      rests,
      log: (event) => log.push(event),
    });
    checkers.push(checker);
    tell(checker);
    return checker;
  };
  const ask = async (checker: Checker, ...places: readonly number[]) => {
    const outcomes: Outcome[] = [];
    await world.run(
      checker.ask(
        places.map((i) => ({ email: `anna@d${i}.example` })),
        { onOutcome: (_, outcome) => outcomes.push(outcome) },
      ),
    );
    return outcomes.map((one) =>
      one.kind === 'final' ? one.finding.state : one.kind === 'later' ? one.resume.detail : '',
    );
  };
  return {
    log,
    start,
    ask,
    /** Connections of each since the last time. */
    connected: () => {
      const counts = checkers.map((checker) => connects.filter((one) => one === checker).length);
      connects.length = 0;
      return counts;
    },
    sync: (isResumed = false) => {
      for (const checker of checkers) tell(checker, isResumed);
    },
    sleep: (ms: number) => world.run(new Promise<void>((resolve) => clock.setTimeout(resolve, ms))),
    byHand: (untilMs: number | null) => {
      kept = { by: 'operator', sinceMs: clock.now(), untilMs, restMs: 0, refusals: 0 };
    },
    resume: () => {
      kept = null;
    },
    dropStore: () => {
      isAway = true;
    },
    get rest() {
      return kept;
    },
    now: () => clock.now(),
  };
}

test('a sibling and a successor do not connect while the source rests; then one of them tries, and a refusal doubles the rest', async () => {
  const world = shared(blockingOnce());
  const [first, second] = [world.start(), world.start()];
  await world.ask(first, 0, 1, 2);
  expect(world.rest).toMatchObject({ restMs: 15 * MINUTE_MS, by: 'refusals' });
  world.sync();
  world.connected();
  const successor = world.start();
  expect([await world.ask(second, 3), await world.ask(successor, 4)]).toEqual([
    ['source_resting'],
    ['source_resting'],
  ]);
  expect(world.connected()).toEqual([0, 0, 0]);

  // The rest is over: the first process tries, the other is kept out while it does.
  await world.sleep(15 * MINUTE_MS);
  world.sync();
  const tried = await Promise.all([world.ask(second, 3), world.ask(successor, 4), world.ask(first, 5)]);
  expect(world.connected().sort()).toEqual([0, 0, 1]);
  expect(tried.flat().filter((word) => word === 'source_resting')).toHaveLength(2);
  expect(world.rest).toMatchObject({ restMs: 30 * MINUTE_MS, untilMs: world.now() + 30 * MINUTE_MS });

  // A restart in between forgets nothing of it.
  const latest = world.start();
  await world.sleep(30 * MINUTE_MS);
  world.sync();
  await world.ask(latest, 6);
  expect(world.rest?.restMs).toBe(60 * MINUTE_MS);

  // An answer ends it for all.
  await world.sleep(60 * MINUTE_MS);
  world.sync();
  expect(await world.ask(second, 0)).toEqual(['deliverable']);
  expect(world.rest).toBeNull();
  world.sync();
  expect(await world.ask(first, 1)).toEqual(['deliverable']);
  expect(await world.ask(latest, 2)).toEqual(['deliverable']);
});

test('by hand: nothing is asked until it is resumed, whatever the time; then at once, without a trial', async () => {
  const world = shared(blockingOnce(0));
  const checker = world.start();
  world.byHand(null);
  world.sync();
  expect(await world.ask(checker, 0, 1)).toEqual(['source_resting', 'source_resting']);
  await world.sleep(100 * 3_600_000);
  world.sync();
  expect(await world.ask(checker, 0, 1)).toEqual(['source_resting', 'source_resting']);
  expect(world.connected()).toEqual([0]);
  expect(checker.health().obstacles).toEqual([]);
  world.resume();
  world.sync(true);
  expect(await world.ask(checker, 0, 1, 2)).toEqual(['deliverable', 'deliverable', 'deliverable']);
  expect(world.log.map(({ text }) => text)).toEqual([
    '127.0.0.2 rests at microsoft until it is resumed, as an operator has said',
    '127.0.0.2 is used at microsoft again',
  ]);
});

test('resumed by hand, what single hosts have shown is forgotten too', async () => {
  const world = shared(blockingOnce());
  const checker = world.start();
  await world.ask(checker, 0, 1, 2);
  await world.sleep(MINUTE_MS);
  expect(await world.ask(checker, 0)).toEqual(['source_resting']);
  world.resume();
  world.sync(true);
  expect(await world.ask(checker, 0, 1, 2)).toEqual(['deliverable', 'deliverable', 'deliverable']);
});

test('a rest by hand with an end is tried after it', async () => {
  const world = shared(blockingOnce());
  const [one, other] = [world.start(), world.start()];
  world.byHand(world.now() + 60 * MINUTE_MS);
  world.sync();
  expect(await world.ask(one, 0)).toEqual(['source_resting']);
  await world.sleep(60 * MINUTE_MS);
  world.sync();
  await Promise.all([world.ask(one, 1), world.ask(other, 2)]);
  expect(world.connected().sort()).toEqual([0, 1]);
  expect(world.rest).toMatchObject({ by: 'refusals', restMs: 15 * MINUTE_MS });
});

test('without the store a process tries on its own', async () => {
  const world = shared(blockingOnce());
  const checker = world.start();
  await world.ask(checker, 0, 1, 2);
  world.dropStore();
  await world.sleep(15 * MINUTE_MS);
  expect(await world.ask(checker, 0)).toEqual(['deliverable']);
});
