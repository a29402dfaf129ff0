// The words a session and its owner share: what it may do, how long it may take, how it ended.
import type { ConnectTarget } from '../../ports.ts';
import type { Reply, Stage } from '../../types.ts';
import type { Flight } from './flight.ts';

export interface SessionTimeouts {
  readonly connectMs: number;
  readonly bannerMs: number;
  /** EHLO, STARTTLS, MAIL, RCPT, RSET: each reply as a whole. */
  readonly replyMs: number;
  /** From the connection to the first answer about a recipient, where the last session ended in silence. */
  readonly secondTryMs: number;
  readonly quitMs: number;
  /** How long a session with nothing to ask is kept for what may still come. */
  readonly lingerMs: number;
  /** Everything together. */
  readonly sessionMs: number;
}

/** RFC 5321 4.5.3.2 asks five minutes per command of a client that has a message to hand over; we have none (ADR 0014). */
export const DEFAULT_TIMEOUTS: SessionTimeouts = {
  connectMs: 15_000,
  bannerMs: 60_000,
  replyMs: 60_000,
  secondTryMs: 120_000,
  quitMs: 5_000,
  lingerMs: 400,
  sessionMs: 600_000,
};

export interface SessionPlan {
  readonly target: ConnectTarget;
  readonly heloName: string;
  /** False after a handshake with this host has failed. */
  readonly mayTls: boolean;
  /** It wants TLS for mail and was seen not to offer it. */
  readonly demandsTls: boolean;
  readonly heloOnly: boolean;
  /** False for a host that once answered a flight out of step. */
  readonly mayPipeline: boolean;
  /** After a silence: all it has from the connection to its first answer about a recipient; else null. */
  readonly answerMs: number | null;
  readonly timeouts: SessionTimeouts;
}

/** `base` with what is given; a second try gets twice the longer wait of the first unless it is given too. */
export function withTimeouts(base: SessionTimeouts, given: Partial<SessionTimeouts>): SessionTimeouts {
  if (Object.keys(given).length === 0) return base;
  const timeouts = { ...base, ...given };
  const secondTryMs = given.secondTryMs ?? 2 * Math.max(timeouts.bannerMs, timeouts.replyMs);
  return { ...timeouts, secondTryMs };
}

export type SessionState =
  | 'connecting'
  | 'banner'
  | 'ehlo'
  | 'helo'
  | 'starttls'
  | 'handshake'
  | 'idle'
  | 'flight'
  | 'quitting'
  | 'closed';

export interface SessionEnd {
  readonly how: /** QUIT was answered with 221: every reply was its own command's. */
    | 'done'
    /** QUIT was sent, and the connection ended without 221. */
    | 'no_goodbye'
    | 'refused'
    | 'dropped'
    | 'timeout'
    | 'protocol'
    | 'out_of_step'
    /** Reading what it said took the thread too long. */
    | 'too_slow'
    | 'unconnected'
    | 'tls_failed';
  /** Where it was when it ended. */
  readonly stage: Stage;
  /** The reply that ended it, if one did. */
  readonly reply: Reply | null;
  /** A word for the evidence: an errno, or what was wrong with the bytes. */
  readonly error: string | null;
}

/** What decides what a session asks and what its answers mean: a lane. */
export interface SessionOwner<Session> {
  /** Recipients that still wait to be asked about. */
  readonly backlog: number;
  /** The lots those recipients belong to. */
  readonly lots: readonly number[];
  /** Connected; the server has not spoken yet. */
  connected(session: Session): void;
  /** The server has greeted us as one it will talk to. */
  welcomed(session: Session): void;
  /** What to ask next; `linger`: nothing now, perhaps soon; `quit`: this session has done its part. */
  next(session: Session): Flight | 'linger' | 'quit';
  /** Every command answered, or (`complete` false) the connection ended early; which replies count is decided later. */
  landed(session: Session, flight: Flight, complete: boolean): void;
  /** Reading what it said took the thread too long: it is to be ended. */
  tooSlow(session: Session): void;
  ended(session: Session, end: SessionEnd): void;
}
