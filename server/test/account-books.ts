// What an account's history and usage say, read page by page and checked for itself.
import { expect } from 'vitest';
import type { Database } from '../src/store/database.ts';
import { type Entry, historyOf } from '../src/store/history.ts';
import { usageOf } from '../src/store/usage.ts';

const KINDS = ['grant', 'charge', 'refund'] as const;

/** All entries, newest first: each with the balance that the entries up to it leave, in pages of any size and kind. */
export async function readHistory(db: Database, accountId: number, limit: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let offset = 0; offset === entries.length; offset += limit)
    entries.push(...(await historyOf(db, { accountId, offset, limit, kind: null })));
  expectBalances(entries, 0);
  for (const kind of KINDS)
    expect(await historyOf(db, { accountId, offset: 1, limit, kind })).toEqual(
      entries.filter((entry) => entry.kind === kind).slice(1, 1 + limit),
    );
  return entries;
}

/** Newest first; `before`: the balance before the oldest of them. */
export function expectBalances(entries: readonly Entry[], before: number): void {
  let balance = before;
  for (const entry of entries.toReversed()) {
    balance += entry.kind === 'charge' ? -entry.amount : entry.amount;
    expect(entry.balance).toBe(balance);
  }
}

/** Of today and yesterday: a test may see midnight. */
export async function usageSum(db: Database, accountId: number) {
  const sum = { charged: 0, refunded: 0, deliverable: 0, risky: 0, undeliverable: 0, unknown: 0 };
  for (const day of await usageOf(db, accountId, 2))
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += day[name];
  return sum;
}
