// Verifies the ledger: recomputes every balance and every list's counters from the rows.

import { refundOf } from '@mxproof/common/refund';
import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { type Counts, noCounts, readResults } from '../rules/chunk-results.ts';
import type { Database, Tx } from './database.ts';

export interface Difference {
  readonly what: string;
  readonly stored: number;
  readonly recomputed: number;
}

const LISTS_AT_ONCE = 200;
const CHUNKS_AT_ONCE = 500;
/** Beside a service at work: a few milliseconds of the thread at a time. */
const LISTS_PER_STEP = 20;
const CHUNKS_PER_STEP = 50;
const IMPOSSIBLE_SHOWN = 1_000;

/**
 * In one snapshot, so that a running service does not look like a difference. Balances of test and of deleted accounts are
 * verified like the others, and not counted.
 */
export async function verifyLedger(
  db: Database,
): Promise<{ accounts: number; lists: number; differences: Difference[] }> {
  return db.transaction(async (tx) => {
    await beginSnapshot(tx);
    await tx.query('SET LOCAL statement_timeout = 0');
    const { accounts, differences } = await verifyAccounts(tx);
    let lists = 0;
    for (let after: number | null = 0; after !== null; ) {
      const page: VerifiedLists = await verifyLists(tx, after, LISTS_AT_ONCE, CHUNKS_AT_ONCE);
      lists += page.lists;
      differences.push(...page.differences);
      after = page.after;
    }
    return { accounts, lists, differences };
  });
}

/**
 * The same beside a service at work: in many short snapshots, with `goesOn` between them. Null: it did not.
 */
export async function countDifferences(db: Database, goesOn: () => Promise<boolean>): Promise<number | null> {
  let count = (await inSnapshot(db, verifyAccounts)).differences.length;
  for (let after: number | null = 0; after !== null; ) {
    if (!(await goesOn())) return null;
    const from: number = after;
    const page: VerifiedLists = await inSnapshot(db, (tx) =>
      verifyLists(tx, from, LISTS_PER_STEP, CHUNKS_PER_STEP),
    );
    count += page.differences.length;
    after = page.after;
  }
  return count;
}

function inSnapshot<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await beginSnapshot(tx);
    return work(tx);
  });
}

async function beginSnapshot(tx: Tx): Promise<void> {
  await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
}

function comparison() {
  const differences: Difference[] = [];
  const compare = (what: string, stored: number, recomputed: number) => {
    if (stored !== recomputed) differences.push({ what, stored, recomputed });
  };
  return { differences, compare };
}

async function verifyAccounts(tx: Tx): Promise<{ accounts: number; differences: Difference[] }> {
  const { differences, compare } = comparison();
  const accounts = await tx.query<{
    id: number;
    /** Neither a test account nor deleted. */
    isCounted: boolean;
    credits: number;
    used: number;
    lists: number;
    granted: number;
    net: number;
    real_lists: number;
  }>(
    `SELECT a.id, a.test_of IS NULL AND a.deleted_at IS NULL AS "isCounted", a.credits, a.used, a.lists, coalesce(l.granted, 0)::bigint AS granted,
            coalesce(l.net, 0)::bigint AS net, coalesce(n.lists, 0)::bigint AS real_lists
     FROM mxproof.accounts a
     LEFT JOIN (SELECT account_id, sum(amount) FILTER (WHERE kind = 'grant') AS granted,
                       sum(CASE kind WHEN 'charge' THEN amount WHEN 'refund' THEN -amount END)
                         FILTER (WHERE kind <> 'grant') AS net
                FROM mxproof.ledger GROUP BY 1) l ON l.account_id = a.id
     LEFT JOIN (SELECT account_id, count(*) AS lists FROM mxproof.lists GROUP BY 1) n ON n.account_id = a.id
     ORDER BY a.id`,
  );
  for (const account of accounts) {
    compare(`account ${account.id}: credits`, account.credits, account.granted - account.net);
    compare(`account ${account.id}: credits_used`, account.used, account.net);
    compare(`account ${account.id}: lists`, account.lists, account.real_lists);
  }
  for (const entry of await impossibleEntries(tx)) {
    compare(`ledger of list ${entry.list_id}: refunded beyond its charge`, entry.excess, 0);
    compare(`ledger of list ${entry.list_id}: accounts`, entry.accounts, 1);
  }
  return { accounts: accounts.filter(({ isCounted }) => isCounted).length, differences };
}

interface VerifiedLists {
  readonly lists: number;
  readonly differences: readonly Difference[];
  /** The last of them; null: there are no more. */
  readonly after: number | null;
}

async function verifyLists(
  tx: Tx,
  after: number,
  limit: number,
  chunksAtOnce: number,
): Promise<VerifiedLists> {
  const { differences, compare } = comparison();
  const page = await readLists(tx, after, limit);
  const last = page.at(-1)?.id ?? after;
  const found = await tally(tx, after, last, chunksAtOnce);
  for (const list of page) {
    const rows = found.get(list.id) ?? { size: 0, counts: noCounts() };
    // Of results that have expired the summary is all there is, and the ledger must agree with that.
    if (list.isExpired) compare(`list ${list.id}: rows behind its retention`, rows.size, 0);
    const { size, counts } = list.isExpired ? { size: list.total, counts: list } : rows;
    const checked = counts.deliverable + counts.risky + counts.undeliverable + counts.unknown;
    compare(`list ${list.id}: total`, list.total, size);
    compare(`list ${list.id}: checked`, list.checked, checked);
    for (const state of STATE_WORDS) compare(`list ${list.id}: ${state}`, list[state], counts[state]);
    compare(`list ${list.id}: charged`, list.charged, list.total);
    const finished = list.status === 'done' || list.status === 'failed';
    const due = finished ? refundOf({ total: list.total, checked, counts }) : 0;
    compare(`list ${list.id}: refunded`, list.refunded, due);
  }
  const lists = page.filter(({ isCounted }) => isCounted).length;
  return { lists, differences, after: page.length < limit ? null : last };
}

/** Entries outlive their list, and must be consistent without it: one account was charged, and got back at most that. */
function impossibleEntries(tx: Tx): Promise<{ list_id: number; excess: number; accounts: number }[]> {
  return tx.query(
    `SELECT list_id, greatest(0, -sum(CASE kind WHEN 'charge' THEN amount ELSE -amount END))::bigint AS excess,
            count(DISTINCT account_id) AS accounts
     FROM mxproof.ledger WHERE list_id IS NOT NULL GROUP BY 1
     HAVING sum(CASE kind WHEN 'charge' THEN amount ELSE -amount END) < 0 OR count(DISTINCT account_id) > 1
     ORDER BY 1 LIMIT ${IMPOSSIBLE_SHOWN}`,
  );
}

type LedgerListRow = Counts & {
  id: number;
  /** Neither of a test account nor deleted. */
  isCounted: boolean;
  isExpired: boolean;
  status: string;
  total: number;
  checked: number;
  charged: number;
  refunded: number;
};

function readLists(tx: Tx, after: number, limit: number): Promise<LedgerListRow[]> {
  return tx.query<LedgerListRow>(
    `SELECT l.id, coalesce((SELECT test_of IS NULL FROM mxproof.accounts WHERE id = l.account_id), false) AS "isCounted",
            l.results_expired_at IS NOT NULL AS "isExpired", l.status, l.total, l.checked, l.deliverable, l.risky, l.undeliverable, l.unknown,
            coalesce((SELECT amount FROM mxproof.ledger WHERE list_id = l.id AND kind = 'charge'), 0) AS charged,
            coalesce((SELECT amount FROM mxproof.ledger WHERE list_id = l.id AND kind = 'refund'), 0) AS refunded
     FROM mxproof.lists l WHERE id > $1 ORDER BY id LIMIT $2`,
    [after, limit],
  );
}

/** What the rows of these lists say, read in batches: a few hundred lists may hold millions of rows. */
async function tally(
  tx: Tx,
  after: number,
  last: number,
  atOnce: number,
): Promise<Map<number, { size: number; counts: Counts }>> {
  const found = new Map<number, { size: number; counts: Counts }>();
  let place = { list_id: after, n: Number.MAX_SAFE_INTEGER };
  for (;;) {
    const rows = await tx.query<{ list_id: number; n: number; size: number; results: string | null }>(
      `SELECT list_id, n, size, results FROM mxproof.chunks
       WHERE (list_id, n) > ($1, $2::bigint) AND list_id <= $3 ORDER BY list_id, n LIMIT $4`,
      [place.list_id, place.n, last, atOnce],
    );
    for (const { list_id: listId, size, results } of rows) {
      const sum = found.get(listId) ?? { size: 0, counts: noCounts() };
      found.set(listId, sum);
      sum.size += size;
      for (const verdict of readResults(results, size)) if (verdict) sum.counts[verdict.state]++;
    }
    if (rows.length < atOnce) return found;
    place = rows.at(-1)!;
  }
}
