// How many errors one mail host tolerates in a session. Pure: time as an argument. Promise: sessions end before the
// error that was seen to be one too many; what was learnt is forgotten within the hour.

const ORDINARY_REFUSAL_SHARE = 0.2;
/** How fast the share of refusals follows what is seen. */
const REFUSAL_SHARE_STEP = 0.1;
/** How long a host that hung up on us is asked for less in a session. */
const FEWER_MS = 60 * 60_000;
/** A drop right after the first error may have another cause: unless the host names the error, it counts from the second on. */
const FIRST_ERRORS_TELLING = 2;
const UNKNOWN = Number.MAX_SAFE_INTEGER;

export class HostErrors {
  /** By the policy, which knows the host by name. */
  policyMax: number;
  #refusalShare = ORDINARY_REFUSAL_SHARE;
  #learntMax = UNKNOWN;
  #fewerUntilMs = 0;
  #firstErrorEnds = 0;
  #endsAtFirst = false;

  constructor(policyMax: number) {
    this.policyMax = policyMax;
  }

  /** Share of recipients it refuses, a moving average: how many flights a session is worth. */
  get refusalShare(): number {
    return this.#refusalShare;
  }

  answered(recipients: number, refused: number): void {
    this.#refusalShare += (refused / recipients - this.#refusalShare) * REFUSAL_SHARE_STEP;
  }

  /** Errors a session may draw: the policy's number, or one less than what the host has shown to be too many. */
  perSession(nowMs: number): number {
    return this.#fewerUntilMs <= nowMs ? this.policyMax : Math.min(this.policyMax, this.#learntMax);
  }

  /** It tolerates fewer than the policy's number. */
  hasLearnt(nowMs: number): boolean {
    return this.#fewerUntilMs > nowMs;
  }

  /** It is known to hang up at the first error. */
  endsAtFirst(nowMs: number): boolean {
    return this.#endsAtFirst && this.#fewerUntilMs > nowMs;
  }

  /** It hung up on a session after `drawn` errors. */
  hungUpAfter(drawn: number, nowMs: number): void {
    this.#learntMax = Math.max(1, Math.min(this.perSession(nowMs), drawn - 1));
    this.#fewerUntilMs = nowMs + FEWER_MS;
  }

  /** It hung up right after its first refusal. `saysSo`: for the error, in its own words. True once that is its habit. */
  hungUpAfterFirst(saysSo: boolean, nowMs: number): boolean {
    this.#firstErrorEnds += 1;
    if (!saysSo && this.#firstErrorEnds < FIRST_ERRORS_TELLING) return false;
    this.#endsAtFirst = true;
    this.hungUpAfter(1, nowMs);
    return true;
  }

  /** The hour is over: the host may have hung up for reasons of that hour. */
  forgetOld(nowMs: number): void {
    if (this.#fewerUntilMs === 0 || this.#fewerUntilMs > nowMs) return;
    this.#fewerUntilMs = 0;
    this.#learntMax = UNKNOWN;
    this.#firstErrorEnds = 0;
    this.#endsAtFirst = false;
  }
}
