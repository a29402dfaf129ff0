// What the world saw, so that a test can assert kindness as well as verdicts.
// Promise: counters only grow (except `open`), and the total is the sum of the hosts.

export interface Counters {
  connections: number;
  open: number;
  peakOpen: number;
  /** Most connections open at once from one source address. */
  peakPerSource: number;
  commands: number;
  rcpts: number;
  accepted: number;
  /** RCPTs answered 5xx. */
  refusals: number;
  /** RCPTs answered 4xx. */
  deferrals: number;
  /** Commands no well-behaved client gives here: before the banner, RCPT without MAIL, a flight unasked for. */
  outOfPlace: number;
  data: number;
  given421: number;
  /** Replies held back as a penalty for errors. */
  delays: number;
  tlsSessions: number;
  helps: number;
  quits: number;
}

/** One RCPT as the world saw it. */
export interface RcptRecord {
  readonly atMs: number;
  readonly source: string;
  readonly host: string;
  readonly sender: string;
  readonly code: number;
}

export interface Traffic {
  readonly total: Counters;
  readonly hosts: Readonly<Record<string, Counters>>;
  /** By address, lower case, in the order asked. Empty where the world was started with `keepAsks: false`. */
  readonly asks: ReadonlyMap<string, readonly RcptRecord[]>;
  /** DNS questions by `type name`, such as `mx example.com`. */
  readonly questions: ReadonlyMap<string, number>;
}

export function createCounters(): Counters {
  return {
    connections: 0,
    open: 0,
    peakOpen: 0,
    peakPerSource: 0,
    commands: 0,
    rcpts: 0,
    accepted: 0,
    refusals: 0,
    deferrals: 0,
    outOfPlace: 0,
    data: 0,
    given421: 0,
    delays: 0,
    tlsSessions: 0,
    helps: 0,
    quits: 0,
  };
}
