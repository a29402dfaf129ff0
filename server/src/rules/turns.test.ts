import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

/** Takes turns one after the other at one place; answers in which order they came. */
async function orderOf(holders: readonly string[]): Promise<string[]> {
  const turns = createTurns(1);
  const order: string[] = [];
  await Promise.all(
    holders.map(async (holder) => {
      const end = await turns.take(holder);
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

test('accounts with many wishes each take turns', async () => {
  const many = (holder: string) => Array.from({ length: 20 }, () => holder);
  const order = await orderOf([...many('one'), ...many('other')]);
  const ones = order.slice(0, 20).filter((holder) => holder === 'one').length;
  expect(ones).toBeGreaterThanOrEqual(8);
  expect(ones).toBeLessThanOrEqual(12);
});

test('alone, an account has every place', async () => {
  const turns = createTurns(4);
  for (let place = 0; place < 4; place++) expect(await turns.take('alone')).not.toBeNull();
  const fifth = turns.take('alone');
  expect(turns.waitingOf('alone')).toBe(1);
  expect(await Promise.race([fifth, Promise.resolve('waits')])).toBe('waits');
});

test('a request that leaves the queue has no turn, and takes none from another', async () => {
  const turns = createTurns(1);
  const first = await turns.take('one');
  const leaving = new AbortController();
  const left = turns.take('one', leaving.signal);
  const stays = turns.take('one');
  leaving.abort();
  expect(await left).toBeNull();
  first!();
  first!();
  const end = await stays;
  expect(end).not.toBeNull();
  expect(await turns.take('one', AbortSignal.abort())).toBeNull();
  end!();
  expect(await turns.take('one')).not.toBeNull();
});
