import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupDeferred } from './group-deferred.ts';

const NOW = 1_700_000_000_000;
const bySource = () => '192.0.2.1';

test('nothing is asked before its time, little much later, nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(7_200_000), { minLength: 1, maxLength: 250 }), (waits) => {
      const deferred = waits.map((waitMs, position) => ({ position, notBeforeMs: NOW + waitMs }));
      const groups = groupDeferred(deferred, NOW, bySource);
      const asked = groups.flatMap(({ positions, afterMs }) =>
        positions.map(({ position }) => [position, afterMs] as const),
      );
      expect(asked).toHaveLength(waits.length);
      for (const [position, afterMs] of asked) {
        expect(afterMs).toBeGreaterThanOrEqual(waits[position]!);
        expect(afterMs).toBeLessThanOrEqual(waits[position]! + Math.max(500, waits[position]! * 0.1));
      }
    }),
  );
});

test('positions that wait about as long leave together, those of another source apart', () => {
  const deferred = Array.from({ length: 200 }, (_, position) => ({
    position,
    notBeforeMs: NOW + 60_000 + position * 10,
  }));
  expect(groupDeferred(deferred, NOW, bySource).length).toBeLessThanOrEqual(2);
  const apart = groupDeferred(deferred, NOW, ({ position }) => (position % 2 ? '192.0.2.1' : null));
  expect(new Set(apart.map(({ source }) => source))).toEqual(new Set(['192.0.2.1', null]));
});

test('what is handed back unasked waits for nothing', () => {
  expect(groupDeferred([{ position: 1, notBeforeMs: NOW }], NOW + 5, () => null)).toEqual([
    { positions: [{ position: 1 }], source: null, afterMs: 0 },
  ]);
});
