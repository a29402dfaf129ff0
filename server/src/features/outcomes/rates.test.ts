// Rates, intervals and estimates: decided without a database.

import { wilson } from '@mxproof/common/wilson';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heldBackMail } from '../../../test/held-back-mail.ts';
import { type AddressCount, accuracyOf, rounded } from './accuracy.ts';
import { estimateOf, NO_TALLY, type Tally } from './estimate.ts';

test.each([
  // By hand, as the roots of (p − hits/n)² = z²·p(1−p)/n, z = 1.959964.
  [0, 10, 0, 0.277533],
  [10, 10, 0.722467, 1],
  [5, 10, 0.236593, 0.763407],
  [31, 12_480, 0.001751, 0.003524],
  [1, 30, 0.005909, 0.166704],
  [300, 1_000, 0.272407, 0.329124],
])('Wilson: %i of %i are between %f and %f', (hits, n, low, high) => {
  const interval = wilson(hits, n);
  expect(interval.low).toBeCloseTo(low, 5);
  expect(interval.high).toBeCloseTo(high, 5);
});

test('an interval is within 0 and 1, has the share in it, and narrows as more is known', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, part) => {
      const hits = Math.round(n * part);
      const { low, high } = wilson(hits, n);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(hits / n);
      expect(high).toBeGreaterThanOrEqual(hits / n);
      const more = wilson(10 * hits, 10 * n);
      expect(more.high - more.low).toBeLessThan(high - low);
    }),
  );
});

const counted = (
  state: string,
  provider: string,
  detail: string,
  outcome: string,
  count: number,
): AddressCount => ({
  state,
  provider,
  detail,
  outcome,
  count,
});

test('a table by hand: what is full, blocked or unclear counts against nothing, and nothing is claimed below 30', () => {
  const { states, providers, details } = accuracyOf([
    counted('deliverable', 'google', 'accepted', 'delivered', 90),
    counted('deliverable', 'google', 'accepted', 'complained', 5),
    counted('deliverable', 'google', 'accepted', 'bounced', 5),
    counted('deliverable', 'google', 'accepted', 'blocked', 400),
    counted('deliverable', 'other', 'accepted', 'delivered', 20),
    counted('deliverable', 'other', 'accepted', 'full', 7),
    counted('risky', 'other', 'catch_all', 'bounced', 29),
    counted('undeliverable', 'yahoo', 'no_such_mailbox', 'bounced', 27),
    counted('undeliverable', 'yahoo', 'no_such_mailbox', 'delivered', 3),
    counted('unknown', 'other', 'greylisted', 'unclear', 2),
  ]);
  expect(states).toEqual({
    deliverable: { delivered: 110, bounced: 5, full: 7, blocked: 400, complained: 5, unclear: 0 },
    risky: { delivered: 0, bounced: 29, full: 0, blocked: 0, complained: 0, unclear: 0 },
    undeliverable: { delivered: 3, bounced: 27, full: 0, blocked: 0, complained: 0, unclear: 0 },
    unknown: { delivered: 0, bounced: 0, full: 0, blocked: 0, complained: 0, unclear: 2 },
  });
  const none = { rate: null, low: null, high: null };
  expect(providers).toEqual([
    {
      provider: 'google',
      state: 'deliverable',
      n: 100,
      bounced: 5,
      rate: 0.05,
      low: 0.021544,
      high: 0.11175,
    },
    { provider: 'yahoo', state: 'undeliverable', n: 30, bounced: 27, rate: 0.9, low: 0.743789, high: 0.9654 },
    { provider: 'other', state: 'risky', n: 29, bounced: 29, ...none },
    { provider: 'other', state: 'deliverable', n: 20, bounced: 0, ...none },
  ]);
  expect(details.map(({ detail, n, bounced, rate }) => [detail, n, bounced, rate])).toEqual([
    ['accepted', 120, 5, rounded(5 / 120)],
    ['no_such_mailbox', 30, 27, 0.9],
    ['catch_all', 29, 29, null],
  ]);
});

const tally = (bounced: number, n: number): Tally => ({ n, bounced });

test('an estimate by hand: the domain borrows 20 addresses of its provider, which borrowed 20 of the others', () => {
  // Others: 300 of 1,000. The provider without the domain: 6 of 60, and 20 at 0.3: 12 of 80. The domain: 5 of 10, and 20 at 0.15.
  const estimate = estimateOf(tally(311, 1_070), tally(11, 70), tally(5, 10))!;
  expect(estimate).toMatchObject({ n: 10, basis: 'domain' });
  expect(estimate.probability).toBeCloseTo(8 / 30, 12);
  expect(estimate).toMatchObject(wilson(8, 30));
  // A domain that is not known has its provider's: 11 of 70, and 20 at 0.3.
  const ofProvider = estimateOf(tally(311, 1_070), tally(11, 70), NO_TALLY)!;
  expect(ofProvider).toMatchObject({ n: 70, basis: 'provider' });
  expect(ofProvider.probability).toBeCloseTo(17 / 90, 12);
  expect(estimateOf(tally(300, 1_000), NO_TALLY, NO_TALLY)).toMatchObject({
    probability: 0.3,
    n: 1_000,
    basis: 'detail',
  });
  // Nothing else is known than of the domain: it stands for itself.
  expect(estimateOf(tally(5, 10), tally(5, 10), tally(5, 10))).toMatchObject({ probability: 0.5, n: 10 });
  expect(estimateOf(NO_TALLY, NO_TALLY, NO_TALLY)).toBeNull();
});

test('an estimate is a share with its interval around it, and a bounce more of the same group never lowers it', () => {
  const part = (most: number) => fc.integer({ min: 0, max: most });
  fc.assert(
    fc.property(part(50), part(50), part(500), part(500), part(5_000), part(5_000), (a, b, c, d, e, f) => {
      const domain = tally(a, a + b);
      const provider = tally(a + c, a + b + c + d);
      const detail = tally(a + c + e, a + b + c + d + e + f);
      const estimate = estimateOf(detail, provider, domain);
      if (estimate === null) return expect(detail.n).toBe(0);
      const { probability, low, high, n, basis } = estimate;
      expect(n).toBe({ domain, provider, detail }[basis].n);
      expect(n).toBeGreaterThan(0);
      expect(low).toBeLessThanOrEqual(probability);
      expect(high).toBeGreaterThanOrEqual(probability);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      const more = (each: Tally) => tally(each.bounced + 1, each.n + 1);
      const after = estimateOf(more(detail), more(provider), domain.n === 0 ? domain : more(domain))!;
      if (after.basis === basis) expect(after.probability).toBeGreaterThanOrEqual(probability - 1e-12);
    }),
  );
});

test.each([
  ['domains much alike', 200],
  ['domains that differ', 20],
  ['domains that have little in common', 4],
])('mail that was held back bounces as often as was estimated: %s', (_, alike) => {
  const { estimated, n, low, high } = heldBackMail(alike).get(1)!;
  expect(n).toBeGreaterThan(2_000);
  // Where domains have little in common, a fixed weight of their provider is too much, by a point or two.
  const slack = alike < 20 ? 0.02 : 0;
  expect(estimated).toBeGreaterThan(low - slack);
  expect(estimated).toBeLessThan(high + slack);
});
