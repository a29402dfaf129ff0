import { expect, test } from 'vitest';
import { NO_RANK } from '../store/claim-jobs.ts';
import type { CallbackJob } from '../store/jobs.ts';
import { CallbackSlots as AnySlots, type ClaimedPost } from './callback-slots.ts';

class CallbackSlots extends AnySlots<CallbackJob> {}

const GREEDY = 1;
const MODEST = 2;

let listId = 0;
function add(slots: CallbackSlots, accountId: number, receiver = `${accountId} ${listId}.example`): void {
  listId++;
  slots.add({ claim: { jobId: listId, number: 1 }, job: { listId, accountId, receiver } });
}

function filled(atOnce: number, count: number): { slots: CallbackSlots; begun: ClaimedPost<CallbackJob>[] } {
  const slots = new CallbackSlots(atOnce);
  for (let n = 0; n < count; n++) add(slots, GREEDY);
  return { slots, begun: [...slots.begin()] };
}

test('alone, an account has every slot, and no more', () => {
  const { slots, begun } = filled(100, 100);
  expect(begun).toHaveLength(100);
  expect(slots.room()).toMatchObject({ accounts: [{ accountId: GREEDY, lists: 100, minRank: NO_RANK }] });
});

test('when every slot is taken, accounts with less than their share still come in, few at a time', () => {
  const { slots } = filled(100, 100);
  expect(slots.room()).toMatchObject({ limit: 8 });
  add(slots, MODEST);
  expect(slots.room()!.accounts).toContainEqual({ accountId: MODEST, lists: 1, singles: 0, minRank: null });
  expect([...slots.begin()]).toHaveLength(1);
  for (let n = 0; n < 9; n++) add(slots, MODEST);
  expect(slots.room()).toBeNull();
});

test('what waits here of the account that holds most goes back for them, the latest first', () => {
  const slots = new CallbackSlots(10);
  for (let n = 0; n < 10; n++) add(slots, GREEDY, '1 slow.example');
  expect([...slots.begin()]).toHaveLength(4);
  const waiting = slots.waiting();
  add(slots, MODEST);
  expect(slots.tooMany()).toEqual([waiting.at(-1)]);
  slots.drop(waiting.at(-1)!);
  expect(slots.tooMany()).toEqual([]);
});

test('a receiver has four attempts under way, and nothing more is claimed for it', () => {
  const slots = new CallbackSlots(100);
  for (let n = 0; n < 6; n++) add(slots, GREEDY, '1 slow.example');
  const begun = [...slots.begin()];
  expect(begun).toHaveLength(4);
  expect(slots.room()!.notFor).toEqual(['1 slow.example']);
  slots.drop(begun[0]!);
  expect([...slots.begin()]).toHaveLength(1);
});

test('names without end for one address have four attempts under way, as one receiver does', () => {
  const { slots, begun } = filled(100, 20);
  expect(begun).toHaveLength(20);
  const connects = (one: ClaimedPost<CallbackJob>) =>
    slots.mayConnect(one, ['192.0.2.1', `198.51.100.${one.claimed.job.listId % 250}`], '443');
  const refused = begun.filter((one) => !connects(one));
  expect(refused).toHaveLength(16);
  for (const one of refused) slots.waitAgain(one);
  expect([...slots.begin()]).toHaveLength(0);
  // One ends, one begins: not all that wait for it.
  slots.drop(begun.find((one) => !refused.includes(one))!);
  const [next, ...more] = slots.begin();
  expect(more).toEqual([]);
  expect(connects(next!)).toBe(true);
});

test("another account's receiver at the same address has attempts of its own, and so has another port", () => {
  const { slots, begun } = filled(100, 5);
  expect(begun.map((one) => slots.mayConnect(one, ['192.0.2.1'], '443'))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(slots.mayConnect(begun[4]!, ['192.0.2.1'], '8443')).toBe(true);
  add(slots, MODEST);
  const [modest] = slots.begin();
  expect(slots.mayConnect(modest!, ['192.0.2.1'], '443')).toBe(true);
});

test('one whose claim was lost while it was under way does not wait again', () => {
  const { slots, begun } = filled(10, 1);
  slots.drop(begun[0]!);
  slots.waitAgain(begun[0]!);
  expect([slots.size, slots.waiting()]).toEqual([0, []]);
});
