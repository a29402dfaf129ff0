// An account's ledger entries, newest first, each with the balance after it.
// Promise: entry and balance agree on every page, despite concurrent writes. Entries of one account are numbered in the
// order in which they changed its balance (the writer holds the account's lock), so the balance after an entry is the
// current one less everything newer. One statement is one snapshot, and reads only what is newer, from an index.
import { nameOf } from '../rules/list-name.ts';
import type { Tx } from './database.ts';

export type EntryKind = 'grant' | 'charge' | 'refund';

export interface Entry {
  readonly id: number;
  readonly atSeconds: number;
  readonly kind: EntryKind;
  readonly amount: number;
  /** After it. */
  readonly balance: number;
  readonly listId: number | null;
  /** Null: no list, or gone. */
  readonly list: { readonly name: string; readonly single: boolean } | null;
  /** What the list was charged. */
  readonly charged: number | null;
  readonly note: string;
}

type EntryRow = Omit<Entry, 'list'> & { name_json: string | null; single: boolean | null };

/** Above every entry's. */
const NO_ID = '9223372036854775807';

const SIGNED = `CASE kind WHEN 'charge' THEN -amount ELSE amount END`;

export async function historyOf(
  tx: Tx,
  page: { accountId: number; offset: number; limit: number; kind: EntryKind | null },
): Promise<Entry[]> {
  const isOfKind = page.kind === null ? '' : 'AND kind = $4';
  // Where all kinds are shown, what is skipped is all that is newer.
  const newer =
    page.kind === null
      ? 'SELECT newer FROM skipped'
      : `SELECT coalesce(sum(${SIGNED}), 0) AS newer FROM mxproof.ledger
         WHERE account_id = $1 AND id > (SELECT newest FROM ends)`;
  const rows = await tx.query<EntryRow>(
    // What is newer than the page is added up at once: a window over all of it takes about three times as long.
    `WITH skipped AS MATERIALIZED (
       SELECT min(id) AS last, coalesce(sum(${SIGNED}), 0) AS newer FROM (
         SELECT id, kind, amount FROM mxproof.ledger WHERE account_id = $1 ${isOfKind} ORDER BY id DESC LIMIT $2) AS each),
     page AS MATERIALIZED (
       SELECT id FROM mxproof.ledger
       WHERE account_id = $1 ${isOfKind} AND id < coalesce((SELECT last FROM skipped), ${NO_ID}) ORDER BY id DESC LIMIT $3),
     ends AS MATERIALIZED (SELECT min(id) AS oldest, max(id) AS newest FROM page),
     before AS MATERIALIZED (${newer}),
     running AS (
       SELECT id, (SELECT newer FROM before) - ${SIGNED}
         + sum(${SIGNED}) OVER (ORDER BY id DESC ROWS UNBOUNDED PRECEDING) AS newer
       FROM mxproof.ledger
       WHERE account_id = $1 AND id BETWEEN (SELECT oldest FROM ends) AND (SELECT newest FROM ends))
     SELECT e.id, floor(extract(epoch FROM e.created_at))::bigint AS "atSeconds", e.kind, e.amount,
            (a.credits - running.newer)::bigint AS balance, e.list_id AS "listId", e.note, l.name_json, l.single,
            (SELECT c.amount FROM mxproof.ledger c WHERE c.list_id = e.list_id AND c.kind = 'charge') AS charged
     FROM page JOIN running USING (id) JOIN mxproof.ledger e USING (id) JOIN mxproof.accounts a ON a.id = e.account_id
     LEFT JOIN mxproof.lists l ON l.id = e.list_id AND l.account_id = e.account_id
     ORDER BY e.id DESC`,
    [page.accountId, page.offset, page.limit, ...(page.kind === null ? [] : [page.kind])],
  );
  return rows.map(({ name_json, single, ...entry }) => ({
    ...entry,
    list: name_json === null ? null : { name: nameOf(name_json), single: single === true },
  }));
}
