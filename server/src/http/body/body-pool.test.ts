import { afterAll, expect, test } from 'vitest';
import { createBodyPool } from './body-pool.ts';

const pool = createBodyPool();
afterAll(() => pool.close());

const NEVER = new AbortController().signal;
const MiB = 1024 * 1024;

test.each([
  ['ordinary', 64 * 1024],
  ['huge', 9 * MiB],
])("another account's %s body does not wait for all of those that came before it", async (_kind, bytes) => {
  const begun: string[] = [];
  const parse = (holder: string) =>
    pool.run('lists', [Buffer.alloc(bytes, ' ')], {
      holder,
      signal: NEVER,
      onBegin: () => begun.push(holder),
    });
  await Promise.all(['a', 'a', 'a', 'a', 'b'].map(parse));
  expect(begun).toHaveLength(5);
  expect(begun.at(-1)).toBe('a');
});
