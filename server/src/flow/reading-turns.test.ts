import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import type { List } from '../rules/list.ts';
import type { Tx } from '../store/database.ts';
import { deleteList } from './delete-list.ts';
import { CHUNKS_AT_ONCE, ListGone, readPage, scanList } from './read-results.ts';
import { createReadingTurns, READINGS_UNDER_WAY, ReaderLeft, type Reading } from './reading-turns.ts';

const CHUNKS = 4 * CHUNKS_AT_ONCE;
const TOTAL = CHUNKS * 250;
const STATEMENTS = 4;

let service: TestService;
let list: List;
beforeAll(async () => {
  service = await startTestService();
  list = await service.submit(addresses(TOTAL));
});
afterAll(() => service.close());

const never = new AbortController().signal;
const [GREEDY, MODEST, THIRD] = [1, 2, 3];

/** The database, with something before each statement. */
function before(what: (statement: number) => Promise<unknown>): Tx & { statements: number } {
  const { db } = service;
  const tx = {
    query: db.query,
    statements: 0,
    prepared: (async (...args: Parameters<Tx['prepared']>) => {
      await what(++tx.statements);
      return db.prepared(...args);
    }) as Tx['prepared'],
  };
  return tx;
}

/** Turns of the event loop, counted. */
function countTurns(): { now(): number; stop(): void } {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return {
    now: () => turns,
    stop() {
      isOver = true;
    },
  };
}

async function readAll(tx: Tx, reading: Reading, onPiece = () => {}): Promise<number> {
  let rows = 0;
  const page = { offset: 0, limit: TOTAL };
  for await (const count of readPage(tx, reading, list, page, ({ length }) => {
    onPiece();
    return length;
  }))
    rows += count;
  return rows;
}

test('every chunk is visited once, in order', async () => {
  const seen: number[] = [];
  await scanList(service.db, createReadingTurns().begin(GREEDY, never)!, list, ({ n }) => seen.push(n));
  expect(seen).toEqual(Array.from({ length: CHUNKS }, (_, n) => n));
});

test('an account’s pages take turns: one statement at a time, one chunk in a turn of the event loop', async () => {
  const turns = createReadingTurns();
  const loop = countTurns();
  let running = 0;
  const most = { running: 0 };
  const tx = before(async () => {
    most.running = Math.max(most.running, ++running);
    await nextTurn();
    running--;
  });
  const visitedIn: number[] = [];
  const pages = Array.from({ length: 10 }, () =>
    readAll(tx, turns.begin(GREEDY, never)!, () => visitedIn.push(loop.now())),
  );
  expect(await Promise.all(pages)).toEqual(pages.map(() => TOTAL));
  loop.stop();
  expect(most.running).toBe(1);
  expect(new Set(visitedIn).size).toBe(visitedIn.length);
  expect(visitedIn).toHaveLength(10 * CHUNKS);
});

test('what another account reads waits for one step of all that one account reads, not for the rest', async () => {
  const turns = createReadingTurns();
  const steps: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const greedy = Array.from({ length: 10 }, () => turns.begin(GREEDY, never)!).map((reading) =>
    reading.step(async () => {
      steps.push('greedy');
      await held;
    }),
  );
  // A place beyond the first is kept for an account that has none.
  await turns.begin(MODEST, never)!.step(() => steps.push('modest'));
  await turns.begin(THIRD, never)!.step(() => steps.push('third'));
  expect(steps).toEqual(['greedy', 'modest', 'third']);
  release();
  await Promise.all(greedy);
});

test('an account has a bounded number of readings under way, until their answers are out', () => {
  const turns = createReadingTurns();
  const answers = Array.from({ length: READINGS_UNDER_WAY }, () => new AbortController());
  for (const { signal } of answers) expect(turns.begin(GREEDY, signal)).not.toBeNull();
  expect(turns.begin(GREEDY, never)).toBeNull();
  expect(turns.begin(MODEST, never)).not.toBeNull();
  answers[0]!.abort();
  expect(turns.begin(GREEDY, never)).not.toBeNull();
  expect(turns.begin(GREEDY, never)).toBeNull();
});

test('a reading ends with its client, and leaves its turn to the next', async () => {
  const turns = createReadingTurns();
  const client = new AbortController();
  const tx = before(async (statement) => statement === 2 && client.abort());
  await expect(readAll(tx, turns.begin(GREEDY, client.signal)!)).rejects.toThrow(ReaderLeft);
  expect(tx.statements).toBe(2);
  await expect(turns.begin(GREEDY, client.signal)!.step(() => {})).rejects.toThrow(ReaderLeft);
  expect(await readAll(tx, turns.begin(GREEDY, never)!)).toBe(TOTAL);
  expect(tx.statements).toBe(2 + STATEMENTS);
});

test('a list that is deleted meanwhile is gone, not shorter', async () => {
  const doomed = await service.submit(addresses(TOTAL, 'doomed'));
  const tx = before(
    async (statement) =>
      statement === 3 && deleteList(service.context, THE_SERVICE, doomed.id, service.accountId),
  );
  const seen: number[] = [];
  const scan = scanList(tx, createReadingTurns().begin(GREEDY, never)!, doomed, ({ n }) => seen.push(n));
  await expect(scan).rejects.toThrow(ListGone);
  expect(seen).toHaveLength(2 * CHUNKS_AT_ONCE);
});
