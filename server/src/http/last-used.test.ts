import { afterEach, beforeEach, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import type { Database } from '../store/database.ts';
import { createLastUsed } from './last-used.ts';

let service: TestService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

test('many requests of many keys are one statement, and those that follow within a minute are none', async () => {
  const written: unknown[] = [];
  const { db } = service.context;
  const counting: Database = {
    ...db,
    query: (text, values) => {
      written.push(values?.[0]);
      return db.query(text, values);
    },
  };
  const lastUsed = createLastUsed(counting);
  for (const keyId of [1, 2, 1, 3, 2, 1]) lastUsed.saw(keyId);
  await lastUsed.settled();
  expect(written).toEqual([[1, 2, 3]]);
  for (const keyId of [1, 2, 3]) lastUsed.saw(keyId);
  await lastUsed.settled();
  expect(written).toHaveLength(1);
  lastUsed.saw(4);
  await lastUsed.settled();
  expect(written).toEqual([[1, 2, 3], [4]]);
  const rows = await db.query('SELECT id FROM mxproof.api_keys WHERE last_used_at IS NOT NULL');
  expect(rows).toEqual([{ id: 1 }]);
});
