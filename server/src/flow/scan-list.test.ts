import { afterAll, beforeAll, expect, test } from 'vitest';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import type { List } from '../rules/list.ts';
import type { Chunk } from '../store/chunks.ts';
import type { Tx } from '../store/database.ts';
import { deleteList } from './delete-list.ts';
import { ListGone } from './read-results.ts';
import { createScans } from './scan-list.ts';

let service: TestService;
let list: List;
/** Four statements' worth. */
const TOTAL = 16_000;
beforeAll(async () => {
  service = await startTestService();
  list = await service.submit(addresses(TOTAL));
});
afterAll(() => service.close());

const never = new AbortController().signal;

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

test('every chunk is visited once, in order, and others have their turn in between', async () => {
  const seen: number[] = [];
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await createScans(service.db).run(list, never, ({ n }: Chunk) => seen.push(n))).toBe('done');
  isOver = true;
  expect(seen).toEqual(Array.from({ length: 64 }, (_, n) => n));
  expect(turns).toBeGreaterThanOrEqual(64);
});

test('a scan ends with its client, and leaves its place to the next', async () => {
  const client = new AbortController();
  const tx = before(async (statement) => statement === 2 && client.abort());
  const scans = createScans(tx);
  expect(await scans.run(list, client.signal, () => {})).toBe('left');
  expect(tx.statements).toBe(2);
  expect(await scans.run(list, client.signal, () => {})).toBe('left');
  expect(await scans.run(list, never, () => {})).toBe('done');
});

test('a list that is deleted meanwhile is gone, not shorter', async () => {
  const doomed = await service.submit(addresses(TOTAL, 'doomed'));
  const scans = createScans(
    before(async (statement) => statement === 3 && deleteList(service.context, doomed.id, service.accountId)),
  );
  const seen: number[] = [];
  await expect(scans.run(doomed, never, ({ n }) => seen.push(n))).rejects.toThrow(ListGone);
  expect(seen).toHaveLength(40);
  expect(await scans.run(list, never, () => {})).toBe('done');
});

test('an account’s scans come one after the other, twenty wait, and another account waits for none of them', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const tx = before((statement) => (statement === 1 ? held : Promise.resolve()));
  const scans = createScans(tx);
  const first = scans.run(list, never, () => {});
  const waiting = Array.from({ length: 20 }, () => scans.run(list, never, () => {}));
  expect(await scans.run(list, never, () => {})).toBe('busy');
  // Another account's, as far as the turns are concerned.
  expect(await scans.run({ ...list, accountId: list.accountId + 1 }, never, () => {})).toBe('done');
  expect(tx.statements).toBe(1 + 4);
  release();
  expect(new Set(await Promise.all([first, ...waiting]))).toEqual(new Set(['done']));
});
