// Rounds in simulated time: who is told which result, and how often is asked.
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../world/src/virtual-clock.ts';
import { Rounds } from './rounds.ts';

function scene(answers: readonly string[] = []) {
  const clock = createVirtualClock(0);
  const asked: [number, string][] = [];
  const rounds = new Rounds<string>({
    clock,
    everyMs: 1_000,
    ask: (key) => {
      asked.push([clock.now(), key]);
      const result = answers[asked.length - 1] ?? `round ${asked.length}`;
      return new Promise((tell) => clock.setTimeout(() => tell(result), 100));
    },
    serves: (result) => result !== 'wrong',
    closed: 'closed',
  });
  const after = (ms: number) => new Promise<void>((go) => clock.setTimeout(go, ms));
  return { clock, asked, rounds, after };
}

test('whoever comes while a question is out waits for the next one, a second after the first', async () => {
  const { clock, asked, rounds, after } = scene();
  const told = await clock.run(
    (async () => {
      const first = rounds.next();
      await after(50);
      const second = [rounds.next(), rounds.next()];
      return [await first, ...(await Promise.all(second))];
    })(),
  );
  expect(told).toEqual(['round 1', 'round 2', 'round 2']);
  expect(asked).toEqual([
    [0, ''],
    [1_000, ''],
  ]);
});

test('nothing is asked while nobody waits', async () => {
  const { clock, asked, rounds, after } = scene();
  await clock.run(rounds.next());
  await clock.run(after(60_000));
  expect(asked).toHaveLength(1);
});

test('keys take turns; those without one are content with any that serves', async () => {
  const { clock, asked, rounds } = scene(['wrong', 'right']);
  const told = await clock.run(Promise.all([rounds.next('de'), rounds.next('com'), rounds.next()]));
  expect(told).toEqual(['wrong', 'right', 'right']);
  expect(asked).toEqual([
    [0, 'de'],
    [1_000, 'com'],
  ]);
});

test('closing tells everybody, at once and from then on, and leaves no timer', async () => {
  const { clock, asked, rounds } = scene();
  await clock.run(rounds.next());
  const waiting = rounds.next();
  rounds.close();
  expect(await waiting).toBe('closed');
  expect(await rounds.next()).toBe('closed');
  expect(asked).toHaveLength(1);
});

test('a clock that is set back does not prolong the pause', async () => {
  let nowMs = 5_000_000;
  let asked = 0;
  const rounds = new Rounds<string>({
    clock: {
      now: () => nowMs,
      setTimeout: () => expect.unreachable('a pause'),
      clearTimeout: () => {},
    },
    everyMs: 1_000,
    serves: () => true,
    closed: '',
    ask: async () => {
      asked += 1;
      return '';
    },
  });
  await rounds.next();
  nowMs -= 3_600_000;
  await rounds.next();
  expect(asked).toBe(2);
});
