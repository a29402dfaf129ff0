// How connecting to one mail host goes. Pure: time as an argument. Promise: a connect without an answer lets another
// address be tried; a host that has swallowed a connect is the last choice of its rank for ten minutes, or until it
// answers one; what a proxy shows is known apart, since it is perhaps the proxy's doing.

/** How a connect ends that got no answer in time. */
const SWALLOWED = 'ETIMEDOUT';
/** As long as browsers remember which of two addresses was the quick one (RFC 6555 4.2: in the order of ten minutes). */
const LAST_CHOICE_MS = 10 * 60_000;

export class HostConnects {
  /** Since when a connect has been waiting, with none answered or failed since; null: none is. */
  #waitingSinceMs: number | null = null;
  #lastChoiceUntilMs = 0;
  /** As many as there are proxies. */
  #byProxy: Map<string, HostConnects> | null = null;

  /** Null: directly. */
  through(proxy: string | null): HostConnects {
    if (proxy === null) return this;
    this.#byProxy ??= new Map();
    const known = this.#byProxy.get(proxy) ?? new HostConnects();
    this.#byProxy.set(proxy, known);
    return known;
  }

  began(nowMs: number): void {
    this.#waitingSinceMs ??= nowMs;
  }

  answered(): void {
    this.#waitingSinceMs = null;
    this.#lastChoiceUntilMs = 0;
  }

  failed(error: string | null, nowMs: number): void {
    this.#waitingSinceMs = null;
    if (error === SWALLOWED) this.#lastChoiceUntilMs = nowMs + LAST_CHOICE_MS;
  }

  /** 0 while no connect is waiting. */
  waitedMs(nowMs: number): number {
    return this.#waitingSinceMs === null ? 0 : nowMs - this.#waitingSinceMs;
  }

  isLastChoice(nowMs: number): boolean {
    return this.#lastChoiceUntilMs > nowMs;
  }
}
