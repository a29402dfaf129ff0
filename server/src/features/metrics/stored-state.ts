// The part of the metrics that is in the database.
// Promise: read when it is scraped, by one reading at a time, kept for a few seconds, and waited for no longer than its limit;
// null while the database is away.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import { type MeasuredState, MoneyOfPast, readMeasuredState } from './stored-measures.ts';

/** Several scrapers, or a person who reloads, cost no more than one. */
const KEPT_MS = 5_000;
/** Longer than all of its statements may take; scrapers give up after ten seconds. */
const READ_LIMIT_MS = 7_000;

export interface StoredState {
  read(): Promise<MeasuredState | null>;
}

export function createStoredState(
  db: Database,
  { keptMs = KEPT_MS, limitMs = READ_LIMIT_MS }: { readonly keptMs?: number; readonly limitMs?: number } = {},
): StoredState {
  const past = new MoneyOfPast();
  let reading: Promise<MeasuredState | null> | null = null;
  let kept: { readonly state: MeasuredState | null; readonly untilMs: number } | null = null;

  async function readAndKeep(): Promise<MeasuredState | null> {
    const state = await readMeasuredState(db, past).catch(() => null);
    kept = { state, untilMs: performance.now() + keptMs };
    reading = null;
    return state;
  }

  return {
    async read() {
      if (kept && performance.now() < kept.untilMs) return kept.state;
      reading ??= readAndKeep();
      const limit = new AbortController();
      const given = await Promise.race([
        reading,
        sleep(limitMs, null, { signal: limit.signal, ref: false }).catch(() => null),
      ]);
      limit.abort();
      return given;
    },
  };
}
