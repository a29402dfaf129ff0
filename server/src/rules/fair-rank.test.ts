import { expect, test } from 'vitest';
import { rankOf, shareOf } from './fair-rank.ts';

test("a small list's only chunk goes before a large list's second; single checks go before both", () => {
  expect(rankOf({ n: 0 })).toBeGreaterThan(rankOf({ n: 1 }));
  expect(rankOf({ n: 0, single: true })).toBeGreaterThan(rankOf({ n: 0 }));
});

test('three nodes that wake one after the other take the same', () => {
  const all = { ready: 120, claimed: 0 };
  const hands = [0, 0, 0].map((mine) => {
    const taken = shareOf(all, mine, 3);
    all.ready -= taken;
    all.claimed += taken;
    return taken;
  });
  expect(hands).toEqual([40, 40, 40]);
  // More comes while two of them still work: the node with the fewest takes most.
  expect(shareOf({ ready: 30, claimed: 60 }, 0, 3)).toBe(30);
  expect(shareOf({ ready: 30, claimed: 60 }, 40, 3)).toBe(0);
});

test('the last chunk is taken by some node, and a node that is alone takes all', () => {
  expect(shareOf({ ready: 1, claimed: 0 }, 0, 5)).toBe(1);
  expect(shareOf({ ready: 7, claimed: 3 }, 3, 1)).toBe(7);
});
