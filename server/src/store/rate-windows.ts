// The rate windows all nodes share. Promise: what is granted is in the database before anyone is told.
import { type Taken, takeFromWindow, type Window } from '../rules/rate-window.ts';
import type { Database, Tx } from './database.ts';

export type WindowKind = 'requests' | 'addresses';

export interface Ask {
  readonly keyId: number;
  readonly kind: WindowKind;
  readonly limit: number;
  readonly amount: number;
}

export interface Answer extends Omit<Taken, 'window' | 'granted'> {
  readonly granted: boolean;
}

type WindowRow = { key_id: number; kind: WindowKind; taken: string; now_ms: number };

/** One short transaction for every request that waits on this node; rows are locked in one order. */
export async function takeFromWindows(db: Database, asks: readonly Ask[]): Promise<Answer[]> {
  const groups = groupByWindow(asks);
  const keyIds = groups.map(({ ask }) => ask.keyId);
  const kinds = groups.map(({ ask }) => ask.kind);
  return db.transaction(async (tx) => {
    const rows = await lockWindows(tx, keyIds, kinds);
    const answers: Answer[] = [];
    const written = groups.map(({ ask, indexes }) => {
      const row = rows.find((candidate) => candidate.key_id === ask.keyId && candidate.kind === ask.kind)!;
      const { window, granted, ...rest } = takeFromWindow(
        JSON.parse(row.taken) as Window,
        row.now_ms,
        ask.limit,
        indexes.map((index) => asks[index]!.amount),
      );
      for (const [place, index] of indexes.entries())
        answers[index] = {
          ...rest,
          granted: granted[place]!,
          retryAfterMs: granted[place] ? 0 : rest.retryAfterMs,
        };
      return JSON.stringify(window);
    });
    await tx.prepared(
      'write-windows',
      `UPDATE mxproof.rate_windows r SET taken = w.taken
       FROM unnest($1::bigint[], $2::text[], $3::text[]) AS w (key_id, kind, taken)
       WHERE r.key_id = w.key_id AND r.kind = w.kind`,
      [keyIds, kinds, written],
    );
    return answers;
  });
}

function groupByWindow(asks: readonly Ask[]): { ask: Ask; indexes: number[] }[] {
  const groups = new Map<string, { ask: Ask; indexes: number[] }>();
  for (const [index, ask] of asks.entries()) {
    const name = `${ask.keyId} ${ask.kind}`;
    const group = groups.get(name);
    if (group) group.indexes.push(index);
    else groups.set(name, { ask, indexes: [index] });
  }
  return [...groups.values()];
}

async function lockWindows(tx: Tx, keyIds: number[], kinds: WindowKind[]): Promise<WindowRow[]> {
  const lock = () =>
    tx.prepared<WindowRow>(
      'lock-windows',
      `SELECT r.key_id, r.kind, r.taken, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms
       FROM mxproof.rate_windows r JOIN unnest($1::bigint[], $2::text[]) AS w (key_id, kind)
         ON r.key_id = w.key_id AND r.kind = w.kind
       ORDER BY r.key_id, r.kind FOR UPDATE OF r`,
      [keyIds, kinds],
    );
  const rows = await lock();
  if (rows.length === keyIds.length) return rows;
  await tx.query(
    `INSERT INTO mxproof.rate_windows (key_id, kind)
     SELECT * FROM unnest($1::bigint[], $2::text[]) ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
    [keyIds, kinds],
  );
  return lock();
}
