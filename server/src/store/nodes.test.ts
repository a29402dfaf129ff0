import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../test/database.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { leaveNodes, meetNodes } from './nodes.ts';

let fresh: TestDatabase;
let db: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  db = openDatabase({ url: fresh.url });
  await migrate(db);
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

test('a node that left takes no share, and its sources are kept for its successor for a while', async () => {
  const [mine, other, successor] = [randomUUID(), randomUUID(), randomUUID()];
  await meetNodes(db, other, ['192.0.2.2', 'shared']);
  expect(await meetNodes(db, mine, ['192.0.2.1', 'shared'])).toEqual({ count: 1, sources: ['192.0.2.2'] });
  await leaveNodes(db, other);
  expect(await meetNodes(db, mine, ['192.0.2.1', 'shared'])).toEqual({ count: 0, sources: ['192.0.2.2'] });
  expect(await meetNodes(db, successor, ['192.0.2.2'])).toEqual({
    count: 1,
    sources: ['shared', '192.0.2.1'],
  });
  await leaveNodes(db, successor);
  await db.query(`UPDATE mxproof.nodes SET seen_at = now() - interval '3 minutes' WHERE id <> $1`, [mine]);
  expect(await meetNodes(db, mine, ['192.0.2.1', 'shared'])).toEqual({ count: 0, sources: [] });
});
