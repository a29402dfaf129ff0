// What a session has shown so far, for its owner to read. Promise: only the session itself writes it.

import { SessionLines } from '../../state/transcript.ts';
import type { Reply } from '../../types.ts';
import { GreetingRecord } from './greeting-record.ts';
import type { SessionPlan } from './session-plan.ts';
import { SessionTally } from './session-tally.ts';

export class SessionFacts {
  readonly plan: SessionPlan;
  readonly startedAtMs: number;
  readonly lines = new SessionLines();
  protected readonly hello: GreetingRecord;
  protected readonly tally = new SessionTally();

  constructor(plan: SessionPlan, startedAtMs: number) {
    this.plan = plan;
    this.startedAtMs = startedAtMs;
    this.hello = new GreetingRecord(plan, this.lines);
  }

  /** The banner's text, by which some hosts are known to tolerate less. */
  get banner(): string {
    return this.hello.banner;
  }

  /** What the greeting was answered with: a copy of it may come in a later reply's place. */
  get greeted(): readonly Reply[] {
    return this.hello.replies;
  }

  get tls(): boolean {
    return this.hello.tls;
  }

  get pipelining(): boolean {
    return this.hello.pipelining;
  }

  get smtpUtf8(): boolean {
    return this.hello.smtpUtf8;
  }

  /** RFC 9422 RCPTMAX, where the server tells. */
  get recipientsMax(): number | null {
    return this.hello.recipientsMax;
  }

  get flights(): number {
    return this.tally.flights;
  }

  get recipients(): number {
    return this.tally.recipients;
  }

  get transactions(): number {
    return this.tally.transactions;
  }

  get resets(): number {
    return this.tally.resets;
  }

  /** Errors drawn in this session, refused recipients above all. */
  get refusals(): number {
    return this.tally.refusals;
  }

  /** When its last flight left. */
  get askedAtMs(): number {
    return this.tally.askedAtMs;
  }

  /** How long the first reply to its last flight took. */
  get replyMs(): number {
    return this.tally.replyMs;
  }

  /** How long everything before its first flight took. */
  get readyAfterMs(): number {
    return this.tally.readyAfterMs;
  }

  /** True once a new flight would risk being cut off by the session's budget. */
  isLate(nowMs: number): boolean {
    return nowMs - this.startedAtMs > this.plan.timeouts.sessionMs / 2;
  }
}
