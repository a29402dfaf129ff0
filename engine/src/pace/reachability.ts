// Whether the network can be reached at all. Pure: time is an argument. Promise: a few dead hosts are dead hosts; if
// nearly all of many are dead, the cause is on our side (a blocked port, a dead resolver, a cut cable), which is
// reported once and assumed until one answers again.
//
//   reachable ──ten or more distinct hosts failed, at most one in twenty answered──▶ lost ──one answers──▶ reachable
//       ├──ten that answered a while ago failed, one after the other──────────────────▲
//       └──three or more that answered a while ago failed so, and there is no other───▲
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
/** While lost, one try this often. */
export const PROBE_EVERY_MS = 15_000;

export class Reachability {
  ok = true;
  /** Lost, or suspected to be, since then; null: neither. Any host that answers ends it. */
  cutOffSinceMs: number | null = null;
  /** When one last answered; null: none ever did. */
  answeredAtMs: number | null = null;
  readonly #hosts = new Map<string, { ok: boolean; atMs: number }>();
  /** Answered before, fail now; emptied by any host that answers. */
  readonly #gone = new Set<string>();
  #triedAtMs = 0;
  /** A host has answered since it was last doubted. */
  #answered = false;

  /** Whether a failure may turn out to be ours: others were reached before, and nothing is known since. */
  get mayBeUs(): boolean {
    return this.ok && this.#answered;
  }

  /** Doubted once without a result: until a host answers again, a failure is the host's. */
  doubted(): void {
    this.#answered = false;
  }

  /** Records whether one host answered; returns a change of state, else null. */
  note(whom: string, ok: boolean, nowMs: number, isHighlyAvailable = false): 'lost' | 'found' | null {
    if (ok) {
      this.#answered = true;
      this.answeredAtMs = nowMs;
      this.cutOffSinceMs = null;
    }
    if (!this.ok) {
      if (!ok) return null;
      this.ok = true;
      this.#hosts.clear();
      return 'found';
    }
    const known = this.#hosts.get(whom);
    if (ok) this.#gone.clear();
    else if (known?.ok) this.#gone.add(whom);
    this.#hosts.delete(whom);
    this.#hosts.set(whom, { ok, atMs: nowMs });
    if (this.#hosts.size > HOSTS_KEPT) {
      const oldest = this.#hosts.keys().next().value;
      if (oldest !== undefined) this.#hosts.delete(oldest);
    }
    if (ok) return null;
    let failed = 0;
    let recent = 0;
    for (const host of this.#hosts.values()) {
      if (nowMs - host.atMs > KEPT_MS) continue;
      recent += 1;
      if (!host.ok) failed += 1;
    }
    if (this.#isSuspicious(failed, isHighlyAvailable, nowMs)) this.cutOffSinceMs ??= nowMs;
    const nearlyAll = failed >= FAILED_MIN && failed >= recent * FAILED_SHARE;
    const allGone = this.#gone.size >= GONE_MIN && failed === recent;
    if (!nearlyAll && !allGone && this.#gone.size < FAILED_MIN) return null;
    this.ok = false;
    this.cutOffSinceMs ??= nowMs;
    this.#gone.clear();
    this.#triedAtMs = nowMs;
    return 'lost';
  }

  #isSuspicious(failed: number, isHighlyAvailable: boolean, nowMs: number): boolean {
    if (this.answeredAtMs === null) return isHighlyAvailable || failed >= SUSPICIOUS_MIN;
    return isHighlyAvailable && nowMs - this.answeredAtMs > KEPT_MS;
  }

  /** While lost, lets one question through now and then. */
  mayTry(nowMs: number): boolean {
    if (this.ok) return true;
    if (nowMs - this.#triedAtMs < PROBE_EVERY_MS) return false;
    this.#triedAtMs = nowMs;
    return true;
  }
}
