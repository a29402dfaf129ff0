import { expect, test } from 'vitest';
import { ConnectionQueue } from './connection-queue.ts';

/** Lanes of these holders wait; each opens a connection when it is woken, while there is room, and wants another. */
function woken(waiting: readonly string[], held: readonly string[], room: number): string[] {
  const queue = new ConnectionQueue();
  const said: string[] = [];
  let left = room;
  for (const holder of held) queue.took(holder);
  for (const [i, holder] of waiting.entries()) {
    const lane = {
      pump() {
        said.push(`${holder}${i}`);
        if (left > 0) queue.took(holder);
        left -= 1;
        queue.wait([holder], lane);
      },
    };
    queue.wait([holder], lane);
  }
  queue.wake(() => left > 0);
  expect(queue.isWaitedFor).toBe(waiting.length > 0);
  return said;
}

test('the account with the fewest connections is next, equals take turns, and no more than there is room for', () => {
  expect(woken(['a', 'a', 'a', 'b'], ['a', 'a'], 3)).toEqual(['b3', 'a0', 'a1']);
  expect(woken(['a', 'a', 'a', 'b', 'b'], [], 4)).toEqual(['a0', 'b3', 'a1', 'b4']);
  expect(woken(['a', 'a'], ['a'], 0)).toEqual([]);
});

test('no lane is woken twice in one pass, and one that cannot use the room leaves it to the next', () => {
  const queue = new ConnectionQueue();
  const said: string[] = [];
  const lane = (name: string) => ({
    pump() {
      said.push(name);
      queue.wait([name], this);
    },
  });
  for (const name of ['a', 'b', 'c']) queue.wait([name], lane(name));
  queue.wake(() => true);
  queue.wake(() => true);
  expect(said).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});
