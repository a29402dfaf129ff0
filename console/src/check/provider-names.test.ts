import { PROVIDER_NAMES, providerName } from '@mxproof/files/provider-names';
import { expect, test } from 'vitest';
import { filterQuery } from '../../../server/src/http/wire/filter-query.ts';

const { enum: WORDS } = filterQuery.provider.items as unknown as { enum: readonly string[] };

test('every provider that the service knows has a name of its own, as people write it', () => {
  const names = WORDS.map(providerName);
  expect(names.filter((name) => !/^[A-Z]|[A-Z.]/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(WORDS.length);
  expect(Object.keys(PROVIDER_NAMES).filter((word) => !WORDS.includes(word))).toEqual([]);
  expect(['google', 'microsoft', 'apple', 'other', 'newcomer', ''].map(providerName)).toEqual([
    'Google',
    'Microsoft 365',
    'iCloud',
    'Other',
    'Newcomer',
    '',
  ]);
});
