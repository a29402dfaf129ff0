// Reads every row of a list, for answers that need them all: how many match a filter, what a list consists of.
// Promise: chunk by chunk, so that other requests run in between; an account's scans run one after the other; and no
// further statement is sent once the client has disconnected.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { holderOf } from '@mxproof/common/fair-share';
import { CHUNK_SIZE } from '../rules/clean-emails.ts';
import { createFairSemaphore } from '../rules/fair-semaphore.ts';
import { type Chunk, readChunks } from '../store/chunks.ts';
import type { Tx } from '../store/database.ts';
import { ListGone } from './read-results.ts';

/** FairShare keeps a place for another account; more scans would only wait for each other's turn on the thread. */
const SCANS_AT_ONCE = 1;
/** Per account; further requests are refused with a Retry-After. */
const SCANS_WAITING = 20;
/** Chunks per statement; the thread is yielded after each. */
const CHUNKS_AT_ONCE = 20;

export interface Scans {
  /** `busy`: the account has too many waiting. `left`: the client went first. Throws ListGone. */
  run(
    list: { readonly id: number; readonly accountId: number; readonly total: number },
    signal: AbortSignal,
    visit: (chunk: Chunk) => void,
  ): Promise<'done' | 'busy' | 'left'>;
}

export function createScans(db: Tx): Scans {
  const slots = createFairSemaphore(SCANS_AT_ONCE);
  return {
    async run(list, signal, visit) {
      const holder = holderOf(list.accountId, false);
      if (slots.waitingOf(holder) >= SCANS_WAITING) return 'busy';
      const end = await slots.acquire(holder, signal);
      if (!end) return 'left';
      try {
        const lastChunk = Math.ceil(list.total / CHUNK_SIZE) - 1;
        for (let first = 0; first <= lastChunk; first += CHUNKS_AT_ONCE) {
          if (signal.aborted) return 'left';
          const last = Math.min(lastChunk, first + CHUNKS_AT_ONCE - 1);
          const chunks = await readChunks(db, list.id, first, last);
          if (chunks.length !== last - first + 1) throw new ListGone();
          for (const chunk of chunks) {
            visit(chunk);
            await nextTurn();
          }
        }
        return 'done';
      } finally {
        end();
      }
    },
  };
}
