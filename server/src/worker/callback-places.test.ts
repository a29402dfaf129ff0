import { expect, test } from 'vitest';
import { NO_RANK } from '../store/claim-jobs.ts';
import { CallbackPlaces, type ClaimedCallback } from './callback-places.ts';

const GREEDY = 1;
const MODEST = 2;

let listId = 0;
function add(places: CallbackPlaces, accountId: number, receiver = `${accountId} ${listId}.example`): void {
  listId++;
  places.add({ claim: { jobId: listId, number: 1 }, job: { listId, accountId, receiver } });
}

function filled(atOnce: number, count: number): { places: CallbackPlaces; begun: ClaimedCallback[] } {
  const places = new CallbackPlaces(atOnce);
  for (let n = 0; n < count; n++) add(places, GREEDY);
  return { places, begun: [...places.begin()] };
}

test('alone, an account has every place, and no more', () => {
  const { places, begun } = filled(100, 100);
  expect(begun).toHaveLength(100);
  expect(places.room()).toMatchObject({ accounts: [{ accountId: GREEDY, lists: 100, minRank: NO_RANK }] });
});

test('when every place is taken, accounts with less than their share still come in, few at a time', () => {
  const { places } = filled(100, 100);
  expect(places.room()).toMatchObject({ limit: 8 });
  add(places, MODEST);
  expect(places.room()!.accounts).toContainEqual({ accountId: MODEST, lists: 1, singles: 0, minRank: null });
  expect([...places.begin()]).toHaveLength(1);
  for (let n = 0; n < 9; n++) add(places, MODEST);
  expect(places.room()).toBeNull();
});

test('what waits here of the account that holds most goes back for them, the latest first', () => {
  const places = new CallbackPlaces(10);
  for (let n = 0; n < 10; n++) add(places, GREEDY, '1 slow.example');
  expect([...places.begin()]).toHaveLength(4);
  const waiting = places.waiting();
  add(places, MODEST);
  expect(places.tooMany()).toEqual([waiting.at(-1)]);
  places.drop(waiting.at(-1)!);
  expect(places.tooMany()).toEqual([]);
});

test('a receiver has four attempts under way, and nothing more is claimed for it', () => {
  const places = new CallbackPlaces(100);
  for (let n = 0; n < 6; n++) add(places, GREEDY, '1 slow.example');
  const begun = [...places.begin()];
  expect(begun).toHaveLength(4);
  expect(places.room()!.notFor).toEqual(['1 slow.example']);
  places.drop(begun[0]!);
  expect([...places.begin()]).toHaveLength(1);
});

test('names without end for one address have four attempts under way, as one receiver does', () => {
  const { places, begun } = filled(100, 20);
  expect(begun).toHaveLength(20);
  const connects = (one: ClaimedCallback) =>
    places.mayConnect(one, ['192.0.2.1', `198.51.100.${one.claimed.job.listId % 250}`], '443');
  const refused = begun.filter((one) => !connects(one));
  expect(refused).toHaveLength(16);
  for (const one of refused) places.waitAgain(one);
  expect([...places.begin()]).toHaveLength(0);
  // One ends, one begins: not all that wait for it.
  places.drop(begun.find((one) => !refused.includes(one))!);
  const [next, ...more] = places.begin();
  expect(more).toEqual([]);
  expect(connects(next!)).toBe(true);
});

test("another account's receiver at the same address has attempts of its own, and so has another port", () => {
  const { places, begun } = filled(100, 5);
  expect(begun.map((one) => places.mayConnect(one, ['192.0.2.1'], '443'))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(places.mayConnect(begun[4]!, ['192.0.2.1'], '8443')).toBe(true);
  add(places, MODEST);
  const [modest] = places.begin();
  expect(places.mayConnect(modest!, ['192.0.2.1'], '443')).toBe(true);
});

test('one whose claim was lost while it was under way does not wait again', () => {
  const { places, begun } = filled(10, 1);
  places.drop(begun[0]!);
  places.waitAgain(begun[0]!);
  expect([places.size, places.waiting()]).toEqual([0, []]);
});
