// Every question has exactly one outcome, whenever its caller aborts: also from within another's outcome, while checks of
// the same round are being moved on.
import { expect, test } from 'vitest';
import { createRandom } from '../../world/src/random.ts';
import { createRandomWorld } from '../../world/src/random-world.ts';
import { createVirtualWorld } from '../../world/src/virtual.ts';
import { createChecker, type Outcome } from '../src/index.ts';

const WORLDS = 60;
/** Virtual hours of an aborted round: what was on the wire has its outcome long before. */
const LONG_MS = 4 * 3_600_000;

/** Aborts with the outcome of that number. */
async function abortAt(seed: number, number: number) {
  const { spec, emails } = createRandomWorld(seed);
  const world = createVirtualWorld(spec, { seed });
  const checker = createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: world.connect,
    random: createRandom(seed).next,
    allowPrivateTargets: true,
    heloName: 'probe.example.com',
    mailFrom: 'probe@probe.example.com',
  });
  const outcomes = new Map<number, Outcome[]>();
  const abort = new AbortController();
  let count = 0;
  const onOutcome = (index: number, outcome: Outcome) => {
    outcomes.set(index, [...(outcomes.get(index) ?? []), outcome]);
    count += 1;
    if (count === number) abort.abort();
  };
  const questions = emails.map((email) => ({ email }));
  let isOver = false;
  const over = checker.ask(questions, { onOutcome, signal: abort.signal }).then(() => {
    isOver = true;
  });
  if (number === 0) abort.abort();
  await world.run(
    Promise.race([over, new Promise<void>((resolve) => world.clock.setTimeout(resolve, LONG_MS))]),
  );
  const waiting = checker.waiting();
  await world.run(checker.close());
  return { outcomes, waiting, isOver, total: emails.length };
}

test.each([0, 1, 2, 5, 20])('aborted with outcome %i', async (number) => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const { outcomes, waiting, isOver, total } = await abortAt(seed, number);
    const each = Array.from({ length: total }, (_, index) => outcomes.get(index)?.length ?? 0);
    expect({ seed, isOver, waiting, each }).toEqual({
      seed,
      isOver: true,
      waiting: [],
      each: each.map(() => 1),
    });
  }
});
