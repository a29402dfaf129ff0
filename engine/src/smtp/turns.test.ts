// Turns, with a clock and an event loop that the test moves.
import { expect, test } from 'vitest';
import { type Listener, takeTurns } from './turns.ts';

/** Two looks of eight milliseconds fill a turn; in a hurry, two of one. */
function table(lookMs = 8) {
  let nowMs = 1;
  const nextTurns: (() => void)[] = [];
  const alarms: { atMs: number; run: () => void }[] = [];
  const turns = takeTurns({
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
      if (turns.now(listener)) look();
      else turns.later(listener, look);
    },
    nextTurn() {
      for (const run of nextTurns.splice(0)) run();
    },
    makeWay: () => turns.makeWay(),
    wait(ms: number) {
      nowMs += ms;
      for (const alarm of alarms.splice(0)) {
        if (alarm.atMs <= nowMs) alarm.run();
        else alarms.push(alarm);
      }
    },
  };
}

const listener = (urgent = false): Listener => ({ urgent, unheard: 0 });

test('a turn takes a few milliseconds of what is heard, the next ones the rest, oldest first', () => {
  const { seen, hear, nextTurn } = table();
  for (const word of ['a', 'b', 'c', 'd', 'e']) hear(listener(), word);
  expect(seen).toEqual(['a', 'b']);
  nextTurn();
  expect(seen).toEqual(['a', 'b', 'c', 'd']);
  hear(listener(), 'f');
  expect(seen).toHaveLength(4);
  nextTurn();
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('with a new turn there is room again', () => {
  const { seen, hear, nextTurn } = table();
  for (const word of ['a', 'b']) hear(listener(), word);
  nextTurn();
  hear(listener(), 'c');
  expect(seen).toEqual(['a', 'b', 'c']);
});

test('a session that carries a single check is not kept waiting', () => {
  const { seen, hear } = table();
  for (const word of ['a', 'b', 'c']) hear(listener(), word);
  hear(listener(true), 'single');
  expect(seen).toEqual(['a', 'b', 'single']);
});

test('what one session hears stays in order, also when it becomes urgent', () => {
  const { seen, hear, nextTurn } = table();
  const one = { urgent: false, unheard: 0 };
  for (const word of ['a', 'b']) hear(listener(), word);
  hear(one, 'first');
  one.urgent = true;
  hear(one, 'second');
  expect(seen).toEqual(['a', 'b']);
  nextTurn();
  expect(seen).toEqual(['a', 'b', 'first', 'second']);
});

test('a defect in one of them does not leave the others unheard', () => {
  const { seen, hear, nextTurn } = table();
  for (const word of ['a', 'b']) hear(listener(), word);
  hear(listener(), () => {
    throw new Error('a defect');
  });
  hear(listener(), 'c');
  expect(nextTurn).toThrow('a defect');
  nextTurn();
  expect(seen).toEqual(['a', 'b', 'c']);
});

test('while way is made, lists rest between two turns', () => {
  const { seen, hear, nextTurn, makeWay, wait } = table(1);
  const noHurry = makeWay();
  for (const word of ['a', 'b', 'c', 'd', 'e']) hear(listener(), word);
  nextTurn();
  expect(seen).toEqual(['a', 'b']);
  wait(4);
  nextTurn();
  expect(seen).toEqual(['a', 'b', 'c', 'd']);
  noHurry();
  noHurry();
  wait(4);
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
