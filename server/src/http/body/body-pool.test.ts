import { afterAll, expect, test } from 'vitest';
import { createBodyPool } from './body-pool.ts';

const pool = createBodyPool();
afterAll(() => pool.close());

/** In memory of its own, as body-reader.ts has it. */
function blockOf(body: string): Buffer[] {
  const block = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
  block.write(body);
  return [block];
}
const bounce = (text: string) => blockOf(JSON.stringify({ text }));

const NEVER = new AbortController().signal;
const MiB = 1024 * 1024;

test.each([
  ['ordinary', 'lists', 64 * 1024],
  ['huge', 'lists', 9 * MiB],
  ['pasted', 'reply', 64 * 1024],
] as const)("another account's %s body does not wait for all of those that came before it", async (_kind, route, bytes) => {
  const begun: string[] = [];
  const parse = (holder: string) =>
    pool.run(route, [Buffer.alloc(bytes, ' ')], {
      holder,
      signal: NEVER,
      onBegin: () => begun.push(holder),
    });
  await Promise.all(['a', 'a', 'a', 'a', 'b'].map(parse));
  expect(begun).toHaveLength(5);
  expect(begun.at(-1)).toBe('a');
});

test('a bounce is read in a thread, beside which lists are parsed', async () => {
  const ended: string[] = [];
  const run = async (route: 'reply' | 'lists', blocks: Buffer[]) => {
    const understood = await pool.run(route, blocks, { holder: 'a', signal: NEVER, onBegin() {} });
    ended.push(`${route}: ${understood.kind}`);
    return understood;
  };
  const [read] = await Promise.all([
    run('reply', bounce('550 5.1.1 User unknown')),
    run('lists', blockOf('{"emails":["a@a.example"]}')),
  ]);
  expect(read).toMatchObject({ replies: [{ meaning: 'no_mailbox' }], unknownFields: [] });
  expect(ended.toSorted()).toEqual(['lists: taken', 'reply: taken']);
  expect(await run('reply', blockOf('{'))).toMatchObject({ kind: 'refused', why: 'invalid_json' });
});

test('a bounce that takes too long is given up, and lists are parsed all the same', async () => {
  // Less than a thread needs to start.
  const impatient = createBodyPool(1);
  const given = { holder: 'a', signal: NEVER, onBegin() {} };
  const refused = { kind: 'refused', why: 'unavailable' };
  expect(await impatient.run('reply', bounce('550 5.1.1 User unknown'), given)).toEqual(refused);
  expect(await impatient.run('lists', blockOf('{"emails":["a@a.example"]}'), given)).toMatchObject({
    kind: 'taken',
  });
  await impatient.close();
});
