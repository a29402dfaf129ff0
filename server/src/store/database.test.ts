import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
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

/** A message of PostgreSQL's protocol: its letter, its length, what it says. */
function message(letter: string, said: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(4 + said.length, 1);
  return Buffer.concat([head, Buffer.from(said, 'latin1')]);
}

test('a server that dies in the very packet that greets us is unavailable, and no crash', async () => {
  const greeting = [message('R', '\0\0\0\0'), message('Z', 'I')];
  const death = message('E', 'SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0');
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([...greeting, death])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dying = openDatabase({ url: `postgresql://someone:secret@127.0.0.1:${port}/any` });
  try {
    const alone = await dying.connectAlone();
    expect(isUnavailable(await refusalOf(alone.query('LISTEN anything')))).toBe(true);
    await alone.end();
    expect(isUnavailable(await refusalOf(dying.query('SELECT 1')))).toBe(true);
    expect(isUnavailable(await refusalOf(dying.transaction((tx) => tx.query('SELECT 1'))))).toBe(true);
  } finally {
    await dying.close();
    server.close();
  }
});

test('a server that takes a connection and says nothing is unavailable, on a connection of its own too', async () => {
  const server = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const mute = openDatabase({
    url: `postgresql://someone:secret@127.0.0.1:${port}/any`,
    connectTimeoutMs: 50,
  });
  try {
    for (const ask of [() => mute.query('SELECT 1'), () => mute.connectAlone()])
      expect(isUnavailable(await refusalOf(ask()))).toBe(true);
  } finally {
    await mute.close();
    server.close();
  }
});

test('after a close the database is unavailable: what is still under way then has no defect', async () => {
  const closed = openDatabase({ url: fresh.url });
  await closed.close();
  expect(isUnavailable(await refusalOf(closed.query('SELECT 1')))).toBe(true);
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
