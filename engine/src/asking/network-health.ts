// Whether DNS and mail hosts can be reached at all. Promise: one log line when nearly all are unreachable, one when
// they are reachable again; a failure is judged once it is known whose fault it was.
//
//   a host fails ─▶ in doubt ──another one answers──────────▶ the host's fault
//                      ├───────nearly none answers──────────▶ our fault
//                      └───────no answer in time────────────▶ asked again once at no cost; then the host's fault
import { PROBE_EVERY_MS, Reachability } from '../pace/reachability.ts';
import type { Clock, LogEvent } from '../types.ts';

type What = 'smtp' | 'dns';

const LOST: Readonly<Record<What, string>> = {
  smtp: 'nearly all mail hosts are unreachable: is outbound port 25 open? Lists wait until one answers',
  dns: 'nearly all DNS queries fail: is the resolver up? Lists wait until it answers',
};
const FOUND: Readonly<Record<What, string>> = {
  smtp: 'mail hosts are reachable again',
  dns: 'DNS answers again',
};

/** Longer than the pause of a host whose line broke (5 s): until then the others of a cut network have failed too. */
const DOUBT_MAX_MS = 10_000;

/** How long after that they are asked again. */
const DOUBT_AGAIN_MS = 5_000;

interface Doubt {
  readonly judge: (() => void)[];
  timer: unknown;
  /** Being judged though nothing was heard of anybody. */
  isOpen: boolean;
}

export class NetworkHealth {
  readonly #reach = { smtp: new Reachability(), dns: new Reachability() };
  readonly #doubts: Readonly<Record<What, Doubt>> = {
    smtp: { judge: [], timer: null, isOpen: false },
    dns: { judge: [], timer: null, isOpen: false },
  };
  readonly #clock: Clock;
  readonly #log: (event: LogEvent) => void;

  constructor(clock: Clock, log: (event: LogEvent) => void) {
    this.#clock = clock;
    this.#log = log;
  }

  get ok(): boolean {
    return this.#reach.smtp.ok && this.#reach.dns.ok;
  }

  note(what: What, whom: string, ok: boolean): void {
    const change = this.#reach[what].note(whom, ok, this.#clock.now());
    if (change === 'lost') this.#log({ level: 'error', event: `${what}_unreachable`, text: LOST[what] });
    if (change === 'found') this.#log({ level: 'info', event: `${what}_reachable`, text: FOUND[what] });
    if (this.#doubts[what].judge.length > 0 && (ok || change === 'lost')) this.#judgeIn(what, 0);
  }

  /** True: `judge` is called once it is known whether that failure was ours; false: it can be judged now. */
  doubts(what: What, judge: () => void): boolean {
    if (!this.#reach[what].mayBeUs) return false;
    const doubt = this.#doubts[what];
    doubt.judge.push(judge);
    if (doubt.timer === null) this.#judgeIn(what, DOUBT_MAX_MS);
    return true;
  }

  /** Nothing is left in doubt. */
  close(): void {
    for (const { judge, timer } of Object.values(this.#doubts)) {
      this.#clock.clearTimeout(timer);
      judge.length = 0;
    }
  }

  #judgeIn(what: What, ms: number): void {
    const doubt = this.#doubts[what];
    if (doubt.timer !== null) this.#clock.clearTimeout(doubt.timer);
    doubt.timer = this.#clock.setTimeout(() => {
      doubt.timer = null;
      doubt.isOpen = ms > 0;
      for (const judge of doubt.judge.splice(0)) judge();
      if (doubt.isOpen) this.#reach[what].doubted();
      doubt.isOpen = false;
    }, ms);
  }

  /** False: nearly none answers, and that is our own network's fault. */
  isReachable(what: What): boolean {
    return this.#reach[what].ok;
  }

  /** While nothing is reachable, one question now and then finds out. */
  mayTry(what: What): boolean {
    return this.#reach[what].mayTry(this.#clock.now());
  }

  /** A failure is being judged although its cause is not known. */
  isInDoubt(what: What): boolean {
    return this.#doubts[what].isOpen;
  }

  /** How long to wait before asking again; null: there is no reason to wait. */
  waitMs(what: What): number | null {
    if (this.isInDoubt(what)) return DOUBT_AGAIN_MS;
    return this.#reach[what].ok ? null : PROBE_EVERY_MS * 2;
  }
}
