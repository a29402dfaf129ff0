// Until when a session waits for what is due next. Pure: time as an argument. Promise: every wait has an end, and none
// goes beyond the budget of the session as a whole.
import type { SessionPlan } from './session-plan.ts';

/** A handshake that hangs counts as failed: the server may still be asked in clear. */
const HANDSHAKE_MAX_MS = 60_000;
/** Between two replies of a flight that went out together; longer than a slow recipient's 45 seconds. */
const FLIGHT_SILENCE_MS = 60_000;
/** The wait for 221, in multiples of the last flight's first reply time. */
const GOODBYE_REPLIES = 4;

export class SessionDeadline {
  readonly #plan: Pick<SessionPlan, 'answerMs' | 'timeouts'>;
  readonly #overAtMs: number;
  /** Shorter for pipelined flights, where a lost reply never comes; one by one, a host gets its full time. */
  readonly #flightReplyMs: number;
  #dueMs: number;
  /** After a silence: when the first answer about a recipient is due, whatever comes before it. */
  #answerDueMs: number | null = null;

  constructor(plan: Pick<SessionPlan, 'answerMs' | 'timeouts'>, startedAtMs: number) {
    this.#plan = plan;
    this.#flightReplyMs = Math.min(plan.timeouts.replyMs, FLIGHT_SILENCE_MS);
    this.#overAtMs = startedAtMs + plan.timeouts.sessionMs;
    this.#dueMs = startedAtMs + plan.timeouts.connectMs;
  }

  isPast(nowMs: number): boolean {
    return nowMs >= this.#dueMs;
  }

  /** The connection stands: the banner is due, and after a silence the first answer. */
  connected(nowMs: number): void {
    const { answerMs, timeouts } = this.#plan;
    if (answerMs !== null) this.#answerDueMs = nowMs + answerMs;
    this.#reply(timeouts.bannerMs, nowMs);
  }

  greeting(nowMs: number): void {
    this.#reply(this.#plan.timeouts.replyMs, nowMs);
  }

  handshake(nowMs: number): void {
    this.#wait(Math.min(this.#plan.timeouts.replyMs, HANDSHAKE_MAX_MS), nowMs);
  }

  /** The next reply of a flight. */
  command(pipelining: boolean, nowMs: number): void {
    this.#reply(this.#patienceMs(pipelining), nowMs);
  }

  /** A recipient was answered about: from now on each reply has its own time. */
  answered(): void {
    this.#answerDueMs = null;
  }

  linger(nowMs: number): void {
    this.#wait(this.#plan.timeouts.lingerMs, nowMs);
  }

  /** Answers count with the goodbye: a host that took `replyMs` for a reply has its time for this one. */
  goodbye(pipelining: boolean, replyMs: number, nowMs: number): void {
    const { quitMs } = this.#plan.timeouts;
    this.#wait(Math.max(quitMs, Math.min(this.#patienceMs(pipelining), GOODBYE_REPLIES * replyMs)), nowMs);
  }

  #patienceMs(pipelining: boolean): number {
    return pipelining ? this.#flightReplyMs : this.#plan.timeouts.replyMs;
  }

  #reply(ms: number, nowMs: number): void {
    this.#dueMs = Math.min(this.#answerDueMs ?? nowMs + ms, this.#overAtMs);
  }

  #wait(ms: number, nowMs: number): void {
    this.#dueMs = Math.min(nowMs + ms, this.#overAtMs);
  }
}
