// Rows in the order that is wanted. Promise: the console stays responsive while they are sorted, and shows the old order
// until then; rows that come while the list runs join those that are in order.
import { useEffect, useState } from 'react';
import { type RowOrder, sorting } from './sort-rows.ts';
import type { PlacedRow } from './use-rows.ts';

/** Less than a frame. */
const STEP_MS = 8;

interface SortedRows {
  readonly from: readonly PlacedRow[];
  readonly order: RowOrder;
  readonly rows: readonly PlacedRow[];
}

export function useSortedRows(rows: readonly PlacedRow[], order: RowOrder | null) {
  const [last, setLast] = useState<SortedRows | null>(null);
  useEffect(() => {
    if (order === null) return setLast(null);
    const left = new AbortController();
    void inSteps(sorting(rows, order), left.signal).then((sorted) => {
      if (sorted) setLast({ from: rows, order, rows: sorted });
    });
    return () => left.abort();
  }, [rows, order]);
  const known = order !== null ? last : null;
  return {
    rows: known?.rows ?? rows,
    /** The order they are in; null: the list's own. */
    order: known?.order ?? null,
    isSorting: order !== null && !(known?.order === order && known.from === rows),
  };
}

/** Null: it was given up. */
async function inSteps<Result>(
  work: Generator<void, Result, void>,
  signal: AbortSignal,
): Promise<Result | null> {
  while (!signal.aborted) {
    const until = performance.now() + STEP_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await new Promise((done) => setTimeout(done));
  }
  return null;
}
