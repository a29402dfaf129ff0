// What one source may still ask within the policy's limits per hour and day: permits, taken from the store a batch at a
// time, so that a recipient costs no round trip. Promise: a recipient is asked about only with a permit of the current
// hour and day; of each budget no more than PERMITS_MAX are in hand, which is what a crash can lose; what is not used is
// given back; a host without a budget costs neither a permit nor an object. Where there are several payers, each has permits of
// its own: what one may not have any more, others may.
//
//   a lane needs some ──▶ asking ──▶ in hand ──a session opens──▶ promised ──its first flight──▶ spent
//                            │          └──unused for a while, window over, closed──▶ given back
//                            └──none left──▶ used up until the hour or day is over; asked for again now and then
import { type Holder, payerOf } from '@mxproof/common/fair-share';
import { broken } from '@mxproof/common/invariant';
import { type Payers, payerAmong } from '../../policy/payers.ts';
import { type ChosenLimits, type WarmUpSettings, warmUpAt, warmUpKey } from '../../policy/policy.ts';
import type { Budget, PermitGrant, PermitStore } from '../../ports.ts';
import type { Clock, LogEvent } from '../../types.ts';
import type { Waiter } from './parts/connection-queue.ts';

/** In hand at once, for each source and budget: a full flight. */
export const PERMITS_MAX = 100;
const UNUSED_MS = 10_000;
/** Others may have given some back. */
const ASK_AGAIN_MS = 60_000;
const FAILED_AGAIN_MS = 1_000;
/** Beyond them, those of which nothing is in hand or asked for are forgotten: it is asked for anew. */
const STOCKS_MAX = 10_000;
/** For giving back when the checker closes. */
const CLOSE_MAX_MS = 2_000;

interface Stock {
  readonly budget: Budget;
  /** Empty: there is no other. */
  readonly payer: string;
  left: number;
  /** Of those, for sessions that were opened and have not asked yet. */
  promised: number;
  hour: number;
  day: number;
  validUntilMs: number;
  /** There are no more before; shown to people. */
  usedUpUntilMs: number;
  askAgainAtMs: number;
  isAsking: boolean;
  usedAtMs: number;
  /** What each lane needs that waits for more. */
  readonly needs: Map<Waiter, number>;
}

export interface SourcePermitsOptions {
  readonly store: PermitStore;
  readonly clock: Clock;
  readonly log: (event: LogEvent) => void;
  /** Null, unset: its days have no limit but the policy's. */
  readonly warmUp?: WarmUpSettings | null;
  readonly payers: Payers;
}

/** Of an MX host. */
interface LimitedHost {
  readonly ip: string;
  readonly provider: string;
  readonly limits: ChosenLimits;
}

export class SourcePermits {
  readonly #source: string | null;
  readonly #options: SourcePermitsOptions;
  readonly #stocks = new Map<string, Stock>();
  /** By a host's limits, which belong to one provider. */
  readonly #warmed = new WeakMap<ChosenLimits, readonly Budget[]>();
  #unusedTimer: unknown = null;
  #isClosed = false;
  /** The store did not answer, and that was logged. */
  #isFailing = false;

  constructor(source: string | null, options: SourcePermitsOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** Payers have shares, and may be held back one by one. */
  get areShared(): boolean {
    return this.#options.payers.areSeveral;
  }

  /** What its recipients are counted in: the policy's limits and, while this source is being warmed up, its provider's. */
  budgetsAt({ ip, provider, limits }: LimitedHost): readonly Budget[] {
    const { warmUp } = this.#options;
    if (!warmUp) return limits.budgets;
    let budgets = this.#warmed.get(limits);
    if (budgets === undefined) {
      const own = warmUpAt(warmUp, provider);
      budgets = [
        ...limits.budgets,
        { key: warmUpKey(own.provider, ip), perHour: null, perDay: null, warmUp: own },
      ];
      this.#warmed.set(limits, budgets);
    }
    return budgets;
  }

  /** Recipients that may be asked about, those promised to other sessions left out. */
  free(budgets: readonly Budget[], holder: Holder, nowMs: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { key } of budgets) least = Math.min(least, freeOf(this.#stockFor(key, holder), nowMs));
    return least;
  }

  /** The same for all of these together. */
  freeFor(budgets: readonly Budget[], holders: readonly Holder[], nowMs: number): number {
    let sum = 0;
    for (const payer of new Set(holders.map((holder) => this.#payerOf(holder))))
      sum += this.free(budgets, payer, nowMs);
    return sum;
  }

  /** When there may be more; 0: that is being asked, or others have them all; null: there are some. */
  heldUntilMs(budgets: readonly Budget[], holder: Holder, nowMs: number): number | null {
    let untilMs: number | null = null;
    for (const { key } of budgets) {
      const stock = this.#stockFor(key, holder);
      if (freeOf(stock, nowMs) > 0) continue;
      untilMs = Math.max(untilMs ?? 0, stock === undefined || stock.isAsking ? 0 : stock.usedUpUntilMs);
    }
    return untilMs === null || untilMs > nowMs ? untilMs : 0;
  }

  /** `waiter` needs so many, and is pumped when it is known whether there are more. */
  need(budgets: readonly Budget[], holder: Holder, count: number, waiter: Waiter, nowMs: number): void {
    for (const budget of budgets) {
      const stock = this.#stockOf(budget, holder);
      if (nowMs >= stock.validUntilMs) this.#giveBack(stock, stock.left);
      const isUsedUp = stock.usedUpUntilMs > nowMs && stock.askAgainAtMs > nowMs;
      if (freeOf(stock, nowMs) >= count || (isUsedUp && !stock.isAsking)) continue;
      stock.needs.set(waiter, count);
      this.#ask(stock);
    }
  }

  /** The same for each payer of those that wait. */
  needFor(
    budgets: readonly Budget[],
    waiting: Iterable<readonly [Holder, number]>,
    waiter: Waiter,
    nowMs: number,
  ): void {
    const counts = new Map<string, number>();
    for (const [holder, count] of waiting) {
      const payer = this.#payerOf(holder);
      counts.set(payer, (counts.get(payer) ?? 0) + count);
    }
    for (const [payer, count] of counts) this.need(budgets, payer, Math.max(1, count), waiter, nowMs);
  }

  /** A session is opened, and is to find one when it is ready. */
  promise(budgets: readonly Budget[], holder: Holder): void {
    for (const { key } of budgets) {
      const stock = this.#stockFor(key, holder);
      if (stock !== undefined) stock.promised += 1;
    }
  }

  /** It is ready, or has ended before it was. */
  redeem(budgets: readonly Budget[], holder: Holder): void {
    for (const { key } of budgets) {
      const stock = this.#stockFor(key, holder);
      // There may have been one payer only when it was promised.
      if (stock === undefined || stock.promised === 0) continue;
      stock.promised -= 1;
      if (stock.needs.size > 0) this.#ask(stock);
    }
  }

  /** So many recipients are sent. */
  spend(budgets: readonly Budget[], holder: Holder, count: number, nowMs: number): void {
    for (const { key } of budgets) {
      const stock = this.#stockFor(key, holder);
      if (stock === undefined || stock.left < count) {
        broken('a recipient is asked about without a permit');
        continue;
      }
      stock.left -= count;
      stock.usedAtMs = nowMs;
      if (stock.needs.size > 0) this.#ask(stock);
    }
  }

  /** It has cancelled something: what it has in hand is given back at once; what it still needs is asked for again. */
  cancelled(holder: Holder): void {
    const payer = this.#payerOf(holder);
    for (const stock of this.#stocks.values())
      if (stock.payer === payer) this.#giveBack(stock, stock.left - stock.promised);
  }

  /** What was in hand is given back; nothing is asked for any more. */
  async close(): Promise<void> {
    const { clock } = this.#options;
    this.#isClosed = true;
    if (this.#unusedTimer !== null) clock.clearTimeout(this.#unusedTimer);
    this.#unusedTimer = null;
    const back = [...this.#stocks.values()].flatMap((stock) => this.#giveBack(stock, stock.left) ?? []);
    if (back.length === 0) return;
    let timer: unknown = null;
    const enough = new Promise<void>((resolve) => {
      timer = clock.setTimeout(resolve, CLOSE_MAX_MS);
    });
    await Promise.race([Promise.all(back), enough]);
    clock.clearTimeout(timer);
  }

  #payerOf(holder: Holder): string {
    return payerAmong(payerOf(holder), this.#options.payers);
  }

  #stockFor(key: string, holder: Holder): Stock | undefined {
    return this.#stocks.get(stockName(key, this.#payerOf(holder)));
  }

  #stockOf(budget: Budget, holder: Holder): Stock {
    const payer = this.#payerOf(holder);
    const name = stockName(budget.key, payer);
    const known = this.#stocks.get(name);
    if (known !== undefined) return known;
    if (this.#stocks.size >= STOCKS_MAX)
      for (const [old, one] of this.#stocks) if (isForgettable(one)) this.#stocks.delete(old);
    const stock: Stock = {
      budget,
      payer,
      left: 0,
      promised: 0,
      hour: 0,
      day: 0,
      validUntilMs: 0,
      usedUpUntilMs: 0,
      askAgainAtMs: 0,
      isAsking: false,
      usedAtMs: 0,
      needs: new Map(),
    };
    this.#stocks.set(name, stock);
    return stock;
  }

  #ask(stock: Stock): void {
    const { clock } = this.#options;
    if (stock.isAsking || this.#isClosed || clock.now() < stock.askAgainAtMs) return;
    stock.isAsking = true;
    // A moment later, so that lanes that need some in the same turn share the request.
    queueMicrotask(() => void this.#take(stock));
  }

  async #take(stock: Stock): Promise<void> {
    const { store, clock } = this.#options;
    const { key, perHour, perDay, warmUp } = stock.budget;
    const askedAtMs = clock.now();
    // Those promised are as good as spent.
    const missing = Math.max(1, needed(stock) + stock.promised - stock.left);
    const wanted = Math.min(PERMITS_MAX - stock.left, missing);
    if (wanted <= 0) {
      stock.isAsking = false;
      if (freeOf(stock, askedAtMs) > 0) this.#wake(stock);
      return;
    }
    let grant: PermitGrant;
    try {
      grant = await store.take({
        source: this.#source,
        key,
        payer: stock.payer,
        perHour,
        perDay,
        wanted,
        ...(warmUp && { warmUp }),
      });
    } catch (error) {
      this.#failed(stock, error as Error);
      return;
    }
    this.#isFailing = false;
    this.#granted(stock, grant, wanted, askedAtMs);
  }

  /** `askedAtMs`: the store's clock was read after it, so that counting from then is never too long. */
  #granted(stock: Stock, grant: PermitGrant, wanted: number, askedAtMs: number): void {
    const { clock } = this.#options;
    const nowMs = clock.now();
    const { granted, hour, day, validMs, moreInMs } = grant;
    const isSameWindow = stock.day === day && (stock.budget.perHour === null || stock.hour === hour);
    if (!isSameWindow) this.#giveBack(stock, stock.left);
    stock.isAsking = false;
    stock.left += granted;
    stock.hour = hour;
    stock.day = day;
    stock.validUntilMs = askedAtMs + validMs;
    stock.usedAtMs = nowMs;
    if (granted < wanted) {
      stock.usedUpUntilMs = nowMs + moreInMs;
      stock.askAgainAtMs = nowMs + Math.min(moreInMs, ASK_AGAIN_MS);
    } else stock.usedUpUntilMs = 0;
    if (this.#isClosed) {
      this.#giveBack(stock, stock.left);
      return;
    }
    this.#watchUnused();
    this.#wake(stock);
  }

  #failed(stock: Stock, { message }: Error): void {
    const { clock, log } = this.#options;
    stock.isAsking = false;
    stock.askAgainAtMs = clock.now() + FAILED_AGAIN_MS;
    if (this.#isClosed) return;
    if (!this.#isFailing)
      log({
        level: 'warn',
        event: 'budget_unknown',
        text: `what the limits per hour and day leave could not be read, so nothing is asked that they limit: ${message}`,
      });
    this.#isFailing = true;
    clock.setTimeout(() => {
      if (!this.#isClosed) this.#wake(stock);
    }, FAILED_AGAIN_MS);
  }

  #wake(stock: Stock): void {
    const waiters = [...stock.needs.keys()];
    stock.needs.clear();
    for (const waiter of waiters) waiter.pump();
  }

  /** Null: there was nothing to give back. */
  #giveBack(stock: Stock, count: number): Promise<void> | null {
    if (count <= 0) return null;
    stock.left -= count;
    const { key } = stock.budget;
    const { payer, hour, day } = stock;
    const back = { source: this.#source, key, payer, hour, day, count };
    // Lost, they stay taken: stricter, not looser.
    return this.#options.store.giveBack(back).catch(() => {});
  }

  #watchUnused(): void {
    const { clock } = this.#options;
    this.#unusedTimer ??= clock.setTimeout(() => {
      this.#unusedTimer = null;
      const nowMs = clock.now();
      let isAnyLeft = false;
      for (const stock of this.#stocks.values()) {
        if (nowMs - stock.usedAtMs >= UNUSED_MS) this.#giveBack(stock, stock.left - stock.promised);
        if (stock.left > 0) isAnyLeft = true;
      }
      if (isAnyLeft) this.#watchUnused();
    }, UNUSED_MS);
  }
}

function stockName(key: string, payer: string): string {
  return `${payer} ${key}`;
}

function freeOf(stock: Stock | undefined, nowMs: number): number {
  if (stock === undefined || nowMs >= stock.validUntilMs) return 0;
  return Math.max(0, stock.left - stock.promised);
}

/** What all lanes need together; no more than can be in hand. */
function needed({ needs }: Stock): number {
  let sum = 0;
  for (const count of needs.values()) {
    sum += count;
    if (sum >= PERMITS_MAX) return PERMITS_MAX;
  }
  return sum;
}

function isForgettable({ left, promised, isAsking, needs }: Stock): boolean {
  return left === 0 && promised === 0 && !isAsking && needs.size === 0;
}
