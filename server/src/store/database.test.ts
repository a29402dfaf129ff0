import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../test/database.ts';
import { type Database, isUnavailable, openDatabase } from './database.ts';

let fresh: TestDatabase;
let db: Database;
beforeEach(async () => {
  fresh = await freshDatabase();
  db = openDatabase({ url: fresh.url, poolSize: 1, answerTimeoutMs: 200, onError: () => {} });
});
afterEach(async () => {
  await db.close();
  await fresh.drop();
});

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('a server that does not answer is unavailable, and its connection is not used again', async () => {
  expect(isUnavailable(await refusalOf(db.query('SELECT pg_sleep(30)')))).toBe(true);
  const inside = db.transaction(async (tx) => {
    await tx.query('CREATE TABLE half (n int)');
    await tx.query('SELECT pg_sleep(30)');
  });
  expect(isUnavailable(await refusalOf(inside))).toBe(true);
  // The pool has one connection: that it answers shows that both were thrown away.
  expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await db.query(`SELECT to_regclass('half') AS half`)).toEqual([{ half: null }]);
});
