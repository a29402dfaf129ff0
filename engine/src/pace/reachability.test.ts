import { expect, test } from 'vitest';
import { PROBE_EVERY_MS, Reachability } from './reachability.ts';

test('a few dead hosts are dead hosts', () => {
  const reach = new Reachability(() => 1);
  for (let i = 0; i < 9; i += 1) expect(reach.note('anyone', `h${i}`, false, 0)).toBeNull();
  for (let i = 0; i < 50; i += 1) expect(reach.note('anyone', 'h0', false, 0)).toBeNull();
  expect(reach.ok).toBe(true);
});

test('many dead hosts among living ones are dead hosts too', () => {
  const reach = new Reachability(() => 1);
  for (let i = 0; i < 300; i += 1) expect(reach.note('anyone', `h${i}`, i % 5 === 0, i)).toBeNull();
});

test('when nearly all fail it is said once, one try now and then is let through, and one answer ends it', () => {
  const reach = new Reachability(() => 1);
  const said = Array.from({ length: 30 }, (_, i) => reach.note('anyone', `h${i}`, false, i));
  expect(said.filter((word) => word === 'lost')).toHaveLength(1);
  expect(reach.mayTry('anyone', 1_000)).toBe(false);
  expect(reach.mayTry('anyone', 1_000 + PROBE_EVERY_MS)).toBe(true);
  expect(reach.mayTry('anyone', 1_001 + PROBE_EVERY_MS)).toBe(false);
  expect(reach.note('anyone', 'h3', true, 99_999)).toBe('found');
  expect(reach.ok).toBe(true);
});

test('ten hosts that answered a while ago and fail one after the other are a cut cable', () => {
  const reach = new Reachability(() => 1);
  for (let i = 0; i < 40; i += 1) reach.note('anyone', `h${i}`, true, i);
  const said = Array.from({ length: 10 }, (_, i) => reach.note('anyone', `h${i}`, false, 1_000 + i));
  expect(said).toEqual([...Array.from({ length: 9 }, () => null), 'lost']);
});

test('hosts that go while another answers are hosts that went', () => {
  const reach = new Reachability(() => 1);
  for (let i = 0; i < 40; i += 1) reach.note('anyone', `h${i}`, true, i);
  for (let i = 0; i < 30; i += 1) {
    expect(reach.note('anyone', `h${i}`, false, 1_000 + i)).toBeNull();
    if (i % 5 === 0) reach.note('anyone', 'h39', true, 1_000 + i);
  }
});

test('failures of yesterday do not count', () => {
  const reach = new Reachability(() => 1);
  for (let i = 0; i < 9; i += 1) reach.note('anyone', `h${i}`, false, 0);
  expect(reach.note('anyone', 'h10', false, 24 * 3_600_000)).toBeNull();
});

test('where few hosts are known, it is us when every one of them is gone, and not before', () => {
  const reach = new Reachability(() => 1);
  for (const host of ['a', 'b', 'c']) reach.note('anyone', host, true, 0);
  expect([reach.note('anyone', 'a', false, 1), reach.note('anyone', 'b', false, 2)]).toEqual([null, null]);
  expect(reach.note('anyone', 'c', false, 3)).toBe('lost');
  const other = new Reachability(() => 1);
  for (const host of ['a', 'b', 'c', 'd']) other.note('anyone', host, true, 0);
  for (const host of ['a', 'b', 'c']) expect(other.note('anyone', host, false, 1)).toBe(null);
});

test('hosts that never answered are hosts, and no reason to doubt ourselves', () => {
  const reach = new Reachability(() => 1);
  for (const host of ['a', 'b', 'c', 'd']) expect(reach.note('anyone', host, false, 0)).toBe(null);
  expect(reach.mayBeUs('anyone')).toBe(false);
});

const two = () => new Reachability(() => 2);
const DEAD = Array.from({ length: 30 }, (_, i) => `dead${i}`);

test('one payer alone is lost alone, and an answer to another one ends it', () => {
  const reach = two();
  expect(DEAD.map((host, i) => reach.note('a', host, false, i))).toEqual(DEAD.map(() => null));
  const seen = () => [reach.ok, reach.isReachable('a'), reach.isReachable('b'), reach.cutOffSinceMsFor('b')];
  // No host has ever answered: that is suspicious, and holds no other payer back.
  expect(seen()).toEqual([true, false, true, 2]);
  expect([reach.mayTry('a', 100), reach.mayTry('b', 100), reach.mayTry('b', 100)]).toEqual([
    false,
    true,
    true,
  ]);
  reach.note('b', 'alive', true, 200);
  expect(seen()).toEqual([true, true, true, null]);
});

test('hosts that fail while another payer is answered are dead hosts, however many', () => {
  const reach = two();
  for (let i = 0; i < 3_000; i += 1) {
    if (i % 100 === 0) reach.note('b', 'alive', true, i * 10);
    reach.note('a', `dead${i}`, false, i * 10);
    expect(reach.isReachable('a')).toBe(true);
  }
});

test('two payers that agree are everyone, and each may try by itself', () => {
  const reach = two();
  reach.note('b', 'alive', true, 0);
  for (const host of DEAD) reach.note('a', host, false, 5_000);
  expect([reach.ok, reach.isReachable('a'), reach.isReachable('b')]).toEqual([true, false, true]);
  const said = [5_001, 5_002, 5_003, 8_003].map((nowMs, i) => reach.note('b', `h${i}`, false, nowMs));
  expect(said).toEqual([null, null, null, 'lost']);
  expect(reach.cutOffSinceMs).toBe(8_003);
  const tries = (nowMs: number) => ['a', 'a', 'b', 'b'].map((payer) => reach.mayTry(payer, nowMs));
  expect(tries(8_004)).toEqual([false, false, false, false]);
  expect(tries(8_003 + PROBE_EVERY_MS)).toEqual([true, false, true, false]);
  // One that has met nothing asks, and what fails is not held against its hosts.
  expect([reach.mayTry('c', 8_005), reach.isReachable('c')]).toEqual([true, false]);
  expect(reach.note('c', 'alive', true, 9_000)).toBe('found');
  expect(['a', 'b', 'c'].map((payer) => reach.isReachable(payer))).toEqual([true, true, true]);
});

test('a payer agrees only while nothing answers it, and not with its first failures', () => {
  const reach = two();
  for (const host of DEAD) reach.note('a', host, false, 0);
  for (const host of DEAD.slice(0, 9)) reach.note('b', host, false, 1);
  expect(reach.isReachable('b')).toBe(true);
  reach.note('b', 'alive', true, 2);
  for (const host of DEAD) reach.note('a', host, false, 5_000);
  expect(reach.isReachable('a')).toBe(false);
  reach.note('b', 'dead0', false, 9_000);
  reach.note('b', 'dead1', false, 9_001);
  expect([reach.review(60_000), reach.isReachable('b')]).toEqual([null, true]);
});

test('what failed just after another payer was answered is looked at again', () => {
  const reach = two();
  reach.note('b', 'alive', true, 0);
  reach.note('a', 'alive', true, 0);
  for (const host of DEAD) reach.note('a', host, false, 1_000);
  for (const host of DEAD) reach.note('b', host, false, 1_000);
  expect([reach.ok, reach.isReachable('a'), reach.review(2_000)]).toEqual([true, true, null]);
  expect([reach.review(10_000), reach.review(10_000), reach.ok]).toEqual(['lost', null, false]);
});

test('a failure that no account asked for is held against no account', () => {
  const reach = two();
  for (const host of DEAD) reach.note('', host, false, 0);
  expect(reach.isReachable('')).toBe(true);
});
