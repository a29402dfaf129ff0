import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairShare, holderOf } from './fair-share.ts';

/** Takes what it may, and answers how much that was. */
function takeAll(share: FairShare<unknown>, holder: string): number {
  let taken = 0;
  for (; share.mayTake(holder); taken += 1) share.take(holder);
  return taken;
}

test('one account alone may use all of it, and no more', () => {
  expect(takeAll(new FairShare(100), 'a')).toBe(100);
});

test('beside an account that has taken everything a newcomer has a tenth at once', () => {
  const share = new FairShare(100);
  takeAll(share, 'greedy');
  expect(takeAll(share, 'b')).toBe(10);
  expect(share.mayTake('greedy')).toBe(false);
});

test("an account's single checks have a place beside its own lists", () => {
  const share = new FairShare(100);
  takeAll(share, holderOf(7, false));
  expect(share.mayTake(holderOf(7, true))).toBe(true);
});

test('what is freed goes to the holder with the least, until all hold the same', () => {
  const share = new FairShare<string>(100);
  takeAll(share, 'greedy');
  for (let at = 0; at < 200; at += 1) share.wait('greedy', `g${at}`);
  for (let at = 0; at < 200; at += 1) share.wait('b', `b${at}`);
  for (let freed = 0; freed < 150; freed += 1) {
    // A holder with more units has more that end.
    share.release(share.heldBy('greedy') >= share.heldBy('b') ? 'greedy' : 'b');
    for (let next = share.next(); next !== undefined; next = share.next()) share.take(next.holder);
  }
  expect(Math.abs(share.heldBy('greedy') - share.heldBy('b'))).toBeLessThanOrEqual(1);
  expect(share.taken).toBeGreaterThanOrEqual(100);
});

test("a holder's own wait in the order they came, and equals take turns", () => {
  const share = new FairShare<string>(1);
  share.take('c');
  for (const waiter of ['a1', 'a2']) share.wait('a', waiter);
  for (const waiter of ['b1', 'b2']) share.wait('b', waiter);
  share.release('c');
  const served: string[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const next = share.next();
    if (next === undefined) break;
    served.push(next.waiter);
  }
  expect(served).toEqual(['a1', 'b1', 'a2', 'b2']);
});

test('whichever waiters are forgotten meanwhile, the others are served once each, in order', () => {
  const share = new FairShare<number>(10);
  for (let at = 1; at <= 1_000; at += 1) share.wait('a', at);
  const served: number[] = [];
  for (let next = share.next(); next !== undefined; next = share.next()) {
    served.push(next.waiter);
    for (let ahead = 1; ahead <= 3; ahead += 1) share.forget('a', next.waiter + ahead);
    if (next.waiter === 501) share.wait('a', 2_000);
  }
  expect(served.slice(0, 250)).toEqual(Array.from({ length: 250 }, (_, at) => at * 4 + 1));
  expect(served.slice(250)).toEqual([2_000]);
});

test('one that waits no more is not called', () => {
  const share = new FairShare<string>(1);
  share.wait('a', 'a1');
  share.forget('a', 'a1');
  expect(share.isCrowded).toBe(false);
  expect(share.next()).toBeUndefined();
});

test('whatever happens, the capacity and its tenth hold, and no holder waits while something is free', () => {
  const holder = fc.constantFrom('a', 'b', 'c', 'd');
  const event = fc.record({ kind: fc.constantFrom('ask', 'end'), holder });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(event, { maxLength: 300 }), (capacity, events) => {
      const share = new FairShare<number>(capacity);
      let waiters = 0;
      let waiting = 0;
      for (const { kind, holder: who } of events) {
        if (kind === 'ask' && share.mayTake(who)) share.take(who);
        else if (kind === 'ask') {
          share.wait(who, waiters);
          waiters += 1;
          waiting += 1;
        } else if (share.heldBy(who) > 0) {
          share.release(who);
          for (let next = share.next(); next !== undefined; next = share.next()) {
            share.take(next.holder);
            waiting -= 1;
          }
        }
        expect(share.taken).toBeLessThanOrEqual(capacity + Math.ceil(capacity / 10));
        expect(waiting === 0 || share.taken >= capacity).toBe(true);
      }
    }),
  );
});
