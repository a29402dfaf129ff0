import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../test/database.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { type RateRequest, takeFromWindows } from './rate-windows.ts';

let database: TestDatabase;
let nodes: Database[];
beforeAll(async () => {
  database = await freshDatabase();
  nodes = [openDatabase({ url: database.url }), openDatabase({ url: database.url })];
  await migrate(nodes[0]!);
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await database.drop();
});

const ask = (
  holderId: number,
  amount: number,
  limit = 10,
  kind: RateRequest['kind'] = 'requests',
): RateRequest => ({
  holderId,
  kind,
  limit,
  amount,
});

test('asks of two nodes at once never exceed the window', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      takeFromWindows(nodes[n % 2]!, [ask(1, 3, 50), ask(2, 1, 50), ask(1, 1, 7, 'addresses')]),
    ),
  );
  const granted = (place: number) => answers.filter((each) => each[place]!.granted).length;
  expect([granted(0), granted(1), granted(2)]).toEqual([16, 50, 7]);
  for (const [first] of answers) {
    expect(first!.remaining).toBeGreaterThanOrEqual(0);
    expect(first!.retryAfterMs > 0).toBe(!first!.granted);
  }
});

test('two nodes that ask for the same keys in another order do not wait for each other for ever', async () => {
  const keys = [11, 12, 13, 14, 15];
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      takeFromWindows(
        nodes[n % 2]!,
        (n % 2 ? keys : keys.toReversed()).map((key) => ask(key, 1, 1_000)),
      ),
    ),
  );
  const after = await takeFromWindows(
    nodes[0]!,
    keys.map((key) => ask(key, 1, 1_000)),
  );
  expect(after.map(({ remaining }) => remaining)).toEqual(keys.map(() => 959));
});

test('answers come in the order of the asks, and what is given back is there for the next', async () => {
  const [one, other, two, back, three] = await takeFromWindows(nodes[0]!, [
    ask(21, 6),
    ask(22, 10),
    ask(21, 5),
    ask(21, -6),
    ask(21, 10),
  ]);
  expect([one, other, two, back, three].map((each) => each!.granted)).toEqual([
    true,
    true,
    false,
    true,
    true,
  ]);
  const [later] = await takeFromWindows(nodes[1]!, [ask(21, 1)]);
  expect(later).toMatchObject({ granted: false, remaining: 0 });
});
