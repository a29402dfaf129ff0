import { expect, test } from 'vitest';
import type { Task } from '../session/task.ts';
import { LaneQueue } from './lane-queue.ts';

function task(lot: number, name: string, domain = 'example.com'): Task {
  return {
    kind: 'real',
    single: false,
    holder: '0',
    lot,
    address: { mailbox: `${name}@${domain}` },
    domain: { name: domain },
    onWire: false,
    withdrawn: false,
    probeBehind: () => null,
  } as Task;
}

const take = (queue: LaneQueue, most: number) =>
  queue.take(most).map(({ address }) => address.mailbox.split('@')[0]);

test('a small lot does not wait behind a large one at the same domain', () => {
  const queue = new LaneQueue();
  for (let n = 0; n < 1_000; n += 1) queue.push(task(1, `large${n}`));
  queue.push(task(2, 'small0'));
  queue.push(task(2, 'small1'));
  expect(take(queue, 5)).toEqual(['large0', 'small0', 'large1', 'small1', 'large2']);
  expect(queue.size).toBe(997);
});

test('within a lot the order stays, and what was on the wire comes first', () => {
  const queue = new LaneQueue();
  for (const name of ['a', 'b', 'c']) queue.push(task(1, name));
  const [first] = queue.take(1);
  queue.pushBack(first!);
  expect(take(queue, 3)).toEqual(['a', 'b', 'c']);
  expect(queue.size).toBe(0);
});

test("a look's questions come first, all of them, in their order, and not those that were withdrawn", () => {
  const queue = new LaneQueue();
  const question = (name: string, more: Partial<Task> = {}): Task => ({
    ...task(1, name, 'looked.example'),
    kind: 'compared',
    ...more,
  });
  queue.push({ ...task(1, 'impossible', 'looked.example'), kind: 'impossible' });
  queue.push({ ...task(1, 'impossible'), kind: 'impossible' });
  for (const name of ['c1', 'x', 'c2']) queue.push(question(name));
  queue.push(question('c3', { withdrawn: true }));
  expect(take(queue, 8)).toEqual(['c1', 'x', 'c2']);
  expect([take(queue, 8), take(queue, 8)]).toEqual([['impossible'], ['impossible']]);
  expect(queue.size).toBe(0);
});
