// Claims chunks while there is room and work, and gives them to the checker.
// Promise: a node leaves the others their share; while nothing is reachable it tries one chunk at a time, by which the
// engine learns when the network is back; chunks that are asked about alone take no room of the others. A job or chunk that
// cannot be read keeps no other from being asked about.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { steadyNow } from '@mxproof/common/steady-now';
import type { Checker } from '@mxproof/engine';
import type { Logger } from 'pino';
import type { Context } from '../flow/context.ts';
import { failChunk } from '../flow/fail-chunk.ts';
import { failList } from '../flow/finish-list.ts';
import type { Observer } from '../flow/observer.ts';
import type { ChunkJob } from '../rules/chunk-owners.ts';
import { shareOf } from '../rules/fair-rank.ts';
import { isFailing } from '../rules/test-outcome.ts';
import { askedBefore } from '../store/asked-domains.ts';
import { readClaimed } from '../store/chunks.ts';
import type { AccountClaims } from '../store/claim-jobs.ts';
import { removeDeferred } from '../store/deferred.ts';
import type { ClaimedJob } from '../store/jobs.ts';
import { beginChecking } from '../store/lists.ts';
import type { OtherNodes } from '../store/nodes.ts';
import type { AskAlone } from './ask-alone.ts';
import { checkChunk } from './check-chunk.ts';
import { ClaimedChunk } from './claimed-chunk.ts';
import type { ClaimedChunks, Room } from './claimed-chunks.ts';
import { createIsolation } from './isolate.ts';
import { testChecker } from './test-checker.ts';

/** Work beyond its share that the other nodes leave for so long, a node takes one chunk at a time. */
const HOLD_BACK_MS = 1_000;
const UNREACHABLE_TRY_MS = 5_000;
/** Given to the checker before the event loop is yielded. */
const CHUNKS_PER_TURN = 8;
/** Each is a process with an engine of its own. */
const ALONE_AT_ONCE = 4;

export interface ChunkClaimer {
  /** Claims until there is no room, no work, or the node stops. */
  claim(): Promise<void>;
  /** Reachability changed: the next try comes a whole interval from now. */
  delayNextTry(nowMs: number): void;
  /** Forgets which lists it has marked as checking, except for these. */
  keepMarked(listIds: ReadonlySet<number>): void;
}

export function createChunkClaimer(options: {
  readonly context: Context;
  readonly checker: Pick<Checker, 'ask' | 'reachable'>;
  /** Unset: chunks that must be asked about alone are left to other nodes. */
  readonly askAlone?: AskAlone | undefined;
  readonly claimedChunks: ClaimedChunks;
  /** Null: not known yet, and nothing is claimed before. */
  readonly others: () => OtherNodes | null;
  readonly stopping: AbortSignal;
  readonly log: Logger;
  readonly onOver: (listId: number) => void;
  /** What waited in jobs was given to the checker. */
  readonly onResumed: () => void;
  /** Counts verdicts. Unset: nothing does. */
  readonly observer?: Partial<Pick<Observer, 'checked'>> | undefined;
}): ChunkClaimer {
  const { context, checker, claimedChunks, stopping, log } = options;
  /** Lists whose status this node has set to `checking`. */
  const marked = new Set<number>();
  const jobs = createIsolation<number>({ name: 'claim', log });
  let lastTryMs = 0;
  let lastShareMs = steadyNow();

  /** The other nodes may be full and leave their share unclaimed: after a while this node takes it, one chunk at a time. */
  async function withinShare(limit: number, nodes: number): Promise<number> {
    // With so many the share is at least the limit. Counting on would cost more the more lists wait, on every node.
    const plenty = nodes * (claimedChunks.size + limit);
    const all = await context.jobs.countChunks(plenty);
    const share = all.ready + all.claimed >= plenty ? limit : shareOf(all, claimedChunks.size, nodes);
    if (share <= 0 && steadyNow() - lastShareMs <= HOLD_BACK_MS) return 0;
    lastShareMs = steadyNow();
    return Math.min(limit, Math.max(1, share));
  }

  function roomForOneTry(): Room | null {
    if (claimedChunks.size > 0 || steadyNow() - lastTryMs < UNREACHABLE_TRY_MS) return null;
    return { limit: 1, accounts: [] };
  }

  /** Chunks with nothing left to ask are finished, those that cannot be read are failed. */
  async function readChunks(claimed: readonly ClaimedJob<ChunkJob>[]): Promise<ClaimedChunk[]> {
    const nowMs = steadyNow();
    const wanted = claimed.map(({ job }) => job);
    const rows = await readClaimed(context.db, wanted);
    await removeDeferred(context.db, wanted);
    const byPlace = new Map(rows.map((row) => [`${row.listId} ${row.n}`, row]));
    const idle: ClaimedJob<ChunkJob>[] = [];
    const failing = new Set<number>();
    const chunks: ClaimedChunk[] = [];
    for (const one of claimed) {
      const row = byPlace.get(`${one.job.listId} ${one.job.n}`);
      if (row?.testName != null && isFailing(row.testName)) {
        failing.add(one.job.listId);
        idle.push(one);
        continue;
      }
      try {
        const chunk = row && new ClaimedChunk(one, row, nowMs);
        if (chunk && chunk.size > 0) chunks.push(chunk);
        else idle.push(one);
      } catch (error) {
        log.error({ listId: one.job.listId, chunk: one.job.n, err: error }, 'cannot read chunk');
        await failChunk(context, one, error);
      }
    }
    for (const listId of failing) await failList(context, listId, 'a test list of this name fails');
    await context.jobs.finish(
      context.db,
      idle.map((one) => one.claim),
    );
    return chunks;
  }

  async function markChecking(listIds: ReadonlySet<number>): Promise<void> {
    const fresh = [...listIds].filter((listId) => !marked.has(listId));
    if (fresh.length === 0) return;
    await beginChecking(context.db, fresh);
    for (const listId of fresh) marked.add(listId);
  }

  function checkerOf({ aloneDeaths, isTest }: ClaimedChunk): Pick<Checker, 'ask'> {
    if (aloneDeaths !== undefined && options.askAlone)
      return options.askAlone.checker({ isTest, isFresh: aloneDeaths > 0 });
    return isTest ? testChecker : checker;
  }

  async function check(chunks: readonly ClaimedChunk[]): Promise<void> {
    const before = await askedBefore(context.db, domainsOf(chunks));
    for (const [index, chunk] of chunks.entries()) {
      claimedChunks.add(chunk);
      const asked = before.get(chunk.accountId);
      void checkChunk(checkerOf(chunk), chunk, asked, options.observer).then(() =>
        options.onOver(chunk.listId),
      );
      // Not after each one: the engine would start sessions before it has all recipients of a host.
      if (index % CHUNKS_PER_TURN === CHUNKS_PER_TURN - 1) await nextTurn();
    }
  }

  /** A claim of a dead node, or a job that a node wrote which knows no pause: what writes it back parks it. */
  function handBack(chunk: ClaimedChunk): void {
    claimedChunks.add(chunk);
    chunk.handBackOpen(steadyNow());
    options.onOver(chunk.listId);
  }

  /** A job that fails keeps its claim until that lapses, and is claimed again. */
  async function begin(claimed: readonly ClaimedJob<ChunkJob>[]): Promise<ClaimedChunk[]> {
    const ofId = new Map(claimed.map((one) => [one.claim.jobId, one]));
    const begun: ClaimedChunk[] = [];
    await jobs.runAll([...ofId.keys()], async (ids) => {
      begun.push(...(await beginTogether(ids.map((id) => ofId.get(id)!))));
    });
    return begun;
  }

  async function beginTogether(claimed: readonly ClaimedJob<ChunkJob>[]): Promise<ClaimedChunk[]> {
    // A claim that had lapsed is given back to its chunk, which is still being checked here.
    const chunks = await readChunks(
      claimed.filter((one) => !claimedChunks.ofList(one.job.listId).some((chunk) => chunk.takeBack(one))),
    );
    const { paused = [], asked = [] } = Object.groupBy(chunks, ({ isPaused }) =>
      isPaused ? 'paused' : 'asked',
    );
    for (const chunk of paused) handBack(chunk);
    await markChecking(new Set(asked.map(({ listId }) => listId)));
    await check(asked);
    if (asked.some(({ claimed: { job } }) => job.owner !== undefined)) options.onResumed();
    return asked;
  }

  async function claimAlone(): Promise<void> {
    const others = options.others();
    if (!others || !options.askAlone || !checker.reachable || stopping.aborted) return;
    const held = claimedChunks.all().filter(({ aloneDeaths }) => aloneDeaths !== undefined);
    const limit = ALONE_AT_ONCE - held.length;
    if (limit <= 0) return;
    const accounts = [...Map.groupBy(held, ({ accountId }) => accountId)].map(
      ([accountId, chunks]): AccountClaims => {
        const singles = chunks.filter(({ isSingle }) => isSingle).length;
        return { accountId, lists: chunks.length - singles, singles, minRank: null };
      },
    );
    await begin(await context.jobs.claimAlone({ limit, accounts, notFrom: others.sources }));
  }

  return {
    async claim() {
      await claimAlone();
      while (!stopping.aborted) {
        const others = options.others();
        if (!others) return;
        const room = checker.reachable ? claimedChunks.room() : roomForOneTry();
        if (!room) return;
        const limit = others.count === 0 ? room.limit : await withinShare(room.limit, others.count + 1);
        if (limit === 0) return;
        const claimed = await context.jobs.claimChunks({ ...room, limit, notFrom: others.sources });
        if (claimed.length === 0) return;
        const isTry = !checker.reachable;
        const chunks = await begin(claimed);
        // A test list does not use the network, so it is no attempt.
        if (isTry && chunks.some(({ isTest }) => !isTest)) lastTryMs = steadyNow();
        for (const surplus of claimedChunks.tooMuch()) surplus.stop();
        if (claimed.length < room.limit) return;
      }
    },
    delayNextTry(nowMs) {
      lastTryMs = nowMs;
    },
    keepMarked(listIds) {
      for (const listId of marked) if (!listIds.has(listId)) marked.delete(listId);
    },
  };
}

/** By account, each once. */
function domainsOf(chunks: readonly ClaimedChunk[]): { accountId: number; domain: string }[] {
  const asking = chunks.filter(({ isTest }) => !isTest);
  return [...Map.groupBy(asking, ({ accountId }) => accountId)].flatMap(([accountId, own]) => {
    const domains = new Set(own.flatMap((chunk) => [...chunk.domains()]));
    return [...domains].map((domain) => ({ accountId, domain }));
  });
}
