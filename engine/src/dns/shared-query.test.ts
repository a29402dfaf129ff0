// A shared query in simulated time: which caller gets which result, and how often is asked.
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../world/src/virtual-clock.ts';
import { SharedQuery } from './shared-query.ts';

function scene(answers: readonly string[] = []) {
  const clock = createVirtualClock(0);
  const asked: [number, string][] = [];
  const query = new SharedQuery<string>({
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
  return { clock, asked, query, after };
}

test('a caller that comes while a question is out waits for the next one, a second after the first', async () => {
  const { clock, asked, query, after } = scene();
  const told = await clock.run(
    (async () => {
      const first = query.next();
      await after(50);
      const second = [query.next(), query.next()];
      return [await first, ...(await Promise.all(second))];
    })(),
  );
  expect(told).toEqual(['round 1', 'round 2', 'round 2']);
  expect(asked).toEqual([
    [0, ''],
    [1_000, ''],
  ]);
});

test('nothing is asked while no caller waits', async () => {
  const { clock, asked, query, after } = scene();
  await clock.run(query.next());
  await clock.run(after(60_000));
  expect(asked).toHaveLength(1);
});

test('keys take turns; those without one are content with any that serves', async () => {
  const { clock, asked, query } = scene(['wrong', 'right']);
  const told = await clock.run(Promise.all([query.next('de'), query.next('com'), query.next()]));
  expect(told).toEqual(['wrong', 'right', 'right']);
  expect(asked).toEqual([
    [0, 'de'],
    [1_000, 'com'],
  ]);
});

test('closing tells every caller, at once and from then on, and leaves no timer', async () => {
  const { clock, asked, query } = scene();
  await clock.run(query.next());
  const waiting = query.next();
  query.close();
  expect(await waiting).toBe('closed');
  expect(await query.next()).toBe('closed');
  expect(asked).toHaveLength(1);
});

test('a clock that is set back does not prolong the pause', async () => {
  let nowMs = 5_000_000;
  let asked = 0;
  const query = new SharedQuery<string>({
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
  await query.next();
  nowMs -= 3_600_000;
  await query.next();
  expect(asked).toBe(2);
});
