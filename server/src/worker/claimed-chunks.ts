// The chunks a node has claimed: how many more it may claim, of which accounts, and which it must give up.
// Promise: bounded, and never so full of one account that another's chunks find no room, nor of one list that another
// list's first chunks find none.
import { FairShare, type Holder, holderOf } from '@mxproof/common/fair-share';
import { SINGLE_RANK } from '../rules/fair-rank.ts';
import { type AccountClaims, NO_RANK } from '../store/claim-jobs.ts';
import type { ClaimedChunk } from './claimed-chunk.ts';

/** Enough to fill every MX host's queue, few enough that a dead node's work is soon asked by others. */
const ADDRESSES_CLAIMED = 20_000;
/** Up to this many while waiting work ranks before the last claimed chunk, or is of an account with less than its share. */
const MAX_ADDRESSES_CLAIMED = 50_000;
const MAX_CLAIMS = 2_000;
/** Those included that were told to stop and wait for a mail server's answer. */
const MAX_CLAIMS_IN_ALL = 2 * MAX_CLAIMS;
const CHUNKS_PER_CLAIM = 40;
const BETTER_CHUNKS_PER_CLAIM = 8;
const USUAL_CHUNK_SIZE = 250;

export interface Room {
  readonly limit: number;
  /** The claims of each account so far, and what it may still have. */
  readonly accounts: readonly AccountClaims[];
}

export interface ClaimedChunks {
  readonly size: number;
  add(chunk: ClaimedChunk): void;
  drop(chunk: ClaimedChunk): void;
  /** The list is over or deleted: stop asking about it. */
  stopList(listId: number): void;
  all(): ClaimedChunk[];
  ofList(listId: number): ClaimedChunk[];
  listIds(): number[];
  /** Null: nothing may be claimed. */
  room(): Room | null;
  /** What must be given up: of the account that holds most, what ranks last. */
  tooMuch(): ClaimedChunk[];
}

export function createClaimedChunks(): ClaimedChunks {
  const lists = new Map<number, Set<ClaimedChunk>>();
  let size = 0;
  let addresses = 0;

  function all(): ClaimedChunk[] {
    return [...lists.values()].flatMap((chunks) => [...chunks]);
  }
  /** A chunk that is stopping takes no new questions. */
  const isAsking = (chunk: ClaimedChunk) => !chunk.isOver && !chunk.isStopping;

  /** What each account holds. Claims count only while they are asked about: a stopped chunk may wait for a mail server. */
  function shares() {
    const claims = new FairShare(MAX_CLAIMS);
    const addressShare = new FairShare(ADDRESSES_CLAIMED);
    /** By account. */
    const worst = new Map<number, number>();
    for (const chunk of all()) {
      addressShare.take(holderOfChunk(chunk), chunk.size);
      if (!isAsking(chunk)) continue;
      claims.take(holderOfChunk(chunk));
      worst.set(chunk.accountId, Math.min(worst.get(chunk.accountId) ?? NO_RANK, chunk.rank));
    }
    return { claims, addressShare, worst };
  }

  return {
    get size() {
      return size;
    },
    add(chunk) {
      const chunks = lists.get(chunk.listId) ?? new Set();
      lists.set(chunk.listId, chunks.add(chunk));
      size++;
      addresses += chunk.size;
    },
    drop(chunk) {
      const chunks = lists.get(chunk.listId);
      if (!chunks?.delete(chunk)) return;
      if (chunks.size === 0) lists.delete(chunk.listId);
      size--;
      addresses -= chunk.size;
    },
    stopList(listId) {
      for (const chunk of lists.get(listId) ?? []) chunk.stop();
    },
    all,
    ofList: (listId) => [...(lists.get(listId) ?? [])],
    listIds: () => [...lists.keys()],
    room() {
      const { claims, addressShare, worst } = shares();
      const isFull = addresses >= ADDRESSES_CLAIMED || size >= MAX_CLAIMS;
      if (isFull && (worst.size === 0 || size >= MAX_CLAIMS_IN_ALL)) return null;
      const mayHave = (holder: Holder) =>
        claims.mayTake(holder) && addressShare.heldBy(holder) < addressShare.equalShare(holder);
      /** An account that has its share still changes what it holds for better, unless claims are short. */
      const minRankOf = (accountId: number, worstRank: number) => {
        if (mayHave(holderOf(accountId, false))) return null;
        if (size < MAX_CLAIMS) return worstRank + 1;
        return mayHave(holderOf(accountId, true)) ? SINGLE_RANK : NO_RANK;
      };
      const accounts = [...worst].map(([accountId, worstRank]) => ({
        accountId,
        lists: claims.heldBy(holderOf(accountId, false)),
        singles: claims.heldBy(holderOf(accountId, true)),
        minRank: isFull ? minRankOf(accountId, worstRank) : null,
      }));
      if (isFull) return { limit: BETTER_CHUNKS_PER_CLAIM, accounts };
      const free = Math.ceil((ADDRESSES_CLAIMED - addresses) / USUAL_CHUNK_SIZE);
      return { limit: Math.min(CHUNKS_PER_CLAIM, free, MAX_CLAIMS - size), accounts };
    },
    tooMuch() {
      if (addresses <= MAX_ADDRESSES_CLAIMED && size <= MAX_CLAIMS) return [];
      const asking = all().filter(isAsking);
      let tooManyAddresses = asking.reduce((sum, chunk) => sum + chunk.size, -MAX_ADDRESSES_CLAIMED);
      let tooManyClaims = asking.length - MAX_CLAIMS;
      const { claims, addressShare } = shares();
      const surrendered: ClaimedChunk[] = [];
      // The best first, since they are taken from the end.
      const waiting = Map.groupBy(
        asking.sort((one, other) => other.rank - one.rank),
        holderOfChunk,
      );
      while (tooManyAddresses > 0 || tooManyClaims > 0) {
        const share = tooManyAddresses > 0 ? addressShare : claims;
        const most = [...waiting.keys()].reduce((one, other) =>
          share.heldBy(other) > share.heldBy(one) ? other : one,
        );
        const chunk = waiting.get(most)!.pop();
        if (!chunk) break;
        surrendered.push(chunk);
        claims.release(most);
        addressShare.release(most, chunk.size);
        tooManyAddresses -= chunk.size;
        tooManyClaims -= 1;
      }
      return surrendered;
    },
  };
}

function holderOfChunk(chunk: ClaimedChunk): Holder {
  return holderOf(chunk.accountId, chunk.isSingle);
}
