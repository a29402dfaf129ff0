// The chunks a node holds: how many more it may claim, and which it must give up.
// Promise: bounded, and never so full of one list that another list's first chunks find no room.
import type { HeldChunk } from './held-chunk.ts';

/** Enough to fill every exchanger's queue, few enough that a dead node's work is soon asked by others. */
const ADDRESSES_HELD = 20_000;
/** Up to this many while waiting work ranks before the last that is held. */
const MAX_ADDRESSES_HELD = 50_000;
const MAX_CLAIMS = 2_000;
const CHUNKS_PER_CLAIM = 40;
const BETTER_CHUNKS_PER_CLAIM = 8;
const USUAL_CHUNK_SIZE = 250;

export interface Room {
  readonly limit: number;
  /** Only work that ranks at least this. */
  readonly minRank?: number;
}

export interface ClaimedChunks {
  readonly size: number;
  add(held: HeldChunk): void;
  drop(held: HeldChunk): void;
  has(held: HeldChunk): boolean;
  /** The list is over or deleted: stop asking about it. */
  stopList(listId: number): void;
  all(): HeldChunk[];
  ofList(listId: number): HeldChunk[];
  listIds(): number[];
  /** Null: nothing may be claimed. */
  room(): Room | null;
  /** What must be given up to make room for work that ranks before it. */
  tooMuch(): HeldChunk[];
}

export function createClaimedChunks(): ClaimedChunks {
  const lists = new Map<number, Set<HeldChunk>>();
  let size = 0;
  let addresses = 0;

  function all(): HeldChunk[] {
    return [...lists.values()].flatMap((chunks) => [...chunks]);
  }
  /** A chunk that was told to stop is on its way out. */
  const asking = () => all().filter((held) => !held.isOver && !held.isStopping);
  function worstRank(): number {
    let worst = Number.POSITIVE_INFINITY;
    for (const { rank } of asking()) worst = Math.min(worst, rank);
    return worst;
  }

  return {
    get size() {
      return size;
    },
    add(held) {
      const chunks = lists.get(held.listId) ?? new Set();
      lists.set(held.listId, chunks.add(held));
      size++;
      addresses += held.size;
    },
    drop(held) {
      const chunks = lists.get(held.listId);
      if (!chunks?.delete(held)) return;
      if (chunks.size === 0) lists.delete(held.listId);
      size--;
      addresses -= held.size;
    },
    has: (held) => lists.get(held.listId)?.has(held) ?? false,
    stopList(listId) {
      for (const held of lists.get(listId) ?? []) held.stop();
    },
    all,
    ofList: (listId) => [...(lists.get(listId) ?? [])],
    listIds: () => [...lists.keys()],
    room() {
      if (size >= MAX_CLAIMS) return null;
      if (addresses < ADDRESSES_HELD)
        return {
          limit: Math.min(CHUNKS_PER_CLAIM, Math.ceil((ADDRESSES_HELD - addresses) / USUAL_CHUNK_SIZE)),
        };
      const worst = worstRank();
      return Number.isFinite(worst) ? { limit: BETTER_CHUNKS_PER_CLAIM, minRank: worst + 1 } : null;
    },
    tooMuch() {
      let surplus = addresses - MAX_ADDRESSES_HELD;
      if (surplus <= 0) return [];
      const surrendered: HeldChunk[] = [];
      for (const held of asking().sort((one, other) => one.rank - other.rank)) {
        if (surplus <= 0) break;
        surrendered.push(held);
        surplus -= held.size;
      }
      return surrendered;
    },
  };
}
