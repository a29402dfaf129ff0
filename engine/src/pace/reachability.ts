// Whether the network can be reached at all. Pure: time is an argument. Promise: a few dead hosts are dead hosts; if
// nearly all of many are dead, the cause is on our side (a blocked port, a dead resolver, a cut cable), which is
// reported once and assumed until one answers again. What one payer alone has met holds back that payer alone.
//
//   reachable ──ten or more distinct hosts failed, at most one in twenty answered──▶ lost ──one answers──▶ reachable
//       ├──ten that answered a while ago failed, one after the other──────────────────▲
//       ├──three or more that answered a while ago failed so, and there is no other───▲
//       └──another payer is lost, and three failed with no answer to anyone───────────▲
//
// Each payer has hosts of its own that count, and is lost by itself; two that are lost are everyone. An answer to one payer
// is an answer to all. Where there is one payer, its hosts are all hosts.
//
// Sooner than that it is suspected, for people to read (`cutOffSinceMs`); nothing waits for a suspicion.

const HOSTS_KEPT = 60;
const KEPT_MS = 600_000;
const FAILED_MIN = 10;
const FAILED_SHARE = 0.95;
/** Where so few are known, it is us when every one of them is gone. */
const GONE_MIN = 3;
/** So many that failed are suspicious where none has ever answered. */
const SUSPICIOUS_MIN = 3;
/** So many that failed are enough for a payer to agree with another that is lost. */
const AGREEING_MIN = 3;
/** Well below the time that a failure is in doubt: a network that another payer has just used is not down. */
const USED_LATELY_MS = 3_000;
/** The oldest are forgotten. */
const PAYERS_KEPT = 1_000;
/** While lost, one try this often. */
export const PROBE_EVERY_MS = 15_000;

/** Where there is one payer, all hosts count as its own. Where there are several, a host asked for no account has this one. */
const NO_PAYER = '';

/** What the hosts of one payer have shown. */
class Sample {
  readonly #hosts = new Map<string, { ok: boolean; atMs: number }>();
  /** Answered before, fail now; emptied by any host that answers. */
  readonly #gone = new Set<string>();
  #failedAtMs = 0;
  triedAtMs = 0;

  /** `provenAtMs`: when another payer was last answered. */
  note(target: string, ok: boolean, nowMs: number, provenAtMs: number): void {
    const known = this.#hosts.get(target);
    if (ok || provenAtMs > this.#failedAtMs) this.#gone.clear();
    if (!ok) {
      if (known?.ok) this.#gone.add(target);
      this.#failedAtMs = nowMs;
    }
    this.#hosts.delete(target);
    this.#hosts.set(target, { ok, atMs: nowMs });
    if (this.#hosts.size > HOSTS_KEPT) {
      const oldest = this.#hosts.keys().next().value;
      if (oldest !== undefined) this.#hosts.delete(oldest);
    }
  }

  /** Of those noted since then. */
  since(sinceMs: number): { readonly failed: number; readonly all: number; readonly firstMs: number } {
    let failed = 0;
    let all = 0;
    let firstMs = Number.POSITIVE_INFINITY;
    for (const { ok, atMs } of this.#hosts.values()) {
      if (atMs < sinceMs) continue;
      all += 1;
      firstMs = Math.min(firstMs, atMs);
      if (!ok) failed += 1;
    }
    return { failed, all, firstMs };
  }

  saysLost(sinceMs: number): boolean {
    const { failed, all } = this.since(sinceMs);
    const nearlyAll = failed >= FAILED_MIN && failed >= all * FAILED_SHARE;
    const allGone = this.#gone.size >= GONE_MIN && failed === all;
    return nearlyAll || allGone || this.#gone.size >= FAILED_MIN;
  }

  lost(nowMs: number): void {
    this.#gone.clear();
    this.triedAtMs = nowMs;
  }

  found(): void {
    this.#hosts.clear();
  }
}

export class Reachability {
  /** False: lost for everyone. */
  ok = true;
  /** Lost for everyone, or suspected to be, since then; null: neither. Any host that answers ends it. */
  cutOffSinceMs: number | null = null;
  /** When one last answered; null: none ever did. */
  answeredAtMs: number | null = null;
  readonly #payersNeeded: () => number;
  readonly #samples = new Map<string, Sample>();
  /** The payers that are lost, and since when. */
  readonly #lost = new Map<string, number>();
  /** Who was answered last, and when another one was. */
  #answeredLast = NO_PAYER;
  #answeredOtherAtMs = Number.NEGATIVE_INFINITY;
  /** A host has answered since it was last doubted. */
  #answered = false;

  /** How many have to agree before it is lost for everyone: one where there is no other. */
  constructor(payersNeeded: () => number) {
    this.#payersNeeded = payersNeeded;
  }

  get #areSeveral(): boolean {
    return this.#payersNeeded() > 1;
  }

  isReachable(payer: string): boolean {
    return this.ok && !this.#lost.has(this.#keyOf(payer));
  }

  /** For this payer: lost, or suspected to be, since then. */
  cutOffSinceMsFor(payer: string): number | null {
    return this.cutOffSinceMs ?? this.#lost.get(this.#keyOf(payer)) ?? null;
  }

  /** Whether a failure may turn out to be ours: others were reached before, and nothing is known since. */
  mayBeUs(payer: string): boolean {
    return this.isReachable(payer) && this.#answered;
  }

  /** Doubted once without a result: until a host answers again, a failure is the host's. */
  doubted(): void {
    this.#answered = false;
  }

  /** Records whether one host answered; returns a change of state for everyone, else null. */
  note(
    of: string,
    target: string,
    ok: boolean,
    nowMs: number,
    isHighlyAvailable = false,
  ): 'lost' | 'found' | null {
    const payer = this.#keyOf(of);
    if (ok) return this.#noteAnswer(payer, target, nowMs);
    // A failure that no account asked for is held against no account.
    const isOurs = payer === NO_PAYER && this.#areSeveral;
    if (isOurs || this.#lost.has(payer)) return null;
    const sample = this.#sampleOf(payer);
    sample.note(target, false, nowMs, this.#provenAtMs(payer));
    if (this.#isSuspicious(sample, isHighlyAvailable, nowMs)) this.cutOffSinceMs ??= nowMs;
    return this.#judge(payer, sample, nowMs);
  }

  /** Time has passed: what others had just used when it failed may be lost by now. */
  review(nowMs: number): 'lost' | null {
    let change: 'lost' | null = null;
    if (!this.#areSeveral) return change;
    for (const [payer, sample] of this.#samples) change = this.#judge(payer, sample, nowMs) ?? change;
    return change;
  }

  /** While lost, lets one question of each payer through now and then. */
  mayTry(payer: string, nowMs: number): boolean {
    const key = this.#keyOf(payer);
    if (!this.#lost.has(key)) return true;
    const sample = this.#sampleOf(key);
    if (nowMs - sample.triedAtMs < PROBE_EVERY_MS) return false;
    sample.triedAtMs = nowMs;
    return true;
  }

  #noteAnswer(payer: string, target: string, nowMs: number): 'found' | null {
    const provenAtMs = this.#provenAtMs(payer);
    if (payer !== this.#answeredLast) this.#answeredOtherAtMs = provenAtMs;
    this.#answeredLast = payer;
    this.#answered = true;
    this.answeredAtMs = nowMs;
    this.cutOffSinceMs = null;
    if (!this.#lost.has(payer)) this.#sampleOf(payer).note(target, true, nowMs, provenAtMs);
    for (const lost of this.#lost.keys()) this.#samples.get(lost)?.found();
    this.#lost.clear();
    if (this.ok) return null;
    this.ok = true;
    return 'found';
  }

  #judge(payer: string, sample: Sample, nowMs: number): 'lost' | null {
    const provenAtMs = this.#provenAtMs(payer);
    if (this.#lost.has(payer) || nowMs - provenAtMs < USED_LATELY_MS) return null;
    const isLost = sample.saysLost(Math.max(provenAtMs, nowMs - KEPT_MS));
    if (!isLost && !this.#agrees(sample, nowMs)) return null;
    sample.lost(nowMs);
    this.#lost.set(payer, nowMs);
    if (!this.ok || this.#lost.size < this.#payersNeeded()) return null;
    this.ok = false;
    this.cutOffSinceMs ??= nowMs;
    return 'lost';
  }

  /** Another payer is lost, and this one has met nothing else for a while. */
  #agrees(sample: Sample, nowMs: number): boolean {
    if (this.#lost.size === 0) return false;
    const { failed, all, firstMs } = sample.since((this.answeredAtMs ?? Number.NEGATIVE_INFINITY) + 1);
    return failed >= AGREEING_MIN && failed === all && nowMs - firstMs >= USED_LATELY_MS;
  }

  #isSuspicious(sample: Sample, isHighlyAvailable: boolean, nowMs: number): boolean {
    if (this.answeredAtMs === null)
      return isHighlyAvailable || sample.since(nowMs - KEPT_MS).failed >= SUSPICIOUS_MIN;
    return isHighlyAvailable && nowMs - this.answeredAtMs > KEPT_MS;
  }

  /** When another payer was last answered: until then, failures were the hosts'. */
  #provenAtMs(payer: string): number {
    return payer === this.#answeredLast
      ? this.#answeredOtherAtMs
      : (this.answeredAtMs ?? Number.NEGATIVE_INFINITY);
  }

  #keyOf(payer: string): string {
    return this.#areSeveral ? payer : NO_PAYER;
  }

  #sampleOf(payer: string): Sample {
    const sample = this.#samples.get(payer) ?? new Sample();
    this.#samples.delete(payer);
    this.#samples.set(payer, sample);
    if (this.#samples.size > PAYERS_KEPT) {
      const [oldest = payer] = this.#samples.keys();
      this.#samples.delete(oldest);
      this.#lost.delete(oldest);
    }
    return sample;
  }
}
