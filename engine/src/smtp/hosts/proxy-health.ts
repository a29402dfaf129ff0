// Whether the proxy of one source can be used. Pure: time as an argument. Promise: a proxy that does not answer or refuses us
// is tried with one connection now and then, and nothing goes another way meanwhile; that is held against no mail host; its
// begin and its end are logged, without its login.
//
//   usable ──does not answer, refuses the login──▶ down ──its time is over, a session begins──▶ tried
//     ▲                                             ▲                                           │   │
//     │                                             └──again────────────────────────────────────┘   │
//     └──it connected a session, or said why not─────────────────────────────────────────────────────┘
import { PROBE_EVERY_MS } from '../../pace/reachability.ts';
import type { ProxyError } from '../../ports.ts';
import { NO_SHARED_LINES } from '../../state/transcript.ts';
import type { Detail, LogEvent } from '../../types.ts';
import type { ShutPeriod } from './parts/host-availability.ts';

/** Mail hosts in a row that it does not connect to: one may be forbidden, several are port 25. */
const REFUSALS_TELLING = 3;

interface ProxyTrouble {
  readonly detail: Detail;
  readonly rule: string;
  /** Of the proxy as a whole; else of one mail host. */
  readonly isWhole: boolean;
}

const TROUBLES: Readonly<Record<ProxyError, ProxyTrouble>> = {
  EPROXYDOWN: { detail: 'proxy_refused', rule: 'proxy: it does not answer', isWhole: true },
  EPROXYPROTO: { detail: 'proxy_refused', rule: 'proxy: it does not speak SOCKS5', isWhole: true },
  EPROXYLOGIN: { detail: 'proxy_refused', rule: 'proxy: it refuses the login', isWhole: true },
  EPROXYREFUSED: {
    detail: 'proxy_refused',
    rule: 'proxy: it refuses to connect to this mail host',
    isWhole: false,
  },
  EPROXYNOROUTE: {
    detail: 'proxy_no_route',
    rule: 'proxy: it has no route to this mail host',
    isWhole: false,
  },
};

/** Null: the error is the mail host's, or our own. */
export function proxyTrouble(error: string | null): ProxyTrouble | null {
  return error !== null && Object.hasOwn(TROUBLES, error) ? TROUBLES[error as ProxyError] : null;
}

export class ProxyHealth {
  readonly #name: string;
  readonly #log: (event: LogEvent) => void;
  #down: ProxyTrouble | null = null;
  #sinceMs = 0;
  #tryAtMs = 0;
  /** Mail hosts that it did not connect to, since it last connected to one. */
  #refusals = 0;

  constructor(name: string, log: (event: LogEvent) => void) {
    this.#name = name;
    this.#log = log;
  }

  /** Since when it connects to nothing; null: it does, or was not asked. */
  get unusableSinceMs(): number | null {
    return this.#down !== null || this.#refusals >= REFUSALS_TELLING ? this.#sinceMs : null;
  }

  /** A session could not be connected, and the proxy is why. */
  failed(trouble: ProxyTrouble, nowMs: number): void {
    if (!trouble.isWhole) {
      this.#works();
      this.#refused(nowMs);
      return;
    }
    if (this.#down === null)
      this.#say(
        'proxy_down',
        `${trouble.rule}: its recipients wait, and it is tried again every few seconds`,
      );
    if (this.unusableSinceMs === null) this.#sinceMs = nowMs;
    this.#down = trouble;
    this.#tryAtMs = nowMs + PROBE_EVERY_MS;
  }

  /** It has connected a session. */
  connected(): void {
    this.#works();
    this.#refusals = 0;
  }

  /** It has said why a mail host cannot be reached: that is the host's own doing. */
  answered(): void {
    this.#works();
  }

  /** A session begins: of a proxy that was down it is the one that tries. */
  began(nowMs: number): void {
    if (this.#down !== null) this.#tryAtMs = nowMs + PROBE_EVERY_MS;
  }

  /** Why no session may begin; null: one may. */
  shutFor(host: string, nowMs: number): ShutPeriod | null {
    if (this.#down === null || this.#tryAtMs <= nowMs) return null;
    const { detail, rule } = this.#down;
    return {
      kind: 'proxy_down',
      atMs: nowMs,
      untilMs: this.#tryAtMs,
      meaning: null,
      detail,
      temporary: true,
      rule,
      connected: false,
      unresponsive: 'no',
      retryAfterMs: null,
      host,
      tls: false,
      session: NO_SHARED_LINES,
    };
  }

  #refused(nowMs: number): void {
    if (this.#refusals === 0) this.#sinceMs = nowMs;
    this.#refusals += 1;
    if (this.#refusals === REFUSALS_TELLING)
      this.#say(
        'proxy_refuses',
        'proxy: it connected to none of the last mail hosts: ask its provider whether it allows port 25',
      );
  }

  #works(): void {
    if (this.#down === null) return;
    this.#down = null;
    this.#log({ level: 'info', event: 'proxy_up', text: `the proxy ${this.#name} answers again` });
  }

  #say(event: string, words: string): void {
    this.#log({ level: 'warn', event, text: words.replace(/^proxy: it/, `the proxy ${this.#name}`) });
  }
}
