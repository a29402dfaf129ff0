// What is known of one mail host address: its pace, its oddities, and for how long it is left alone.
// Promise: nothing here outlives its hour; a host that was down or shut is tried again.
import { createPace, forgetFullness, opened, type Pace } from '../../pace/pace.ts';
import type { ChosenLimits } from '../../policy/policy.ts';
import type { Meaning } from '../../types.ts';
import { type SessionTimeouts, withTimeouts } from '../session/session-plan.ts';
import type { Mute } from '../session/task.ts';
import type { SharedLines } from '../session/transcript.ts';
import type { Silence } from './silence.ts';

/** Why a host is not asked for now. */
export interface Shut {
  readonly atMs: number;
  readonly untilMs: number;
  readonly meaning: Meaning | null;
  readonly temporary: boolean;
  /** It has answered us before and had enough of us for now: worth waiting for where there is no other. */
  readonly busy: boolean;
  readonly rule: string;
  /** A connection stood. */
  readonly dialled: boolean;
  /** The server has spoken. */
  readonly connected: boolean;
  readonly mute: Mute;
  readonly retryAfterMs: number | null;
  readonly host: string;
  readonly tls: boolean;
  readonly session: SharedLines;
}

/** Whoever waits for a connection; a lane. */
export interface Waiter {
  pump(): void;
}

export interface ProviderPace {
  readonly pace: Pace;
  readonly waiters: Set<Waiter>;
}

export interface Exchanger {
  readonly ip: string;
  /** Who is told apart when a source is blocked: the provider where it is known, else this address. */
  readonly whom: string;
  readonly provider: string;
  readonly limits: ChosenLimits;
  readonly timeouts: SessionTimeouts;
  readonly pace: Pace;
  readonly shared: ProviderPace | null;
  /** Lanes that wait for one of its connections. */
  readonly waiters: Set<Waiter>;
  /** By source address: refused, blocked, down, mute. */
  readonly shut: Map<string | null, Shut>;
  /** By source address: that its last session ended in silence. */
  readonly silences: Map<string | null, Silence>;
  /** It has answered, but too late for a first try: until then it has the time of a second. */
  lateUntilMs: number;
  /** A handshake with it has failed; until then it is asked in clear. */
  noTlsUntilMs: number;
  /** It would take nothing in clear: STARTTLS is said to it whether it is offered or not. */
  demandsTls: boolean;
  /** Replies of a flight were lost or misplaced: until then each is waited for. */
  oneByOneUntilMs: number;
  /** Whether the last session that had something to tell ended with 221, the proof that nothing was misplaced. */
  goodbye: 'unknown' | 'said' | 'missed';
  /** What it answers RSET with (see seal.ts). */
  resetWords: string | null;
  /** Recipients are told what other commands are: where it says no 221, HELP is asked behind each of them. */
  wordsAlike: boolean;
  heloOnly: boolean;
  /** Lines that ended at EHLO, one after the other. */
  ehloDrops: number;
  /** Bits as in Task.sendersRefused. */
  sendersTaken: number;
  sendersRefused: number;
  /** Recipients answered so far, and when the last of them was. */
  answers: number;
  answeredAtMs: number;
  /** Share of recipients it refuses, a moving average: how many flights a session is worth. */
  refusalShare: number;
  /** Errors a session may draw before this host hangs up, where that was seen to be fewer than the policy's. */
  refusalsBorne: number;
  /** Sessions that ended right behind their first error; it is known to do that when `endsAtFirstError`. */
  firstErrorEnds: number;
  endsAtFirstError: boolean;
  /** Until when it is asked for less than the policy gives, after it hung up. */
  fewerUntilMs: number;
  /** Recipients of the flight that landed last which got no answer. */
  lastUnanswered: number;
  /** The last answer of that flight was a refusal. */
  lastRefused: boolean;
  /** The recipient of that flight about whom it was silent. */
  lastSilentAbout: string | null;
  /** Replies in a row that said we are blocked. */
  blocksInARow: number;
  /** Sessions that it has welcomed and that are still there. */
  inside: number;
  /** The end of a pause that began at its door: whoever is inside goes on. */
  doorPausedUntilMs: number;
  /** Sessions in a row that ended in the middle without an answer. */
  dropsInARow: number;
  usedAtMs: number;
  /** Since when a connect has been waiting for an answer, and none has had one since; null: none is. */
  diallingSinceMs: number | null;
  /** It has swallowed connects: others of its rank come first until then. */
  lastChoiceUntilMs: number;
}

const ORDINARY_REFUSAL_SHARE = 0.2;
/** What a connect ends with that nobody answered in time. */
const SWALLOWED = 'ETIMEDOUT';
/** As long as browsers remember which of two addresses was the quick one (RFC 6555 4.2: in the order of ten minutes). */
const LAST_CHOICE_MS = 10 * 60_000;

export function createExchanger(
  ip: string,
  provider: string,
  limits: ChosenLimits,
  shared: ProviderPace | null,
  timeouts: SessionTimeouts,
): Exchanger {
  return {
    ip,
    whom: shared === null ? ip : provider,
    provider,
    limits,
    timeouts: timeoutsFor(limits, timeouts),
    pace: createPace(limits),
    shared,
    waiters: new Set(),
    shut: new Map(),
    silences: new Map(),
    lateUntilMs: 0,
    noTlsUntilMs: 0,
    demandsTls: false,
    oneByOneUntilMs: 0,
    goodbye: 'unknown',
    resetWords: null,
    wordsAlike: false,
    heloOnly: false,
    ehloDrops: 0,
    sendersTaken: 0,
    sendersRefused: 0,
    answers: 0,
    answeredAtMs: Number.NEGATIVE_INFINITY,
    refusalShare: ORDINARY_REFUSAL_SHARE,
    refusalsBorne: Number.MAX_SAFE_INTEGER,
    firstErrorEnds: 0,
    endsAtFirstError: false,
    fewerUntilMs: 0,
    lastUnanswered: 0,
    lastRefused: false,
    lastSilentAbout: null,
    blocksInARow: 0,
    inside: 0,
    doorPausedUntilMs: 0,
    dropsInARow: 0,
    usedAtMs: 0,
    diallingSinceMs: null,
    lastChoiceUntilMs: 0,
  };
}

/** The policy's seconds for this host before the checker's own. */
function timeoutsFor(limits: ChosenLimits, timeouts: SessionTimeouts): SessionTimeouts {
  const { bannerSeconds, replySeconds, secondTrySeconds } = limits;
  return withTimeouts(timeouts, {
    ...(bannerSeconds === null ? {} : { bannerMs: bannerSeconds * 1000 }),
    ...(replySeconds === null ? {} : { replyMs: replySeconds * 1000 }),
    ...(secondTrySeconds === null ? {} : { secondTryMs: secondTrySeconds * 1000 }),
  });
}

/** It has answered about a recipient: it is not mute. */
export function heardFrom(exchanger: Exchanger, source: string | null, nowMs: number): void {
  exchanger.answeredAtMs = nowMs;
  if (!exchanger.silences.delete(source)) return;
  if (exchanger.shut.get(source)?.mute !== 'no') exchanger.shut.delete(source);
}

/** Errors a session may draw here: the policy's number, or what the host has shown to be too many less one. */
export function refusalsBorne(exchanger: Exchanger, nowMs: number): number {
  const { refusalsPerConnection } = exchanger.limits;
  if (exchanger.fewerUntilMs <= nowMs) return refusalsPerConnection;
  return Math.min(refusalsPerConnection, exchanger.refusalsBorne);
}

/** Its hour is over: it may have hung up for reasons that were of that hour. */
export function forgetOld(exchanger: Exchanger, nowMs: number): void {
  forgetFullness(exchanger.pace, exchanger.limits, nowMs);
  if (exchanger.fewerUntilMs === 0 || exchanger.fewerUntilMs > nowMs) return;
  exchanger.fewerUntilMs = 0;
  exchanger.refusalsBorne = Number.MAX_SAFE_INTEGER;
  exchanger.firstErrorEnds = 0;
  exchanger.endsAtFirstError = false;
}

/** A connect has begun. */
export function dialled(exchanger: Exchanger, nowMs: number): void {
  exchanger.diallingSinceMs ??= nowMs;
  opened(exchanger.pace, nowMs);
}

/** A connect was answered. */
export function pickedUp(exchanger: Exchanger): void {
  for (const [source, shut] of exchanger.shut) if (!shut.dialled) exchanger.shut.delete(source);
  exchanger.diallingSinceMs = null;
  exchanger.lastChoiceUntilMs = 0;
}

/** A connect was refused, or swallowed. */
export function notReached(exchanger: Exchanger, error: string | null, nowMs: number): void {
  exchanger.diallingSinceMs = null;
  if (error === SWALLOWED) exchanger.lastChoiceUntilMs = nowMs + LAST_CHOICE_MS;
}

/** `sinceMs`: since when somebody waits without an answer; what was shut after that was tried for them already. */
export function shutFor(
  exchanger: Exchanger,
  source: string | null,
  nowMs: number,
  sinceMs = Number.POSITIVE_INFINITY,
): Shut | null {
  if (exchanger.shut.size === 0) return null;
  const shut = exchanger.shut.get(source);
  if (shut === undefined) return null;
  return shut.untilMs > nowMs || (!shut.busy && shut.atMs >= sinceMs) ? shut : null;
}
