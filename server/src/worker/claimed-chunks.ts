// The chunks a node has in claimedChunks: how many it may take, and which it lets go.
// Promise: bounded, and never so full of one list that another's first chunks cannot come in.
import type { HeldChunk } from '../flow/check-chunk.ts';

/** Enough that every exchanger's queue is full, little enough that a dead node's work is soon asked by others. */
const ADDRESSES_HELD = 20_000;
/** Up to this many when what waits ranks before the last in claimedChunks. */
const ADDRESSES_AT_MOST = 50_000;
const CLAIMS_AT_MOST = 2_000;
const CHUNKS_AT_ONCE = 40;
const BETTER_CHUNKS_AT_ONCE = 8;
const USUAL_CHUNK = 250;

export interface Room {
  readonly limit: number;
  /** Only work that ranks at least here. */
  readonly minRank?: number;
}

export interface ClaimedChunks {
  /** Claims in a transaction of their own now: a heartbeat beside it would only get in its way. */
  readonly writing: Set<string>;
  readonly size: number;
  add(held: HeldChunk): void;
  drop(held: HeldChunk): void;
  /** Another node has the claim: its answers still count, its work does not go on here. */
  lose(held: HeldChunk): void;
  /** The list is over or gone: stop asking about it. */
  forgetList(listId: number): void;
  all(): HeldChunk[];
  ofList(listId: number): HeldChunk[];
  /** Null: nothing may be taken. */
  room(): Room | null;
  /** What must go to let in what ranks before it. */
  tooMuch(): HeldChunk[];
}

export function createClaimedChunks(): ClaimedChunks {
  const lists = new Map<number, Set<HeldChunk>>();
  let size = 0;
  let addresses = 0;

  function all(): HeldChunk[] {
    return [...lists.values()].flatMap((chunks) => [...chunks]);
  }
  /** Of what is still being asked; what was told to stop is on its way out. */
  const asking = () => all().filter((held) => !held.over && !held.stop.signal.aborted);
  function worstRank(): number {
    let worst = Number.POSITIVE_INFINITY;
    for (const { rank } of asking()) worst = Math.min(worst, rank);
    return worst;
  }
  function lose(held: HeldChunk): void {
    held.lost = true;
    held.stop.abort();
  }

  return {
    writing: new Set(),
    get size() {
      return size;
    },
    add(held) {
      const chunks = lists.get(held.listId) ?? new Set();
      lists.set(held.listId, chunks.add(held));
      size++;
      addresses += held.asked.length;
    },
    drop(held) {
      const chunks = lists.get(held.listId);
      if (!chunks?.delete(held)) return;
      if (chunks.size === 0) lists.delete(held.listId);
      size--;
      addresses -= held.asked.length;
    },
    lose,
    forgetList(listId) {
      for (const held of lists.get(listId) ?? []) held.stop.abort();
    },
    all,
    ofList: (listId) => [...(lists.get(listId) ?? [])],
    room() {
      if (size >= CLAIMS_AT_MOST) return null;
      if (addresses < ADDRESSES_HELD)
        return {
          limit: Math.min(CHUNKS_AT_ONCE, Math.ceil((ADDRESSES_HELD - addresses) / USUAL_CHUNK)),
        };
      const worst = worstRank();
      return Number.isFinite(worst) ? { limit: BETTER_CHUNKS_AT_ONCE, minRank: worst + 1 } : null;
    },
    tooMuch() {
      let surplus = addresses - ADDRESSES_AT_MOST;
      if (surplus <= 0) return [];
      const going: HeldChunk[] = [];
      for (const held of asking().sort((one, other) => one.rank - other.rank)) {
        if (surplus <= 0) break;
        going.push(held);
        surplus -= held.asked.length;
      }
      return going;
    },
  };
}
