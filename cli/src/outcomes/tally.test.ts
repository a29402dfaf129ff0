import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bouncedShare, deliveredShare, KNOWN, Tally } from './tally.ts';

test('of several outcomes of an address the one that says most counts, in whatever order they come', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a@x.org', 'b@x.org', 'c@y.org'), fc.constantFrom(...KNOWN))),
      fc.integer(),
      (outcomes, seed) => {
        const sumOf = (each: typeof outcomes) => {
          const tally = new Tally(1);
          for (const email of ['a@x.org', 'b@x.org']) tally.addState(0, email, 'deliverable');
          for (const [email, outcome] of each) tally.addOutcome(email, outcome);
          return { ...tally.sum(), unmatched: tally.unmatched };
        };
        const shuffled = outcomes.toSorted(
          ([a], [b]) => a.charCodeAt(0) * seed - b.charCodeAt(0) * seed || 1,
        );
        expect(sumOf(shuffled)).toEqual(sumOf(outcomes));
        expect(sumOf(outcomes.toReversed())).toEqual(sumOf(outcomes));
      },
    ),
  );
});

test('a bounce overrides that it was delivered; a delivery that it was refused before', () => {
  const tally = new Tally(1);
  for (const email of ['a@x.org', 'b@x.org', 'c@x.org']) tally.addState(0, email, 'deliverable');
  for (const outcome of ['bounced', 'delivered'] as const) tally.addOutcome('a@x.org', outcome);
  for (const outcome of ['delivered', 'blocked'] as const) tally.addOutcome('b@x.org', outcome);
  expect(tally.sum().matrices[0]!.deliverable).toMatchObject({ bounced: 1, delivered: 1, none: 1 });
});

test('all files are judged by the addresses that all have, whatever states and files there are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.option(fc.constantFrom(...STATE_WORDS)), { minLength: 8, maxLength: 8 })),
      fc.array(fc.constantFrom(...KNOWN)),
      (addresses, outcomes) => {
        const tally = new Tally(8);
        for (const [at, states] of addresses.entries())
          for (const [file, state] of states.entries())
            if (state !== null) tally.addState(file, `${at}@x${at % 3}.org`, state);
        for (const [at, outcome] of outcomes.entries()) tally.addOutcome(`${at}@x${at % 3}.org`, outcome);
        const complete = addresses.filter((states) => !states.includes(null));
        const { matrices, addresses: compared } = tally.sum();
        expect(compared).toBe(complete.length);
        for (const [file, matrix] of matrices.entries())
          for (const state of STATE_WORDS) {
            const counted = Object.values(matrix[state]).reduce((sum, each) => sum + each, 0);
            expect(counted).toBe(complete.filter((states) => states[file] === state).length);
          }
        const ofDomains = tally.byDomain().map((each) => each.matrices[0]!.risky.none);
        expect(ofDomains.reduce((sum, each) => sum + each, 0)).toBe(matrices[0]!.risky.none);
      },
    ),
    { examples: [[[Array.from({ length: 8 }, () => 'unknown' as const)], ['bounced']]] },
  );
});

test('the table of this example is the one that was computed by hand', () => {
  const tally = new Tally(1);
  // 40 called deliverable: 36 delivered, 1 complaint, 2 bounced, 1 blocked. 10 called undeliverable: 9 bounced, 1 delivered.
  const add = (state: 'deliverable' | 'undeliverable', outcome: (typeof KNOWN)[number], times: number) => {
    for (let n = 0; n < times; n += 1) {
      const email = `${state}-${outcome}-${n}@x.org`;
      tally.addState(0, email, state);
      tally.addOutcome(email, outcome);
    }
  };
  add('deliverable', 'delivered', 36);
  add('deliverable', 'complained', 1);
  add('deliverable', 'bounced', 2);
  add('deliverable', 'blocked', 1);
  add('undeliverable', 'bounced', 9);
  add('undeliverable', 'delivered', 1);
  const [matrix] = tally.sum().matrices;
  const wrong = bouncedShare(matrix!.deliverable);
  expect(wrong).toMatchObject({ count: 2, of: 39 });
  expect(wrong.rate).toBeCloseTo(0.0513, 4);
  expect(wrong.low).toBeCloseTo(0.0142, 4);
  expect(wrong.high).toBeCloseTo(0.1689, 4);
  // Fewer than 30: nothing is claimed.
  expect(deliveredShare(matrix!.undeliverable)).toMatchObject({ count: 1, of: 10, rate: null });
});

test('more addresses than fit are refused in one sentence', () => {
  const tally = new Tally(1, 2);
  tally.addState(0, 'a@x.org', 'risky');
  tally.addState(0, 'b@x.org', 'risky');
  tally.addState(0, 'a@x.org', 'risky');
  expect(() => tally.addState(0, 'c@x.org', 'risky')).toThrow(/more than 2 different addresses/);
});
