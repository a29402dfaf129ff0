import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SizedMap } from './sized-map.ts';

interface Value {
  bytes: number;
  isUsed?: boolean;
}

function map(budgetBytes: number) {
  return new SizedMap<Value>({ budgetBytes, largeFromBytes: 100, isInUse: ({ isUsed }) => isUsed === true });
}

const names = (kind: string, count: number) => Array.from({ length: count }, (_, at) => `${kind}${at}`);

test('beyond the budget the oldest go, and one that is set again is young', () => {
  const kept = map(50);
  for (const name of names('n', 5)) kept.set(name, { bytes: 10 });
  kept.set('n0', { bytes: 10 });
  kept.set('n5', { bytes: 10 });
  expect(names('n', 6).filter((name) => kept.get(name) !== undefined)).toEqual([
    'n0',
    'n2',
    'n3',
    'n4',
    'n5',
  ]);
  expect(kept.bytes).toBe(50);
});

test('large entries evict only each other', () => {
  const kept = map(4_000);
  for (const name of names('small', 300)) kept.set(name, { bytes: 10 });
  for (const name of names('large', 1_000)) kept.set(name, { bytes: 200 });
  expect(names('small', 300).every((name) => kept.get(name) !== undefined)).toBe(true);
  expect(names('large', 1_000).filter((name) => kept.get(name) !== undefined)).toEqual(
    names('large', 1_000).slice(-5),
  );
});

test('one that grows large pays like the large', () => {
  const kept = map(1_000);
  for (const name of names('n', 10)) kept.set(name, { bytes: 50 });
  for (const name of names('n', 10)) kept.grow(name, 100);
  expect(names('n', 10).filter((name) => kept.get(name) !== undefined)).toEqual(['n9']);
  expect(kept.bytes).toBe(150);
});

test('what is in use stays, and goes once it is not', () => {
  const kept = map(50);
  const used = { bytes: 10, isUsed: true };
  kept.set('used', used);
  for (const name of names('n', 20)) kept.set(name, { bytes: 10 });
  expect(kept.get('used')).toBe(used);
  used.isUsed = false;
  for (const name of names('m', 20)) kept.set(name, { bytes: 10 });
  expect(kept.get('used')).toBeUndefined();
});

test('whatever happens, the sum is that of what is there, and within the budget', () => {
  const event = fc.record({
    kind: fc.constantFrom('set', 'set', 'delete', 'grow'),
    name: fc.integer({ min: 0, max: 30 }),
    bytes: fc.integer({ min: 1, max: 300 }),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 400 }), (events) => {
      const kept = map(1_000);
      for (const { kind, name, bytes } of events) {
        if (kind === 'set') kept.set(`${name}`, { bytes });
        else if (kind === 'grow') kept.grow(`${name}`, bytes);
        else kept.delete(`${name}`);
        let sum = 0;
        for (let at = 0; at <= 30; at += 1) sum += kept.get(`${at}`)?.bytes ?? 0;
        expect(kept.bytes).toBe(sum);
        expect(sum).toBeLessThanOrEqual(1_000);
      }
    }),
  );
});
