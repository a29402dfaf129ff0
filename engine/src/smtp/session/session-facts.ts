// What a session has shown so far, for whoever decides what it asks next.
import type { Reply } from '../../types.ts';
import type { SessionPlan, SessionState } from './session-plan.ts';
import { SessionLines } from './transcript.ts';

export class SessionFacts {
  readonly plan: SessionPlan;
  readonly startedAtMs: number;
  readonly lines = new SessionLines();
  state: SessionState = 'connecting';
  pipelining = false;
  smtpUtf8 = false;
  tls = false;
  /** The server has said at least one thing. */
  spoke = false;
  /** The banner's text, by which some hosts are known to bear less. */
  banner = '';
  /** RFC 9422 RCPTMAX, where the server tells. */
  recipientsMax: number | null = null;
  /** What the greeting was answered with: a copy of it may come in a later reply's place. */
  readonly greeted: Reply[] = [];
  /** Errors drawn in this session, refused recipients above all. */
  refusals = 0;
  recipients = 0;
  resets = 0;
  flights = 0;
  /** How long the last first reply took, and everything before the first flight. */
  replyMs = 0;
  readyAfterMs = 0;
  /** When its last flight left. */
  askedAtMs = 0;
  urgent = false;
  unheard = 0;

  constructor(plan: SessionPlan, startedAtMs: number) {
    this.plan = plan;
    this.startedAtMs = startedAtMs;
  }

  /** True once a new flight would risk being cut off by the session's budget. */
  isLate(nowMs: number): boolean {
    return nowMs - this.startedAtMs > this.plan.timeouts.sessionMs / 2;
  }
}
