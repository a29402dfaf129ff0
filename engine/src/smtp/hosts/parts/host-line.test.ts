import { expect, test } from 'vitest';
import { HostLine } from './host-line.ts';

/** Lanes of these holders wait; each opens a connection when it is woken, while there is room, and wants another. */
function woken(waiting: readonly string[], held: readonly string[], room: number): string[] {
  const line = new HostLine();
  const said: string[] = [];
  let left = room;
  for (const holder of held) line.took(holder);
  for (const [i, holder] of waiting.entries()) {
    const lane = {
      pump() {
        said.push(`${holder}${i}`);
        if (left > 0) line.took(holder);
        left -= 1;
        line.wait([holder], lane);
      },
    };
    line.wait([holder], lane);
  }
  line.wake(() => left > 0);
  expect(line.isWaitedFor).toBe(waiting.length > 0);
  return said;
}

test('the account with the fewest connections is next, equals take turns, and no more than there is room for', () => {
  expect(woken(['a', 'a', 'a', 'b'], ['a', 'a'], 3)).toEqual(['b3', 'a0', 'a1']);
  expect(woken(['a', 'a', 'a', 'b', 'b'], [], 4)).toEqual(['a0', 'b3', 'a1', 'b4']);
  expect(woken(['a', 'a'], ['a'], 0)).toEqual([]);
});

test('no lane is woken twice in one pass, and one that cannot use the room leaves it to the next', () => {
  const line = new HostLine();
  const said: string[] = [];
  const lane = (name: string) => ({
    pump() {
      said.push(name);
      line.wait([name], this);
    },
  });
  for (const name of ['a', 'b', 'c']) line.wait([name], lane(name));
  line.wake(() => true);
  line.wake(() => true);
  expect(said).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});
