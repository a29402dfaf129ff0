// Which callbacks may be attempted now. Promise: accounts share the slots fairly (FairShare); a receiver has at most four
// attempts under way, and so has an address among one account's receivers, whatever its host names: a slow one delays
// neither the account's other receivers nor other accounts.
import { FairShare, holderOf } from '@mxproof/common/fair-share';
import { type AccountClaims, NO_RANK } from '../store/claim-jobs.ts';
import type { ClaimedJob, PostJob } from '../store/jobs.ts';

/** Many receivers must take their full ten seconds before they delay one that does not. */
const AT_ONCE = 1_000;
/** For a receiver, and for an address among those of one account. */
const AT_ONCE_PER_TARGET = 4;
/** One claim may bring this many for one receiver; those above its limit wait here. */
const CLAIM_LIMIT = 50;
/** Accounts below their share come in few at a time, so that none takes what is kept for all of them. */
const RESERVED_CLAIM_LIMIT = 8;

export interface ClaimedPost<Job extends PostJob> {
  readonly claimed: ClaimedJob<Job>;
  readonly accountId: number;
  /** Its receiver, and the addresses that it had when it last tried. */
  targets: readonly string[];
  isUnderWay: boolean;
}

export class CallbackSlots<Job extends PostJob> {
  readonly #share: FairShare;
  readonly #claimed = new Set<ClaimedPost<Job>>();
  readonly #waiting = new Set<ClaimedPost<Job>>();
  /** Attempts under way by target: receivers, and addresses of an account's receivers. */
  readonly #underWay = new Map<string, number>();

  constructor(atOnce = AT_ONCE) {
    this.#share = new FairShare(atOnce);
  }

  get size(): number {
    return this.#claimed.size;
  }

  all(): ClaimedPost<Job>[] {
    return [...this.#claimed];
  }

  /** Claimed and not begun. */
  waiting(): ClaimedPost<Job>[] {
    return [...this.#waiting];
  }

  /** Null: nothing may be claimed. */
  room(): { limit: number; accounts: AccountClaims[]; notFor: string[] } | null {
    const free = this.#share.capacity - this.#share.taken;
    // An account that holds none yet ('') is the one most likely to be admitted.
    if (free <= 0 && !this.#share.mayTake('')) return null;
    const limit = free > 0 ? Math.min(CLAIM_LIMIT, free) : RESERVED_CLAIM_LIMIT;
    const accounts = [...new Set(this.all().map(({ accountId }) => accountId))].map((accountId) => {
      const holder = holderOf(accountId, false);
      const minRank = this.#share.mayTake(holder) ? null : NO_RANK;
      return { accountId, lists: this.#share.heldBy(holder), singles: 0, minRank };
    });
    return { limit, accounts, notFor: [...this.#underWay.keys()].filter((target) => this.#isBusy(target)) };
  }

  add(claimed: ClaimedJob<Job>): void {
    const { accountId, receiver } = claimed.job;
    const one: ClaimedPost<Job> = { claimed, accountId, targets: [receiver], isUnderWay: false };
    this.#claimed.add(one);
    this.#waiting.add(one);
    this.#share.take(holderOf(accountId, false));
  }

  /** Waiting ones that must give way: of the account that holds most, the latest. */
  tooMany(): ClaimedPost<Job>[] {
    let surplus = this.#share.taken - this.#share.capacity;
    if (surplus <= 0) return [];
    const most = Math.max(
      ...this.all().map(({ accountId }) => this.#share.heldBy(holderOf(accountId, false))),
    );
    return this.waiting()
      .reverse()
      .filter(({ accountId }) => this.#share.heldBy(holderOf(accountId, false)) === most && surplus-- > 0);
  }

  /** Those that may begin now. */
  *begin(): Generator<ClaimedPost<Job>> {
    for (const one of this.#waiting) {
      if (one.targets.some((target) => this.#isBusy(target))) continue;
      this.#waiting.delete(one);
      this.#occupy(one);
      yield one;
    }
  }

  /** Its addresses are known. False: one of them has its few already, and it should wait again. */
  mayConnect(one: ClaimedPost<Job>, ips: readonly string[], port: string): boolean {
    this.#free(one);
    one.targets = [one.claimed.job.receiver, ...ips.map((ip) => `address ${one.accountId} ${ip} ${port}`)];
    if (one.targets.some((target) => this.#isBusy(target))) return false;
    this.#occupy(one);
    return true;
  }

  waitAgain(one: ClaimedPost<Job>): void {
    this.#free(one);
    if (this.#claimed.has(one)) this.#waiting.add(one);
  }

  drop(one: ClaimedPost<Job>): void {
    this.#free(one);
    this.#waiting.delete(one);
    if (this.#claimed.delete(one)) this.#share.release(holderOf(one.accountId, false));
  }

  #isBusy(target: string): boolean {
    return (this.#underWay.get(target) ?? 0) >= AT_ONCE_PER_TARGET;
  }

  #occupy(one: ClaimedPost<Job>): void {
    one.isUnderWay = true;
    for (const target of one.targets) this.#underWay.set(target, (this.#underWay.get(target) ?? 0) + 1);
  }

  #free(one: ClaimedPost<Job>): void {
    if (!one.isUnderWay) return;
    one.isUnderWay = false;
    for (const target of one.targets) {
      const left = this.#underWay.get(target)! - 1;
      if (left > 0) this.#underWay.set(target, left);
      else this.#underWay.delete(target);
    }
  }
}
