// Whether one mail host lets us in. Pure: time as an argument. Promise: a host that is down, unresponsive or refuses us
// is shut for a while and then tried again; what it does to one source address says nothing about another.

import { invariant } from '@mxproof/common/invariant';
import type { SharedLines, Unresponsiveness } from '../../../state/answer.ts';
import type { Detail, Meaning } from '../../../types.ts';

/**
 * Why a host is left alone. `unreachable`: no connection stood. `unresponsive`: silent where an answer was due. `broken`:
 * it hung up, spoke no SMTP, or broke off one session after the other. `slow_to_read`: its replies keep the thread too
 * long. `refusing`: it turned us away. `busy`: it did, having answered us before, and is worth waiting for where there is
 * no other host. `source_resting`: it has blocked our source address, which rests (source-breaker.ts). `proxy_down`: our
 * proxy cannot be used; `proxy_refusing`: it does not connect there; neither says anything about the host.
 */
export type ShutKind =
  | 'unreachable'
  | 'unresponsive'
  | 'broken'
  | 'slow_to_read'
  | 'refusing'
  | 'busy'
  | 'source_resting'
  | 'proxy_down'
  | 'proxy_refusing';

export interface ShutPeriod {
  readonly kind: ShutKind;
  readonly atMs: number;
  readonly untilMs: number;
  readonly meaning: Meaning | null;
  readonly detail: Detail;
  readonly temporary: boolean;
  readonly rule: string;
  /** The server has spoken. */
  readonly connected: boolean;
  readonly unresponsive: Unresponsiveness;
  readonly retryAfterMs: number | null;
  readonly host: string;
  readonly tls: boolean;
  readonly session: SharedLines;
}

/** Sessions in a row that may end in the middle without one answer. */
const BARREN_SESSIONS_MAX = 2;

export class HostAvailability {
  readonly #shut = new Map<string | null, ShutPeriod>();
  #inside = 0;
  #pausedUntilMs = 0;
  #barrenInARow = 0;
  #slowAtMs = Number.NEGATIVE_INFINITY;
  #slowTimes = 0;

  /** Sessions that the host has welcomed and that are still open. */
  get inside(): number {
    return this.#inside;
  }

  entered(): void {
    this.#inside += 1;
  }

  left(): void {
    this.#inside -= 1;
    invariant(this.#inside >= 0, 'fewer than no sessions are inside a host');
  }

  shut(source: string | null, why: ShutPeriod): void {
    this.#shut.set(source, why);
  }

  /** `sinceMs`: since when recipients wait without an answer; what was shut after that was tried for them already. */
  shutFor(source: string | null, nowMs: number, sinceMs = Number.POSITIVE_INFINITY): ShutPeriod | null {
    if (this.#shut.size === 0) return null;
    const shut = this.#shut.get(source);
    if (shut === undefined) return null;
    return shut.untilMs > nowMs || (shut.kind !== 'busy' && shut.atMs >= sinceMs) ? shut : null;
  }

  /** From any of our source addresses. */
  isShut(nowMs: number): boolean {
    for (const { untilMs } of this.#shut.values()) if (untilMs > nowMs) return true;
    return false;
  }

  /** A connect was answered: from no source address is the host out of reach. `proxy`: by way of it, which shows nothing else. */
  reached(proxy: string | null): void {
    for (const [source, shut] of this.#shut)
      if (shut.kind === 'unreachable' && (proxy === null || proxy === source)) this.#shut.delete(source);
  }

  /** It has answered about a recipient after a silence. */
  noLongerUnresponsive(source: string | null): void {
    if (this.#shut.get(source)?.unresponsive !== 'no') this.#shut.delete(source);
  }

  /** The pause that ends then began with a connection turned away: sessions inside go on. */
  pausedNewcomers(untilMs: number): void {
    this.#pausedUntilMs = untilMs;
  }

  pausesOnlyNewcomers(untilMs: number): boolean {
    return this.#pausedUntilMs === untilMs;
  }

  /**
   * The replies to a session that began at `startedAtMs` took too long to read. Returns how often that has happened, with
   * no more than `withinMs` between two; concurrent sessions count once.
   */
  wasSlow(startedAtMs: number, nowMs: number, withinMs: number): number {
    if (startedAtMs <= this.#slowAtMs) return this.#slowTimes;
    this.#slowTimes = nowMs - this.#slowAtMs < withinMs ? this.#slowTimes + 1 : 1;
    this.#slowAtMs = nowMs;
    return this.#slowTimes;
  }

  /** A session ended in the middle. True once too many in a row have ended so without one answer. */
  brokeOff(): boolean {
    this.#barrenInARow += 1;
    return this.#barrenInARow > BARREN_SESSIONS_MAX;
  }

  answered(): void {
    this.#barrenInARow = 0;
  }
}
