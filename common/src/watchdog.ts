// Finds out which read of received bytes keeps the thread busy. Pure: both clocks are arguments.
// Promise: a reader is blamed only if it has used at least 200 ms of the thread's processor time in one go; a machine that
// merely stalls the process blames no reader; a quick read costs two clock readings; at most ten events a minute are
// logged, and every one is counted.
//
//   began ─ read ─ wasSlow ─ below 200 ms of wall time, or of processor time ─▶ no reader is blamed
//                     └ the rest ─▶ counted, said, and its reader ends what it read from
//   tick ─ a turn above 200 ms that no reading accounts for ─▶ counted and said as `unknown`

/** Of the thread's processor time, in one reading or one turn of the event loop. */
export const SLOW_MS = 200;
/**
 * How old a sample of the processor clock may be when a read begins. The time between the two is counted as used before the
 * read, so that a read is blamed for certain only from 210 ms on.
 */
const SAMPLE_MAX_AGE_MS = 10;
/** The interval of `tick`. Slow turns of an unknown kind are detected for certain from 250 ms on. */
export const TICK_MS = 50;
const SAID_PER_MINUTE_MAX = 10;
const MINUTE_MS = 60_000;

type ReadingKind = 'smtp' | 'dns' | 'callback' | 'body';

/** For an operator to read; never an e-mail address. */
export interface ReadingSubject {
  readonly kind: ReadingKind;
  /** The sender, where it is a host. */
  readonly host: string | null;
  /** The lots it was asked for, as far as they are known. */
  readonly lots: readonly number[];
  /** Of a DNS answer: the name that was asked for. */
  readonly domain?: string;
  /** Of a request. */
  readonly account?: number;
  readonly route?: string;
}

/** Names what it reads; called only when that was slow. */
export interface Reader {
  whatIsRead(): ReadingSubject;
}

export interface SlowTurn {
  readonly kind: ReadingKind | 'unknown';
  /** Of an unknown turn: what was read last. */
  readonly what: ReadingSubject | null;
  /** At least. */
  readonly cpuMs: number;
  /** Since the start, of each kind, this one included. */
  readonly counts: Readonly<Record<SlowTurn['kind'], number>>;
  /** Slow turns since the last one that was logged. */
  readonly unsaid: number;
}

/** For readers. They must not await anything between the two calls. */
export interface ReadingWatch {
  began(reader: Reader): number;
  /** True: it was slow, and has been counted and logged. */
  wasSlow(reader: Reader, beganMs: number): boolean;
}

/** No watchdog: nothing is slow. */
export const UNWATCHED: ReadingWatch = { began: () => 0, wasSlow: () => false };

export interface WatchdogOptions {
  readonly say: (slow: SlowTurn) => void;
  readonly nowMs?: () => number;
  /** Of this thread alone, since any moment. */
  readonly threadCpuMs?: () => number;
}

export class Watchdog implements ReadingWatch {
  readonly #say: (slow: SlowTurn) => void;
  readonly #nowMs: () => number;
  readonly #threadCpuMs: () => number;
  readonly #counts: Record<SlowTurn['kind'], number> = { smtp: 0, dns: 0, callback: 0, body: 0, unknown: 0 };
  #sampledAtMs = Number.NEGATIVE_INFINITY;
  #sampledCpuMs = 0;
  #tickCpuMs: number | null = null;
  /** Processor time that reads were blamed for since the last tick. */
  #blamedMs = 0;
  #last: Reader | null = null;
  #minuteSinceMs = Number.NEGATIVE_INFINITY;
  #saidInMinute = 0;
  #unsaid = 0;

  constructor({ say, nowMs = () => performance.now(), threadCpuMs = ownThreadCpuMs }: WatchdogOptions) {
    this.#say = say;
    this.#nowMs = nowMs;
    this.#threadCpuMs = threadCpuMs;
  }

  began(reader: Reader): number {
    const nowMs = this.#nowMs();
    this.#last = reader;
    if (nowMs - this.#sampledAtMs > SAMPLE_MAX_AGE_MS) {
      this.#sampledAtMs = nowMs;
      this.#sampledCpuMs = this.#threadCpuMs();
    }
    return nowMs;
  }

  wasSlow(reader: Reader, beganMs: number): boolean {
    if (this.#nowMs() - beganMs < SLOW_MS) return false;
    const cpuMs = this.#threadCpuMs() - this.#sampledCpuMs - (beganMs - this.#sampledAtMs);
    if (cpuMs < SLOW_MS) return false;
    this.#blamedMs += cpuMs;
    const what = reader.whatIsRead();
    this.#count(what.kind, what, cpuMs);
    return true;
  }

  /**
   * From a timer of TICK_MS. Whatever the thread did beyond one interval it did after the timer was due, and so within one
   * turn of the event loop.
   */
  tick(): void {
    const cpuNowMs = this.#threadCpuMs();
    const cpuMs = cpuNowMs - (this.#tickCpuMs ?? cpuNowMs) - TICK_MS - this.#blamedMs;
    this.#tickCpuMs = cpuNowMs;
    this.#blamedMs = 0;
    if (cpuMs >= SLOW_MS) this.#count('unknown', this.#last?.whatIsRead() ?? null, cpuMs);
    this.#last = null;
  }

  #count(kind: SlowTurn['kind'], what: ReadingSubject | null, cpuMs: number): void {
    this.#counts[kind] += 1;
    const nowMs = this.#nowMs();
    if (nowMs - this.#minuteSinceMs >= MINUTE_MS) {
      this.#minuteSinceMs = nowMs;
      this.#saidInMinute = 0;
    }
    if (this.#saidInMinute >= SAID_PER_MINUTE_MAX) {
      this.#unsaid += 1;
      return;
    }
    this.#saidInMinute += 1;
    const unsaid = this.#unsaid;
    this.#unsaid = 0;
    this.#say({ kind, what, cpuMs: Math.round(cpuMs), counts: { ...this.#counts }, unsaid });
  }
}

/** Node before 23.9 has no processor time per thread: there nothing is ever slow. */
function ownThreadCpuMs(): number {
  if (process.threadCpuUsage === undefined) return 0;
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
