import { expect, test } from 'vitest';
import type { Database, Row } from '../store/database.ts';
import { createTargetTrials } from './target-trials.ts';

test('an attempt that ends while the database is read counts for the reader, which has not seen it yet', async () => {
  const reads: ((row: Row) => void)[] = [];
  const db = {
    prepared: (name: string) =>
      name === 'read-callback-targets'
        ? new Promise((resolve) => reads.push((row) => resolve([row])))
        : Promise.resolve([]),
  } as unknown as Database;
  const trials = createTargetTrials(db);
  const nineteen = { unknown: 1, silent: 19 };

  const first = trials.begin(1);
  const mayFirst = first.mayTry(['192.0.2.1'], '443');
  reads[0]!(nineteen);
  expect(await mayFirst).toBe('yes');

  const maySecond = trials.begin(1).mayTry(['192.0.2.2'], '443');
  await first.end(false);
  reads[1]!(nineteen);
  expect(await maySecond).toBe('later');
});
