// Turns, with a clock and an event loop that the test moves.
import { expect, test } from 'vitest';
import { type Listener, takeTurns } from './turns.ts';

/** Every look takes a millisecond; two of them fill a turn. */
function table() {
  let nowMs = 1;
  const nextTurns: (() => void)[] = [];
  const turns = takeTurns(
    () => nowMs,
    (run) => nextTurns.push(run),
  );
  const seen: string[] = [];
  return {
    seen,
    hear(listener: Listener, word: string) {
      const look = () => {
        seen.push(word);
        nowMs += 1;
      };
      if (turns.now(listener)) look();
      else turns.later(listener, look);
    },
    nextTurn() {
      for (const run of nextTurns.splice(0)) run();
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
