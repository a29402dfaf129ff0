// Whether this process may be sent requests: for /readyz, and for the same probe on the port for metrics.
// Promise: however often strangers ask, the database is asked at most once a second, and an answer takes at most five.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../store/database.ts';
import { inTime } from './in-time.ts';

/** Closed words, which MXProof-Error-Detail says: the reason behind `database` is in the log only. */
export type NotReady = 'starting' | 'database' | 'draining';

export interface Readiness {
  /** Null: it is ready. It never rejects. */
  ask(): Promise<NotReady | null>;
  /** From now on it is not ready, while requests are served for so long; `signal` ends the wait. */
  drain(forMs: number, signal: AbortSignal): Promise<void>;
}

/** All requests within this time share one ping. */
const READY_KEPT_MS = 1_000;
const READY_LIMIT_MS = 5_000;

/** @param isUp false while the database is away or not yet migrated */
export function createReadiness(db: Pick<Database, 'ping'>, isUp: () => boolean): Readiness {
  let isDraining = false;
  const ping = shared(READY_KEPT_MS, () =>
    db.ping().then(
      () => true,
      () => false,
    ),
  );
  return {
    async ask() {
      if (isDraining) return 'draining';
      return isUp() && (await inTime(ping(), READY_LIMIT_MS)) ? null : 'database';
    },
    async drain(forMs, signal) {
      isDraining = true;
      await sleep(forMs, undefined, { signal }).catch(() => {});
    },
  };
}

/** One call at a time, and none until its answer is `keptMs` old; it never rejects. */
function shared<T>(keptMs: number, ask: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | null = null;
  let answeredAtMs: number | null = null;
  return () => {
    if (last && (answeredAtMs === null || performance.now() - answeredAtMs < keptMs)) return last;
    answeredAtMs = null;
    last = ask().finally(() => {
      answeredAtMs = performance.now();
    });
    return last;
  };
}
