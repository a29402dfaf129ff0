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

test.each([
  ['ECONNREFUSED', true],
  ['EHOSTUNREACH', true],
  ['ENETUNREACH', true],
  ['EMFILE', true],
  ['53100', true], // disk full
  ['53300', true], // too many connections
  ['25006', true], // a standby, before it takes over
  ['57P01', true], // shut down
  ['23505', false], // a unique index
  ['42P01', false], // no such table
  ['22P05', false], // a character that cannot be stored
])('code %s: the database is away: %s', (code, away) => {
  expect(isUnavailable(Object.assign(new Error('from the driver'), { code }))).toBe(away);
});
