import { expect, test } from 'vitest';
import { createFairSemaphore } from './fair-semaphore.ts';

/** Requests of one place, one after the other; returns the order in which they had it. */
async function orderOf(holders: readonly string[]): Promise<string[]> {
  const semaphore = createFairSemaphore(1);
  const order: string[] = [];
  await Promise.all(
    holders.map(async (holder) => {
      const end = await semaphore.acquire(holder);
      order.push(holder);
      await Promise.resolve();
      end!();
    }),
  );
  return order;
}

test('an account with a single wish does not wait for all of those that came before it', async () => {
  const order = await orderOf([...Array.from({ length: 50 }, () => 'greedy'), 'modest']);
  expect(order.indexOf('modest')).toBeLessThanOrEqual(2);
  expect(order).toHaveLength(51);
});

test('accounts with many requests each alternate', async () => {
  const many = (holder: string) => Array.from({ length: 20 }, () => holder);
  const order = await orderOf([...many('one'), ...many('other')]);
  const ones = order.slice(0, 20).filter((holder) => holder === 'one').length;
  expect(ones).toBeGreaterThanOrEqual(8);
  expect(ones).toBeLessThanOrEqual(12);
});

test('alone, an account has every place', async () => {
  const semaphore = createFairSemaphore(4);
  for (let place = 0; place < 4; place++) expect(await semaphore.acquire('alone')).not.toBeNull();
  const fifth = semaphore.acquire('alone');
  expect(semaphore.waitingOf('alone')).toBe(1);
  expect(await Promise.race([fifth, Promise.resolve('waits')])).toBe('waits');
});

test('a request that leaves the queue takes no place', async () => {
  const semaphore = createFairSemaphore(1);
  const first = await semaphore.acquire('one');
  const leaving = new AbortController();
  const left = semaphore.acquire('one', leaving.signal);
  const stays = semaphore.acquire('one');
  leaving.abort();
  expect(await left).toBeNull();
  first!();
  first!();
  const end = await stays;
  expect(end).not.toBeNull();
  expect(await semaphore.acquire('one', AbortSignal.abort())).toBeNull();
  end!();
  expect(await semaphore.acquire('one')).not.toBeNull();
});
