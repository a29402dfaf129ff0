// Notes when keys were last used. Promise: a request never waits for it, and of one key's requests at most one a minute
// leads to a write, together with those of other keys.
import { steadyNow } from '@mxproof/common/steady-now';
import type { Database } from '../store/database.ts';
import { LAST_USED_SECONDS, saveLastUsed } from '../store/keys.ts';

const GATHER_MS = 1_000;
const KEYS_REMEMBERED = 10_000;

export interface LastUsed {
  saw(keyId: number): void;
  /** Writes what is gathered. */
  settled(): Promise<void>;
}

export function createLastUsed(db: Database): LastUsed {
  /** When a key was last gathered, the latest last. */
  const gatheredAtMs = new Map<number, number>();
  let gathered = new Set<number>();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const keyIds = [...gathered];
    gathered = new Set();
    // Lost with the database's death: the key's next request after a minute says it again.
    if (keyIds.length > 0) await saveLastUsed(db, keyIds).catch(() => {});
  }

  return {
    saw(keyId) {
      const nowMs = steadyNow();
      if (nowMs - (gatheredAtMs.get(keyId) ?? Number.NEGATIVE_INFINITY) < LAST_USED_SECONDS * 1000) return;
      gatheredAtMs.delete(keyId);
      gatheredAtMs.set(keyId, nowMs);
      const oldest = gatheredAtMs.keys().next().value;
      if (gatheredAtMs.size > KEYS_REMEMBERED && oldest !== undefined) gatheredAtMs.delete(oldest);
      gathered.add(keyId);
      timer ??= setTimeout(write, GATHER_MS);
    },
    settled: write,
  };
}
