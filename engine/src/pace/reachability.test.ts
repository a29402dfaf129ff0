import { expect, test } from 'vitest';
import { PROBE_EVERY_MS, Reachability } from './reachability.ts';

test('a few dead hosts are dead hosts', () => {
  const reach = new Reachability();
  for (let i = 0; i < 9; i += 1) expect(reach.note(`h${i}`, false, 0)).toBeNull();
  for (let i = 0; i < 50; i += 1) expect(reach.note('h0', false, 0)).toBeNull();
  expect(reach.ok).toBe(true);
});

test('many dead hosts among living ones are dead hosts too', () => {
  const reach = new Reachability();
  for (let i = 0; i < 300; i += 1) expect(reach.note(`h${i}`, i % 5 === 0, i)).toBeNull();
});

test('when nearly all fail it is said once, one try now and then is let through, and one answer ends it', () => {
  const reach = new Reachability();
  const said = Array.from({ length: 30 }, (_, i) => reach.note(`h${i}`, false, i));
  expect(said.filter((word) => word === 'lost')).toHaveLength(1);
  expect(reach.mayTry(1_000)).toBe(false);
  expect(reach.mayTry(1_000 + PROBE_EVERY_MS)).toBe(true);
  expect(reach.mayTry(1_001 + PROBE_EVERY_MS)).toBe(false);
  expect(reach.note('h3', true, 99_999)).toBe('found');
  expect(reach.ok).toBe(true);
});

test('ten hosts that answered a while ago and fail one after the other are a cut cable', () => {
  const reach = new Reachability();
  for (let i = 0; i < 40; i += 1) reach.note(`h${i}`, true, i);
  const said = Array.from({ length: 10 }, (_, i) => reach.note(`h${i}`, false, 1_000 + i));
  expect(said).toEqual([...Array.from({ length: 9 }, () => null), 'lost']);
});

test('hosts that go while another answers are hosts that went', () => {
  const reach = new Reachability();
  for (let i = 0; i < 40; i += 1) reach.note(`h${i}`, true, i);
  for (let i = 0; i < 30; i += 1) {
    expect(reach.note(`h${i}`, false, 1_000 + i)).toBeNull();
    if (i % 5 === 0) reach.note('h39', true, 1_000 + i);
  }
});

test('failures of yesterday do not count', () => {
  const reach = new Reachability();
  for (let i = 0; i < 9; i += 1) reach.note(`h${i}`, false, 0);
  expect(reach.note('h10', false, 24 * 3_600_000)).toBeNull();
});

test('where few hosts are known, it is us when every one of them is gone, and not before', () => {
  const reach = new Reachability();
  for (const host of ['a', 'b', 'c']) reach.note(host, true, 0);
  expect([reach.note('a', false, 1), reach.note('b', false, 2)]).toEqual([null, null]);
  expect(reach.note('c', false, 3)).toBe('lost');
  const other = new Reachability();
  for (const host of ['a', 'b', 'c', 'd']) other.note(host, true, 0);
  for (const host of ['a', 'b', 'c']) expect(other.note(host, false, 1)).toBe(null);
});

test('hosts that never answered are hosts, and no reason to doubt ourselves', () => {
  const reach = new Reachability();
  for (const host of ['a', 'b', 'c', 'd']) expect(reach.note(host, false, 0)).toBe(null);
  expect(reach.mayBeUs).toBe(false);
});
