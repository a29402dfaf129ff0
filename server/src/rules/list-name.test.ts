import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameOf, storedName } from './list-name.ts';

test('a name comes back as it was, and what is none can still be read', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => nameOf(storedName(name)) === name));
  for (const damaged of ['[erased]"', '"not json', '', '3', '{}']) expect(nameOf(damaged)).toBe('[erased]');
});
