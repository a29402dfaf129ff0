import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countSides, sideOfLimit, staysWithin } from './bounce-limit.ts';

const careful = (bounce_probability: number | null | undefined, suppressed?: boolean) => ({
  ...{ reason: 'low_deliverability', bounce_probability },
  ...(suppressed !== undefined && { suppressed }),
});

test.each([
  ['below it', careful(0.0499), 'below'],
  ['at it', careful(0.05), 'above'],
  ['above it', careful(0.2), 'above'],
  ['with a risk of nothing', careful(0), 'below'],
  ['of which nothing is known', careful(null), 'unknown'],
  ['of a service that does not say', careful(undefined), 'unknown'],
  ['that is suppressed', careful(0.01, true), null],
  ['that is not suppressed', careful(0.01, false), 'below'],
  ['of another group', { reason: 'accepted_email', bounce_probability: 0.9 }, null],
  ['of a later reason', { reason: 'newcomer', bounce_probability: 0.9 }, null],
])('an address %s', (_, result, side) => {
  expect(sideOfLimit(result, 5)).toBe(side);
});

test('the limit is met exactly, whatever the percentage', () => {
  for (let percent = 1; percent <= 100; percent += 1)
    expect(sideOfLimit(careful(percent / 100), percent)).toBe('above');
});

test('only what is known to be below the limit stays of its group, all of the others, and nothing suppressed', () => {
  const reason = fc.constantFrom('accepted_email', 'low_deliverability', 'low_quality', 'rejected_email', '');
  const risk = fc.option(fc.double({ min: 0, max: 1, noNaN: true }));
  const result = fc.record({ reason, bounce_probability: risk, suppressed: fc.boolean() });
  const limit = fc.option(fc.integer({ min: 1, max: 100 }));
  fc.assert(
    fc.property(result, limit, (row, percent) => {
      const isCut =
        percent !== null &&
        row.reason === 'low_deliverability' &&
        (row.bounce_probability === null || row.bounce_probability >= percent / 100);
      expect(staysWithin(row, percent)).toBe(!row.suppressed && !isCut);
    }),
  );
});

test('those on each side are counted, and those of which nothing is known apart', () => {
  const rows = [careful(0.01), careful(0.02), careful(0.5), careful(null), careful(0.01, true)];
  expect(countSides([...rows, { reason: 'accepted_email' }], 5)).toEqual({ below: 2, above: 1, unknown: 1 });
});
