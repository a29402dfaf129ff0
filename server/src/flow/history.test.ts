import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectBalances, readHistory, usageSum } from '../../test/account-books.ts';
import { addresses, startTestService, type TestService } from '../../test/service.ts';
import { submission } from '../../test/submission.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { type Entry, historyOf } from '../store/history.ts';
import { grantCredits } from '../store/ledger.ts';
import { finishSingles } from '../store/singles.ts';
import { createContext } from './context.ts';
import { deleteList } from './delete-list.ts';
import { submitList } from './submit-list.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const unknown = { state: 'unknown', results: ['[', ']'], evidence: null } as const;

test('an entry once seen keeps its balance, however many nodes write meanwhile', async () => {
  const accountId = await service.open();
  const other = createContext(service.db, service.context.jobs, service.box);
  let writing = true;
  async function write(round: number): Promise<void> {
    const context = round % 2 === 0 ? service.context : other;
    const single = await submitList(context, submission(accountId, addresses(1), { single: true }));
    const list = await submitList(context, submission(accountId, addresses(1 + (round % 5))));
    if (single.kind !== 'created' || list.kind !== 'created') throw new Error('not created');
    await Promise.all([
      finishSingles(service.db, [{ listId: single.list.id, ...unknown }]),
      deleteList(context, THE_SERVICE, list.list.id, accountId),
      grantCredits(service.db, accountId, 1, 'meanwhile'),
    ]);
  }
  async function writeAll(): Promise<void> {
    for (let round = 0; round < 15; round++)
      await Promise.all(Array.from({ length: 8 }, (_, each) => write(round * 8 + each)));
    writing = false;
  }
  const seen = new Map<number, Entry>();
  async function read(): Promise<void> {
    for (let page = 0; writing; page++) {
      const entries = await historyOf(service.db, { accountId, offset: page % 20, limit: 60, kind: null });
      if (entries.length > 1) expectBalances(entries.slice(0, -1), entries.at(-1)!.balance);
      for (const entry of entries) {
        expect(entry.balance).toBe((seen.get(entry.id) ?? entry).balance);
        seen.set(entry.id, entry);
      }
    }
  }
  await Promise.all([writeAll(), read()]);
  const all = await readHistory(service.db, accountId, 100);
  // The opening grant, and five entries a round.
  expect(all).toHaveLength(1 + 15 * 8 * 5);
  expect(seen.size).toBeGreaterThan(100);
  const refunded = all.filter(({ kind }) => kind === 'refund').reduce((sum, { amount }) => sum + amount, 0);
  expect(await usageSum(service.db, accountId)).toMatchObject({
    charged: refunded,
    refunded,
    deliverable: 0,
    unknown: 15 * 8,
  });
});

test('a page reads what is newer out of the index, and nothing older', async () => {
  const accountId = await service.open();
  await service.db.query(
    `INSERT INTO mxproof.ledger (account_id, kind, amount, note) SELECT $1, 'grant', 1, '' FROM generate_series(1, 20000)`,
    [accountId],
  );
  await service.db.query('UPDATE mxproof.accounts SET credits = credits + 20000 WHERE id = $1', [accountId]);
  await service.db.query('VACUUM ANALYZE mxproof.ledger');
  // Each connection reports its own reading.
  const db = openDatabase({ url: service.url, poolSize: 1 });
  try {
    const [newest] = await historyOf(db, { accountId, offset: 0, limit: 1, kind: null });
    expect(newest!.balance).toBe(1_020_000);
    const first = await entriesRead(db);
    const page = await historyOf(db, { accountId, offset: 500, limit: 10, kind: null });
    expect(page.map(({ balance }) => balance)).toEqual(Array.from({ length: 10 }, (_, n) => 1_019_500 - n));
    const read = (await entriesRead(db)) - first;
    expect(read).toBeGreaterThan(500);
    // What is skipped is read once.
    expect(read).toBeLessThan(700);
    const deep = await historyOf(db, { accountId, offset: 20_000, limit: 10, kind: null });
    expect(deep.map(({ balance, note }) => ({ balance, note }))).toEqual([
      { balance: 1_000_000, note: 'opening credits' },
    ]);
  } finally {
    await db.close();
  }
});

/** By this table's scans, index entries included. */
async function entriesRead(db: Database): Promise<number> {
  await db.query('SELECT pg_stat_force_next_flush()');
  const [row] = await db.query<{ read: number }>(
    `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'ledger')::bigint
          + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'ledger') AS read`,
  );
  return row!.read;
}
