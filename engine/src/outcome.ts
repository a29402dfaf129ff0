// An answer → final, or ask again later. Decides, touches nothing. Promise: 4xx, greylisting, rate and dropped lines
// are never verdicts before the schedule is used up; a refusal with 5xx is final at once; while the world cannot be
// reached no retry is used up.
import { retryDelayMs } from './pace/retry.ts';
import type { Answer } from './smtp/task.ts';
import type { Meaning, Resume } from './types.ts';

/** A host that is down, or a domain whose DNS fails, gets one more chance; somebody who waits for one address none. */
const CONNECT_RETRIES = 1;
const UNCOUNTED_MIN_MS = 1_000;

export interface Step {
  readonly kind: 'final' | 'later';
  readonly delayMs: number;
  readonly attempts: number;
  /** What the verdict rests on when this is final. */
  readonly mailbox: Meaning | null;
}

export interface StepInput {
  readonly answer: Pick<Answer, 'meaning' | 'temporary' | 'connected' | 'counts' | 'retryAfterMs'>;
  readonly resume: Resume | undefined;
  readonly scheduleSeconds: readonly number[];
  readonly single: boolean;
  readonly last: boolean;
  /** Accepted, but the domain could not be asked about an impossible recipient. */
  readonly catchAllMissing: boolean;
  /** How long to wait when nothing can be reached; null: the world is there. */
  readonly unreachableWaitMs: number | null;
}

export function nextStep(input: StepInput): Step {
  const { answer, resume, scheduleSeconds } = input;
  const before = resume?.attempt ?? 0;
  const attempts = before + (answer.counts ? 1 : 0);
  const mailbox = settledMeaning(answer.meaning, resume?.meaning ?? null);
  const final: Step = { kind: 'final', delayMs: 0, attempts, mailbox };
  if (!answer.temporary && !input.catchAllMissing) return { ...final, mailbox: answer.meaning };
  if (input.last) return final;
  if (!answer.connected && input.unreachableWaitMs !== null)
    return { kind: 'later', delayMs: input.unreachableWaitMs, attempts: before, mailbox };
  if (!answer.counts)
    return {
      kind: 'later',
      delayMs: Math.max(UNCOUNTED_MIN_MS, answer.retryAfterMs ?? 0),
      attempts,
      mailbox,
    };
  if (!answer.connected && (input.single || attempts > CONNECT_RETRIES)) return final;
  const delayMs = retryDelayMs(attempts, scheduleSeconds, answer.retryAfterMs);
  return delayMs === null ? final : { kind: 'later', delayMs, attempts, mailbox };
}

/** What an earlier attempt learnt outlives a later one that learnt nothing. */
function settledMeaning(now: Meaning | null, before: Meaning | null): Meaning | null {
  if (before !== 'over_quota' && before !== 'accepted') return now;
  return now === null || now === 'temporary' || now === 'rate_limited' || now === 'greylisted' ? before : now;
}
