// How much an MX host tolerates: AIMD congestion control (additive increase, multiplicative decrease) as in TCP, of
// connections instead of packets. Pure: plain state, time is an argument, no side effects.
// Promise: it starts gently, rises only while flights come back clean, is halved with a pause on every sign of trouble
// (many signs at one moment count once), never leaves the policy's bounds, and forgets within the hour what a host had
// no room for.
//
//   slow start: +1 connection per clean banner or flight ──trouble──▶ half, pause (doubling) ──▶ +1 per TEN clean flights
//   rejected while others are connected ──▶ no more than those; for connecting too often ──▶ that many per minute
//
//   TCP                              here
//   congestion window                `allowed`, in connections
//   initial window                   START_CONNECTIONS
//   slow-start threshold             `cautionAt`
//   acknowledgement                  `acceptedConnection`, `flightSucceeded`
//   congestion avoidance, +1/window  +1/CAREFUL_FLIGHTS per clean flight
//   loss: halve window, threshold    `backOff`; while it is paused, further losses count as the same one
//   exponential backoff of the timer `pauseMs`, doubled up to PAUSE_MAX_MS
//   receiver window                  the policy's `connectionsMax`, and `ceiling`, which the host has shown
import { countIn, createMinuteCounter, lastMinute, type MinuteCounter, roomAtMs } from './minute-counter.ts';

export interface Limits {
  /** To one address at once. */
  readonly connections: number;
  /** To all addresses of one provider at once. */
  readonly connectionsPerProvider: number;
  readonly recipientsPerTransaction: number;
  readonly recipientsPerConnection: number;
  /** MAILs; with the null sender each has one recipient. null: no bound but the others. */
  readonly transactionsPerConnection: number | null;
  /** Errors a session may draw; what is in flight counts. */
  readonly refusalsPerConnection: number;
  /** null: no bound but the others. */
  readonly recipientsPerMinute: number | null;
  /** Of one source, over all processes that share it, in an hour and a day of UTC; null: no bound but the others. */
  readonly recipientsPerHour: number | null;
  readonly recipientsPerDay: number | null;
  /** What it may take for its banner, for each reply, and for all of a second try; null: the checker's `timeouts`. */
  readonly bannerSeconds: number | null;
  readonly replySeconds: number | null;
  readonly secondTrySeconds: number | null;
  /** Of one domain in one list: from here on a domain that knows fewer than one in twenty is asked no further; null: it is. */
  readonly unknownRecipients: number | null;
  /** Recipients refused in a row, for all accounts together, from which on one address gets only the next two; null: it never does. */
  readonly refusalsInARow: number | null;
  readonly refusingRecipientsPerMinute: number;
  readonly refusingConnectionsPerMinute: number;
}

export interface Pace {
  /** Connections allowed now; a whole number of them may be open. */
  allowed: number;
  /** Below this it rises by one, above it slowly: the host showed trouble here before. */
  cautionAt: number;
  open: number;
  pausedUntilMs: number;
  pauseMs: number;
  /** What was learnt from a full transaction or connection holds until then; 0: nothing was. */
  perTransaction: number;
  perTransactionUntilMs: number;
  perConnection: number;
  perConnectionUntilMs: number;
  cleanFlights: number;
  minuteStartMs: number;
  minuteRecipients: number;
  /** Connections seen to be all it takes at once, and in a minute; they hold until `connectLimitUntilMs`. */
  ceiling: number;
  opensPerMinute: number;
  connectLimitUntilMs: number;
  readonly opens: MinuteCounter;
  /** Recipients seen to be all it answers in a minute; twice as many from `rateUntilMs` on. */
  recipientsPerMinute: number;
  rateSeenAtMs: number;
  rateUntilMs: number;
  readonly answers: MinuteCounter;
}

/** Postfix begins with as many: its `initial_destination_concurrency` is 5. */
const START_CONNECTIONS = 5;
const FIRST_PAUSE_MS = 5_000;
const PAUSE_MAX_MS = 300_000;
const CAREFUL_FLIGHTS = 10;
/** After so many clean flights in a row, the next trouble starts with the first pause again. */
const FORGIVEN_FLIGHTS = 100;
const MINUTE_MS = 60_000;
const NO_CEILING = Number.MAX_SAFE_INTEGER;
/** After this time one more connection is tried: at worst it is turned away, and the open ones go on. */
const LIMIT_LEARNT_MS = 10 * MINUTE_MS;
/** No host that limits the rate allows fewer per minute. */
const RATE_MIN = 10;
const RATE_MAX = 100_000;
/** Deferrals at one moment show one limit, and the last of them shows it best. */
const RATE_MOMENT_MS = 5_000;
/** The host's minute may have begun a moment after ours. */
const MINUTE_MARGIN_MS = 1_000;
/** A host's limit may have been a passing shortage. */
const LEARNT_MS = 60 * MINUTE_MS;

export function createPace(limits: Limits, share: 'address' | 'provider' = 'address'): Pace {
  const connections = share === 'address' ? limits.connections : limits.connectionsPerProvider;
  return {
    allowed: Math.min(START_CONNECTIONS, connections),
    cautionAt: connections,
    open: 0,
    pausedUntilMs: 0,
    pauseMs: 0,
    perTransaction: limits.recipientsPerTransaction,
    perTransactionUntilMs: 0,
    perConnection: limits.recipientsPerConnection,
    perConnectionUntilMs: 0,
    cleanFlights: 0,
    minuteStartMs: 0,
    minuteRecipients: 0,
    ceiling: NO_CEILING,
    opensPerMinute: NO_CEILING,
    connectLimitUntilMs: 0,
    opens: createMinuteCounter(),
    recipientsPerMinute: NO_CEILING,
    rateSeenAtMs: 0,
    rateUntilMs: 0,
    answers: createMinuteCounter(),
  };
}

export function mayOpen(pace: Pace, nowMs: number): boolean {
  return hasSlot(pace) && nowMs >= pace.pausedUntilMs && doorOpensMs(pace, nowMs) <= nowMs;
}

/** Fewer connections are open than it takes, whether or not another may be opened at this moment. */
export function hasSlot({ allowed, ceiling, open }: Pace): boolean {
  return open < Math.min(Math.floor(allowed), ceiling);
}

/** When another connection would not come too soon after the others. */
export function doorOpensMs(pace: Pace, nowMs: number): number {
  return pace.opensPerMinute === NO_CEILING ? nowMs : roomAtMs(pace.opens, pace.opensPerMinute, nowMs);
}

export function opened(pace: Pace, nowMs: number): void {
  countIn(pace.opens, 1, nowMs);
}

/** It has accepted a connection: a host with too many of them would have said 421. */
export function acceptedConnection(pace: Pace, connectionsMax: number): void {
  if (pace.allowed < pace.cautionAt) pace.allowed = Math.min(connectionsMax, pace.ceiling, pace.allowed + 1);
}

/** A flight came back without a sign of trouble. */
export function flightSucceeded(pace: Pace, connectionsMax: number): void {
  pace.cleanFlights += 1;
  const step = pace.allowed < pace.cautionAt ? 1 : 1 / CAREFUL_FLIGHTS;
  pace.allowed = Math.min(connectionsMax, pace.ceiling, pace.allowed + step);
  if (pace.cleanFlights >= FORGIVEN_FLIGHTS) pace.pauseMs = 0;
}

/** Rejected while `inside` others were connected: it accepts that many. No new connection for a moment. */
export function connectRefused(pace: Pace, inside: number, nowMs: number, namedMs: number | null): void {
  pace.ceiling = Math.max(1, inside);
  pace.allowed = Math.min(pace.allowed, pace.ceiling);
  pace.cautionAt = pace.allowed;
  pace.connectLimitUntilMs = nowMs + LIMIT_LEARNT_MS;
  if (nowMs < pace.pausedUntilMs) return;
  pace.pausedUntilMs = nowMs + Math.min(PAUSE_MAX_MS, Math.max(FIRST_PAUSE_MS, namedMs ?? 0));
}

/** Turned away for connecting too often: the connections of the last minute that were accepted are the limit. */
export function connectRateExceeded(pace: Pace, inside: number, nowMs: number): void {
  const turnedAway = Math.max(1, pace.open - inside);
  const accepted = Math.max(1, Math.floor(lastMinute(pace.opens, nowMs)) - turnedAway);
  pace.opensPerMinute = Math.min(pace.opensPerMinute, accepted);
  pace.connectLimitUntilMs = nowMs + LIMIT_LEARNT_MS;
}

/** The host has answered 421, 4.7.x or 452 4.5.3, or dropped a connection. `namedMs`: a wait that it asked for. */
export function backOff(pace: Pace, nowMs: number, namedMs: number | null = null): void {
  if (nowMs < pace.pausedUntilMs) return;
  pace.allowed = Math.max(1, Math.floor(pace.allowed / 2));
  pace.cautionAt = pace.allowed;
  pace.cleanFlights = 0;
  pace.pauseMs = Math.min(PAUSE_MAX_MS, pace.pauseMs === 0 ? FIRST_PAUSE_MS : pace.pauseMs * 2);
  pace.pausedUntilMs = nowMs + Math.min(PAUSE_MAX_MS, Math.max(pace.pauseMs, namedMs ?? 0));
}

/** The host accepted so many recipients of a transaction and no more. */
export function transactionFull(pace: Pace, accepted: number, nowMs: number): void {
  pace.perTransaction = Math.max(1, Math.min(pace.perTransaction, accepted));
  pace.perTransactionUntilMs = nowMs + LEARNT_MS;
}

/** The host ended a session after `answered` recipients. */
export function connectionFull(pace: Pace, answered: number, nowMs: number): void {
  pace.perConnection = Math.max(1, Math.min(pace.perConnection, answered));
  pace.perConnectionUntilMs = nowMs + LEARNT_MS;
}

/** Other limits hold from now on; what was learnt holds as well. */
export function boundBy(pace: Pace, limits: Limits): void {
  pace.allowed = Math.min(pace.allowed, limits.connections);
  pace.cautionAt = Math.min(pace.cautionAt, limits.connections);
  const { perTransactionUntilMs, perConnectionUntilMs } = pace;
  const { recipientsPerTransaction, recipientsPerConnection } = limits;
  pace.perTransaction =
    perTransactionUntilMs === 0
      ? recipientsPerTransaction
      : Math.min(pace.perTransaction, recipientsPerTransaction);
  pace.perConnection =
    perConnectionUntilMs === 0
      ? recipientsPerConnection
      : Math.min(pace.perConnection, recipientsPerConnection);
}

/** A pause, or a limit that the host has shown, is in force. */
export function hasLearnt(pace: Pace, nowMs: number): boolean {
  const { pausedUntilMs, perTransactionUntilMs, perConnectionUntilMs, connectLimitUntilMs, rateUntilMs } =
    pace;
  return (
    Math.max(pausedUntilMs, perTransactionUntilMs, perConnectionUntilMs, connectLimitUntilMs, rateUntilMs) >
    nowMs
  );
}

/** Back to the policy's numbers once what was learnt is old. */
export function forgetFullness(pace: Pace, limits: Limits, nowMs: number): void {
  if (pace.perTransactionUntilMs > 0 && pace.perTransactionUntilMs <= nowMs) {
    pace.perTransaction = limits.recipientsPerTransaction;
    pace.perTransactionUntilMs = 0;
  }
  if (pace.perConnectionUntilMs > 0 && pace.perConnectionUntilMs <= nowMs) {
    pace.perConnection = limits.recipientsPerConnection;
    pace.perConnectionUntilMs = 0;
  }
  if (pace.connectLimitUntilMs > 0 && pace.connectLimitUntilMs <= nowMs) {
    pace.ceiling = NO_CEILING;
    pace.opensPerMinute = NO_CEILING;
    pace.connectLimitUntilMs = 0;
  }
  if (pace.rateUntilMs > 0 && pace.rateUntilMs <= nowMs) {
    const twice = pace.recipientsPerMinute * 2;
    pace.recipientsPerMinute = twice > RATE_MAX ? NO_CEILING : twice;
    pace.rateUntilMs = twice > RATE_MAX ? 0 : nowMs + LIMIT_LEARNT_MS;
  }
}

/** Recipients were answered, not deferred for being too many. */
export function answeredWell(pace: Pace, count: number, nowMs: number): void {
  countIn(pace.answers, count, nowMs);
}

/** Most of a flight was deferred for being too many: what it answered in the last minute is its limit per minute. */
export function askedTooMany(pace: Pace, nowMs: number): void {
  const seen = Math.max(RATE_MIN, Math.floor(lastMinute(pace.answers, nowMs)));
  const isSameMoment = nowMs - pace.rateSeenAtMs < RATE_MOMENT_MS;
  pace.recipientsPerMinute = isSameMoment ? Math.max(pace.recipientsPerMinute, seen) : seen;
  pace.rateSeenAtMs = nowMs;
  pace.rateUntilMs = nowMs + LIMIT_LEARNT_MS;
}

/** A minute that is over is followed by a new one. */
export function renewMinute(pace: Pace, nowMs: number): void {
  if (nowMs < minuteEndsMs(pace)) return;
  pace.minuteStartMs = nowMs;
  pace.minuteRecipients = 0;
}

/** Recipients this minute still has room for. */
export function roomThisMinute(pace: Pace, limits: Limits, nowMs: number): number {
  renewMinute(pace, nowMs);
  return roomLeft(pace, limits, nowMs);
}

/** As `roomThisMinute`, without changing anything. */
export function roomLeft(pace: Pace, limits: Limits, nowMs: number): number {
  const most = Math.min(limits.recipientsPerMinute ?? NO_CEILING, pace.recipientsPerMinute);
  if (most === NO_CEILING || nowMs >= minuteEndsMs(pace)) return most;
  return Math.max(0, most - pace.minuteRecipients);
}

/** When a minute that is full ends. */
export function minuteEndsMs(pace: Pace): number {
  const marginMs = pace.recipientsPerMinute === NO_CEILING ? 0 : MINUTE_MARGIN_MS;
  return pace.minuteStartMs + MINUTE_MS + marginMs;
}
