// Whether DNS and mail hosts can be reached at all. Promise: one log line when nearly all are unreachable, one when
// they are reachable again; a failure is judged once it is known whether our network caused it; a payer whose hosts alone are
// unreachable waits alone.
//
//   a host fails ─▶ in doubt ──another one answers──────────▶ the host's fault
//                      ├───────nearly none answers──────────▶ our fault
//                      └───────no answer in time────────────▶ asked again once at no cost; then the host's fault

import { type Holder, payerOf } from '@mxproof/common/fair-share';
import { PROBE_EVERY_MS, Reachability } from '../pace/reachability.ts';
import { type Payers, payersNeeded } from '../policy/payers.ts';
import type { Network } from '../state/check-state.ts';
import type { Clock, LogEvent } from '../types.ts';

const LOST: Readonly<Record<Network, string>> = {
  smtp: 'nearly all mail hosts are unreachable: is outbound port 25 open? Lists wait until one answers',
  dns: 'nearly all DNS queries fail: is the resolver up? Lists wait until it answers',
};
const FOUND: Readonly<Record<Network, string>> = {
  smtp: 'mail hosts are reachable again',
  dns: 'DNS answers again',
};

/** Longer than the pause after a dropped connection (5 s): by then the other hosts behind a cut network have failed too. */
const DOUBT_MAX_MS = 10_000;

/** How long after that they are asked again. */
const DOUBT_AGAIN_MS = 5_000;

/** Until what could not be reached is asked again. */
export const UNREACHED_WAIT_MS = PROBE_EVERY_MS * 2;

interface Doubt {
  timer: unknown;
  /** Being judged although no host has answered. */
  isOpen: boolean;
}

/** The checks that wait for it (waiting-index.ts). */
export interface DoubtfulChecks {
  any(what: Network): boolean;
  /** It is known, or never will be, whether the failure was our network's. */
  judge(what: Network): void;
}

export class NetworkHealth {
  readonly #reach: Readonly<Record<Network, Reachability>>;
  readonly #doubts: Readonly<Record<Network, Doubt>> = {
    smtp: { timer: null, isOpen: false },
    dns: { timer: null, isOpen: false },
  };
  readonly #clock: Clock;
  readonly #log: (event: LogEvent) => void;
  readonly #inDoubt: DoubtfulChecks;

  constructor(clock: Clock, log: (event: LogEvent) => void, payers: Payers, inDoubt: DoubtfulChecks) {
    const needed = () => payersNeeded(payers);
    this.#reach = { smtp: new Reachability(needed), dns: new Reachability(needed) };
    this.#clock = clock;
    this.#log = log;
    this.#inDoubt = inDoubt;
  }

  get ok(): boolean {
    return this.#reach.smtp.ok && this.#reach.dns.ok;
  }

  /** `holders`: who asked for it. `isHighlyAvailable`: a failure of this one alone says that it may be us. */
  note(
    what: Network,
    holders: readonly Holder[],
    host: string,
    ok: boolean,
    isHighlyAvailable = false,
  ): void {
    const payers = new Set(holders.length === 0 ? [''] : holders.map(payerOf));
    let isLost = false;
    for (const payer of payers) {
      const change = this.#reach[what].note(payer, host, ok, this.#clock.now(), isHighlyAvailable);
      this.#say(what, change);
      isLost ||= change === 'lost';
    }
    if ((ok || isLost) && this.#inDoubt.any(what)) this.#judgeIn(what, 0);
  }

  #say(what: Network, change: 'lost' | 'found' | null): void {
    if (change === 'lost') this.#log({ level: 'error', event: `${what}_unreachable`, text: LOST[what] });
    if (change === 'found') this.#log({ level: 'info', event: `${what}_reachable`, text: FOUND[what] });
  }

  /** A failure may turn out to be ours: it is to be judged once more is known. */
  mayBeOurs(what: Network, holder: Holder): boolean {
    return this.#reach[what].mayBeUs(payerOf(holder));
  }

  /** A check waits for the judgement, which is given within `DOUBT_MAX_MS`. */
  doubt(what: Network): void {
    if (this.#doubts[what].timer === null) this.#judgeIn(what, DOUBT_MAX_MS);
  }

  /** No judgement is given any more. */
  close(): void {
    for (const { timer } of Object.values(this.#doubts)) this.#clock.clearTimeout(timer);
  }

  #judgeIn(what: Network, ms: number): void {
    const doubt = this.#doubts[what];
    if (doubt.timer !== null) this.#clock.clearTimeout(doubt.timer);
    doubt.timer = this.#clock.setTimeout(() => {
      doubt.timer = null;
      doubt.isOpen = ms > 0;
      if (doubt.isOpen) this.#say(what, this.#reach[what].review(this.#clock.now()));
      this.#inDoubt.judge(what);
      if (doubt.isOpen) this.#reach[what].doubted();
      doubt.isOpen = false;
    }, ms);
  }

  /** Since when nothing is reached, as far as what was asked tells; null: it is reached, or nothing was asked. */
  cutOffSinceMs(what: Network): number | null {
    return this.#reach[what].cutOffSinceMs;
  }

  /** The same as far as this one is concerned. */
  cutOffSinceMsFor(what: Network, holder: Holder): number | null {
    return this.#reach[what].cutOffSinceMsFor(payerOf(holder));
  }

  /** When one last answered; null: none ever did. */
  answeredAtMs(what: Network): number | null {
    return this.#reach[what].answeredAtMs;
  }

  /** False: nearly none answers, and that is our own network's fault. */
  isReachable(what: Network, holder: Holder): boolean {
    return this.#reach[what].isReachable(payerOf(holder));
  }

  /** While nothing is reachable, one question now and then finds out. */
  mayTry(what: Network, holder: Holder): boolean {
    return this.#reach[what].mayTry(payerOf(holder), this.#clock.now());
  }

  /** A failure is being judged although its cause is not known. */
  isInDoubt(what: Network): boolean {
    return this.#doubts[what].isOpen;
  }

  /** How long to wait before asking again; null: there is no reason to wait. */
  waitMs(what: Network, holder: Holder): number | null {
    if (this.isInDoubt(what)) return DOUBT_AGAIN_MS;
    return this.isReachable(what, holder) ? null : UNREACHED_WAIT_MS;
  }
}
