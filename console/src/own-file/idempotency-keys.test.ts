import { expect, test } from 'vitest';
import { keyFor, settle } from './idempotency-keys.ts';

// There is no IndexedDB here: what holds is what a browser that keeps nothing gets.
test('what is begun keeps its key until it is settled, and has a new one then', async () => {
  const first = await keyFor('a file');
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(await keyFor('a file')).toBe(first);
  expect(await keyFor('another file')).not.toBe(first);
  await settle('a file');
  expect(await keyFor('a file')).not.toBe(first);
});
