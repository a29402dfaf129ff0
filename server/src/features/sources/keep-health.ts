// What a node's wire shows of its sources, written down for all nodes that have them; and where those sources rest, read back.
// Promise: one statement every two seconds adds what was counted, none for a recipient, and a node that is killed loses
// those seconds; a rest is written at once and read by the others within seconds, and before a node asks anything; without
// a database the node goes on with what it knows, and writes that once it is back.
//
//   engine ──began, ended──▶ pending ──written──▶ source_states ──read──▶ learnRests of the node, its processes, other nodes
import { setTimeout as sleep } from 'node:timers/promises';
import { steadyNow } from '@mxproof/common/steady-now';
import type { AskedPlace, KeptRest, KeptRests, RestStore, WireObserver } from '@mxproof/engine';
import type { Logger } from 'pino';
import type { Database } from '../../store/database.ts';
import { startLoop } from '../../worker/loop.ts';
import { placeKey, SourceTally } from './source-tally.ts';
import { addCounts, claimTrial, endRest, type KeptState, keepRest, readStates } from './stored-health.ts';

const EVERY_MS = 2_000;
/** Of a start and a stop: a database that is away is not waited for. */
const ONCE_LIMIT_MS = 3_000;
/** Recipients wait for this answer. */
const CLAIM_LIMIT_MS = 3_000;

/** Not written yet. `restMs` null: it has ended. */
interface PendingRest {
  readonly at: AskedPlace;
  readonly restMs: number | null;
  readonly refusals: number;
  readonly beganAtMs: number;
}

export interface SourceHealthKeeper {
  readonly observer: WireObserver;
  readonly rests: RestStore;
  /** Reads what is kept, and goes on. `learn`: told at once, and then whenever it was read. */
  start(learn: (kept: KeptRests) => void): Promise<void>;
  /** Once nothing is asked any more: writes the rest. */
  stop(): Promise<void>;
}

export function createSourceHealth(options: {
  readonly db: Database;
  /** Of this node; none: the machine's own. */
  readonly sources: readonly string[];
  readonly log: Logger;
  readonly everyMs?: number;
}): SourceHealthKeeper {
  const { db, log, everyMs = EVERY_MS } = options;
  const sources = options.sources.length === 0 ? [null] : options.sources;
  const tally = new SourceTally();
  const pending = new Map<string, PendingRest>();
  /** When each place was last resumed by hand; null before the first reading. */
  let resumed: Map<string, string | null> | null = null;
  let learn: (kept: KeptRests) => void = () => {};
  let loop: ReturnType<typeof startLoop> | null = null;

  function note(at: AskedPlace, restMs: number | null, refusals: number): void {
    pending.set(placeKey(at), { at, restMs, refusals, beganAtMs: steadyNow() });
    loop?.wake();
  }

  async function writeCounts(): Promise<void> {
    const batch = tally.take();
    if (batch.length === 0) return;
    try {
      await addCounts(db, batch);
    } catch (error) {
      tally.putBack(batch);
      throw error;
    }
  }

  async function writeRests(): Promise<void> {
    for (const [key, one] of pending) {
      const { at, restMs, refusals } = one;
      if (restMs === null) await endRest(db, at);
      else await keepRest(db, at, { restMs, refusals, leftMs: leftOf(one, restMs) });
      // Another may have come while it was written.
      if (pending.get(key) === one) pending.delete(key);
    }
  }

  async function readBack(): Promise<void> {
    const states = await readStates(db, sources);
    const kept = new Map<string, KeptRest>();
    for (const { at, rest } of states) if (rest !== null) kept.set(placeKey(at), rest);
    // What has happened here since is news to the database.
    for (const [key, one] of pending) {
      if (one.restMs === null) kept.delete(key);
      else kept.set(key, pendingRest(one, one.restMs));
    }
    learn({ rests: [...kept.values()], resumed: newlyResumed(states) });
  }

  function newlyResumed(states: readonly KeptState[]): AskedPlace[] {
    const before = resumed;
    resumed = new Map(states.map(({ at, resumedAt }) => [placeKey(at), resumedAt]));
    if (before === null) return [];
    return states
      .filter(({ at, resumedAt }) => resumedAt !== null && before.get(placeKey(at)) !== resumedAt)
      .map(({ at }) => at);
  }

  async function sync(): Promise<void> {
    await writeRests();
    await readBack();
    await writeCounts();
  }

  async function once(work: () => Promise<void>): Promise<void> {
    const late = new AbortController();
    await Promise.race([
      work().catch((error: Error) =>
        log.warn({ err: error }, 'the health of sources could not be synchronized'),
      ),
      sleep(ONCE_LIMIT_MS, undefined, { signal: late.signal }).catch(() => {}),
    ]);
    late.abort();
  }

  return {
    observer: tally,
    rests: {
      began: (at, restMs, refusals) => note(at, restMs, refusals),
      ended: (at) => note(at, null, 0),
      claimTrial: (at, forMs) => withinLimit(claimTrial(db, at, forMs)),
    },
    async start(tell) {
      learn = tell;
      await once(readBack);
      loop = startLoop({ name: 'health of sources', everyMs, log, run: sync });
    },
    async stop() {
      await loop?.stop();
      learn = () => {};
      await once(async () => {
        await writeRests();
        await writeCounts();
      });
    },
  };
}

function leftOf({ beganAtMs }: PendingRest, restMs: number): number {
  return Math.max(0, beganAtMs + restMs - steadyNow());
}

function pendingRest(one: PendingRest, restMs: number): KeptRest {
  const agoMs = steadyNow() - one.beganAtMs;
  const { at, refusals } = one;
  return { ...at, by: 'refusals', agoMs, leftMs: restMs - agoMs, restMs, refusals, trialLeftMs: 0 };
}

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  const late = new AbortController();
  const limit = sleep(CLAIM_LIMIT_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error('the database has not answered in time');
  });
  // The one that loses the race is not waited for.
  limit.catch(() => {});
  work.catch(() => {});
  return Promise.race([work, limit]).finally(() => late.abort());
}
