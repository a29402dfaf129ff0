import { expect, test } from 'vitest';
import { SOME_QUEUE, TestTask } from '../../../test/test-task.ts';
import type { Task } from '../../state/task.ts';
import { LaneQueue } from './lane-queue.ts';

const task = (lot: number, name: string, domainName = 'example.com') =>
  new TestTask(name, { lot, domainName });

const take = (queue: LaneQueue, most: number) =>
  queue.take(most).map(({ address }) => address.mailbox.split('@')[0]);

test('a small lot does not wait behind a large one at the same domain', () => {
  const queue = new LaneQueue(SOME_QUEUE);
  for (let n = 0; n < 1_000; n += 1) queue.push(task(1, `large${n}`));
  queue.push(task(2, 'small0'));
  queue.push(task(2, 'small1'));
  expect(take(queue, 5)).toEqual(['large0', 'small0', 'large1', 'small1', 'large2']);
  expect(queue.size).toBe(997);
});

test('within a lot the order stays, and what was on the wire comes first', () => {
  const queue = new LaneQueue(SOME_QUEUE);
  for (const name of ['a', 'b', 'c']) queue.push(task(1, name));
  const [first] = queue.take(1);
  queue.pushBack(first!);
  expect(take(queue, 3)).toEqual(['a', 'b', 'c']);
  expect(queue.size).toBe(0);
});

test("a look's questions come first, all of them, in their order, and not those that were withdrawn", () => {
  const queue = new LaneQueue(SOME_QUEUE);
  const looked = (name: string, kind: Task['kind']) =>
    new TestTask(name, { lot: 1, domainName: 'looked.example', kind });
  queue.push(looked('probe', 'catch_all'));
  queue.push(new TestTask('probe', { lot: 1, kind: 'catch_all' }));
  for (const name of ['c1', 'x', 'c2', 'c3']) queue.push(looked(name, 'compared'));
  const withdrawn = looked('c4', 'compared');
  queue.push(withdrawn);
  withdrawn.move({ kind: 'withdrawn' });
  expect(take(queue, 8)).toEqual(['c1', 'x', 'c2', 'c3']);
  expect([take(queue, 8), take(queue, 8)]).toEqual([['probe'], ['probe']]);
  expect(queue.size).toBe(0);
});

const of = (holder: string, name: string, domainName = 'example.com', lot = 0) =>
  new TestTask(name, { domainName, holder, lot });

test('an account with many domains or lists does not keep another one waiting', () => {
  const queue = new LaneQueue(SOME_QUEUE);
  for (let n = 0; n < 1_000; n += 1) queue.push(of('a', `a${n}`, `a${n}.example`, n));
  for (let n = 0; n < 1_000; n += 1) queue.push(of('a', `same${n}`, 'same.example', n));
  queue.push(of('b', 'b0', 'b.example'));
  queue.push(of('b', 'b1', 'same.example'));
  expect(queue.holders).toEqual(['a', 'b']);
  const taken = [take(queue, 2), take(queue, 2), take(queue, 2), take(queue, 2), take(queue, 2)];
  expect(taken).toEqual([['a0'], ['b0'], ['a1'], ['b1', 'same0'], ['a2']]);
  expect(queue.holders).toEqual(['a']);
});

test('room that is left goes to others of the same domain, one of each, so that small ones share a flight', () => {
  const queue = new LaneQueue(SOME_QUEUE);
  for (let n = 0; n < 100; n += 1) queue.push(of('big', `big${n}`));
  for (let n = 0; n < 6; n += 1) queue.push(of(`small${n}`, `small${n}`));
  expect(take(queue, 4)).toEqual(['big0', 'big1', 'big2', 'big3']);
  expect(take(queue, 4)).toEqual(['small0', 'big4', 'small1', 'small2']);
  expect(take(queue, 8)).toEqual(['small3', 'big5', 'small4', 'small5', 'big6', 'big7', 'big8', 'big9']);
  expect(queue.holders).toEqual(['big']);
  expect(queue.size).toBe(90);
});

test('single checks come first, however many an account has, and lists fill up their flight', () => {
  const queue = new LaneQueue(SOME_QUEUE);
  const single = (holder: string, name: string) =>
    new TestTask(name, { holder, domainName: 'example.com', single: true });
  queue.push(of('a', 'list'));
  for (const name of ['a0', 'a1', 'a2']) queue.push(single('a single', name));
  queue.push(single('b single', 'b0'));
  expect(queue.singles).toBe(4);
  expect([take(queue, 1), take(queue, 1)]).toEqual([['a0'], ['b0']]);
  expect(take(queue, 5)).toEqual(['a1', 'a2', 'list']);
  expect([queue.size, queue.singles, queue.holders]).toEqual([0, 0, []]);
});

test("one account's probe goes behind another's recipient, and everything can be taken at once", () => {
  const queue = new LaneQueue(SOME_QUEUE);
  const probe = new TestTask('probe', { holder: 'a', domainName: 'example.com', kind: 'catch_all' });
  queue.push(probe);
  queue.push(of('b', 'b0'));
  queue.push(of('b', 'b1'));
  expect(take(queue, 2)).toEqual(['b0', 'probe']);
  queue.pushBack(probe);
  expect(queue.takeAll().map(({ address }) => address.mailbox.split('@')[0])).toEqual(['b1', 'probe']);
  expect([queue.size, queue.holders]).toEqual([0, []]);
});
