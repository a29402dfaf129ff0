import { setImmediate as nextTurn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { addresses } from '../../../test/service.ts';
import { parseBody } from './body-worker.ts';

test('of a large body that was parsed, the thread keeps no more than the result', async () => {
  const body = Buffer.from(JSON.stringify({ emails: addresses(100_000) }));
  // Within reach since body-worker.ts is loaded.
  (runInNewContext('gc') as NodeJS.GCFunction)();
  const before = process.memoryUsage().heapUsed;
  const parsed = await parseBody({ route: 'lists', blocks: [body], known: [] });
  await nextTurn();
  const keptMegabytes = (process.memoryUsage().heapUsed - before) / 1e6;
  expect(parsed).toBeDefined();
  expect(keptMegabytes).toBeLessThan(4);
});
