// Whether DNS and mail hosts can be reached at all, and saying so once. Promise: one loud sentence when nearly nobody
// can be reached, one when somebody can again.
import type { LogEvent } from './checker-options.ts';
import { PROBE_EVERY_MS, Reachability } from './pace/reachability.ts';
import type { Clock } from './types.ts';

type What = 'smtp' | 'dns';

const LOST: Readonly<Record<What, string>> = {
  smtp: 'nearly every mail host is unreachable: is outgoing port 25 open? Lists wait until one answers',
  dns: 'nearly every DNS question fails: is the resolver up? Lists wait until it answers',
};
const FOUND: Readonly<Record<What, string>> = {
  smtp: 'mail hosts are reachable again',
  dns: 'DNS answers again',
};

export class Outlook {
  readonly #reach = { smtp: new Reachability(), dns: new Reachability() };
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
  }

  /** While nothing is reachable, one question now and then finds out. */
  mayTry(what: What): boolean {
    return this.#reach[what].mayTry(this.#clock.now());
  }

  /** How long to wait before asking again; null: there is no reason to wait. */
  waitMs(what: What): number | null {
    return this.#reach[what].ok ? null : PROBE_EVERY_MS * 2;
  }
}
