// Turns, with a clock and an event loop that the test moves.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLoopBudget, type Listener } from './event-loop-budget.ts';

/** Two looks of two milliseconds fill a turn; in a hurry, two of one. */
function table(lookMs = 2) {
  let nowMs = 1;
  const nextTurns: (() => void)[] = [];
  const alarms: { atMs: number; run: () => void }[] = [];
  const loopBudget = createLoopBudget({
    nowMs: () => nowMs,
    onNextTurn: (run) => nextTurns.push(run),
    after: (ms, run) => alarms.push({ atMs: nowMs + ms, run }),
  });
  const seen: string[] = [];
  return {
    seen,
    hear(listener: Listener, word: string | (() => void)) {
      const look = () => {
        if (typeof word === 'function') return word();
        seen.push(word);
        nowMs += lookMs;
      };
      if (loopBudget.now(listener)) look();
      else loopBudget.later(listener, look);
    },
    nextTurn() {
      for (const run of nextTurns.splice(0)) run();
    },
    makeWay: () => loopBudget.makeWay(),
    wait(ms: number) {
      nowMs += ms;
      for (const alarm of alarms.splice(0)) {
        if (alarm.atMs <= nowMs) alarm.run();
        else alarms.push(alarm);
      }
    },
  };
}

const listener = (urgent = false, backlog = 0): Listener => ({ urgent, backlog, unheard: 0, waitsWith: 0 });

test('who is heard alone is looked at now, the others in turns of a few milliseconds, oldest first', () => {
  const { seen, hear, nextTurn } = table();
  for (const word of ['a', 'b', 'c', 'd', 'e']) hear(listener(), word);
  expect(seen).toEqual(['a']);
  nextTurn();
  expect(seen).toEqual(['a', 'b', 'c']);
  hear(listener(), 'f');
  expect(seen).toHaveLength(3);
  nextTurn();
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  nextTurn();
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  hear(listener(), 'g');
  expect(seen.at(-1)).toBe('g');
});

test('sessions with the largest backlog come first, but no piece waits longer than a tenth of a second', () => {
  const { seen, hear, nextTurn, wait } = table(1);
  hear(listener(), 'now');
  hear(listener(false, 3), 'few');
  wait(101);
  hear(listener(false, 20), 'some');
  hear(listener(false, 900), 'many');
  nextTurn();
  expect(seen).toEqual(['now', 'few', 'many', 'some']);
});

test('the pieces of one session stay in order, whatever other sessions receive', () => {
  const { seen, hear, nextTurn } = table(0.5);
  const [small, large] = [listener(false, 1), listener(false, 3)];
  hear(listener(), 'now');
  for (const word of ['1', '2', '3']) {
    hear(small, `small ${word}`);
    hear(large, `large ${word}`);
  }
  nextTurn();
  expect(seen.slice(1).join(', ')).toBe('large 1, large 2, large 3, small 1, small 2, small 3');
});

test('what one session hears stays in order, also when more comes to be behind it', () => {
  const { seen, hear, nextTurn } = table(0.5);
  const one = { ...listener(false, 1) };
  hear(listener(), 'now');
  hear(one, 'connected');
  hear(listener(false, 100), 'another');
  one.backlog = 100;
  hear(one, 'banner');
  nextTurn();
  expect(seen).toEqual(['now', 'another', 'connected', 'banner']);
  // With nothing unheard, what is behind it counts again.
  hear(listener(), 'now');
  hear(listener(false, 3), 'few');
  hear(one, 'reply');
  nextTurn();
  expect(seen.slice(4)).toEqual(['now', 'reply', 'few']);
});

test('a session that carries a single check is not kept waiting', () => {
  const { seen, hear } = table();
  for (const word of ['a', 'b', 'c']) hear(listener(), word);
  hear(listener(true), 'single');
  expect(seen).toEqual(['a', 'single']);
});

test('what one session hears stays in order, also when it becomes urgent', () => {
  const { seen, hear, nextTurn } = table();
  const one = { ...listener() };
  hear(listener(), 'a');
  hear(one, 'first');
  one.urgent = true;
  hear(one, 'second');
  expect(seen).toEqual(['a']);
  nextTurn();
  expect(seen).toEqual(['a', 'first', 'second']);
});

test('a defect in one of them does not leave the others unheard', () => {
  const { seen, hear, nextTurn } = table();
  hear(listener(), 'a');
  hear(listener(), () => {
    throw new Error('a defect');
  });
  hear(listener(), 'b');
  expect(nextTurn).toThrow('a defect');
  nextTurn();
  expect(seen).toEqual(['a', 'b']);
});

test('while way is made, lists rest between two turns', () => {
  const { seen, hear, nextTurn, makeWay, wait } = table(1);
  const noHurry = makeWay();
  for (const word of ['a', 'b', 'c', 'd', 'e']) hear(listener(), word);
  nextTurn();
  expect(seen).toEqual(['a']);
  wait(4);
  expect(seen).toEqual(['a', 'b', 'c']);
  nextTurn();
  expect(seen).toHaveLength(3);
  noHurry();
  noHurry();
  wait(4);
  nextTurn();
  for (const word of ['f', 'g', 'h']) hear(listener(), word);
  nextTurn();
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
});

test('way is made for a quarter of a second, not for as long as a slow server takes', () => {
  const { seen, hear, nextTurn, makeWay, wait } = table(1);
  makeWay();
  wait(250);
  for (const word of ['a', 'b', 'c']) hear(listener(), word);
  nextTurn();
  expect(seen).toEqual(['a', 'b', 'c']);
});

test('whatever sessions receive and whatever their backlog: every piece is read once, each session’s in order', () => {
  const event = fc.record({
    who: fc.nat({ max: 3 }),
    backlog: fc.constantFrom(0, 1, 3, 100),
    urgent: fc.boolean(),
    thenMs: fc.constantFrom(0, 0, 1, 101),
    turns: fc.constantFrom(0, 0, 0, 1),
  });
  fc.assert(
    fc.property(fc.array(event, { minLength: 10, maxLength: 60, size: 'max' }), (events) => {
      const { seen, hear, nextTurn, wait } = table(1);
      const listeners = [0, 1, 2, 3].map(() => ({ ...listener() }));
      const heard: string[][] = listeners.map(() => []);
      for (const [at, { who, backlog, urgent, thenMs, turns }] of events.entries()) {
        const one = Object.assign(listeners[who]!, { backlog, urgent });
        heard[who]!.push(`${who}:${at}`);
        hear(one, `${who}:${at}`);
        if (thenMs > 0) wait(thenMs);
        if (turns > 0) nextTurn();
      }
      for (let left = events.length; left > 0; left -= 1) nextTurn();
      for (const [who, words] of heard.entries())
        expect(seen.filter((word) => word.startsWith(`${who}:`))).toEqual(words);
    }),
  );
});
