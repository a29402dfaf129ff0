import { expect, test } from 'vitest';
import { acceptedRow as accepted } from '../../test/verdicts.ts';
import { type Breakdown, type BreakdownCount, countBreakdown } from './breakdown.ts';

function resultOf(counted: BreakdownCount): Breakdown & { steps: number } {
  const steps = counted.result();
  for (let taken = 1; ; taken++) {
    const step = steps.next();
    if (step.done) return { ...step.value, steps: taken };
  }
}

test('of a hundred thousand domains the fifty largest are told, by size and then by name', () => {
  const counted = countBreakdown();
  const name = (n: number) => `d${String(n).padStart(6, '0')}.test`;
  for (let n = 99_999; n >= 0; n--) counted.add([`a@${name(n)}`], [accepted]);
  counted.add([`b@${name(70_000)}`, `b@${name(60_000)}`], [null, accepted]);
  const { domains, steps } = resultOf(counted);
  expect(steps).toBeGreaterThan(40);
  expect(domains.map(({ domain }) => domain)).toEqual([
    name(60_000),
    name(70_000),
    ...Array.from({ length: 48 }, (_, n) => name(n)),
  ]);
  expect(domains[1]).toEqual({
    domain: name(70_000),
    total: 2,
    deliverable: 1,
    risky: 0,
    undeliverable: 0,
    unknown: 0,
  });
});

test('what is no address belongs to no domain, and whatever is called a domain is only text', () => {
  const counted = countBreakdown();
  const none = ['plain', 'a@', `${'a'.repeat(314)}@x.test`];
  const some = ['a@__proto__', 'a@constructor', '@x.test', 'a@b@x.test', 'a@\ud800'];
  counted.add(
    [...none, ...some],
    [...none, ...some].map(() => accepted),
  );
  const { domains, reasons } = resultOf(counted);
  expect(domains.map(({ domain, total }) => [domain, total])).toEqual([
    ['x.test', 2],
    ['__proto__', 1],
    ['constructor', 1],
    ['\ud800', 1],
  ]);
  expect(reasons.accepted_email).toBe(8);
});

test('a provider whose word is not ours any more is counted under it', () => {
  const counted = countBreakdown();
  const of = (provider: string) => ({ ...accepted, provider });
  counted.add(['a@x', 'b@x', 'c@x', 'd@x'], [of('__proto__'), of('old'), of('old'), of('')]);
  expect(Object.entries(resultOf(counted).providers)).toEqual([
    ['old', 2],
    ['__proto__', 1],
  ]);
});

test('details that occur are counted, the most frequent first; a row from before 0.2 has none', () => {
  const counted = countBreakdown();
  const of = (detail: (typeof accepted)['detail']) => ({ ...accepted, detail });
  counted.add(
    ['a@x', 'b@x', 'c@x', 'd@x', 'e@x'],
    [of('timeout'), of('greylisted'), of('timeout'), of(null), null],
  );
  expect(Object.entries(resultOf(counted).details)).toEqual([
    ['timeout', 2],
    ['greylisted', 1],
  ]);
});
