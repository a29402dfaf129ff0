// An answer → final, or ask again later. Decides, no side effects. Promise: 4xx, greylisting, rate limits and dropped
// connections are never verdicts before the schedule is exhausted, even if the reply says that the mailbox receives too
// much mail; a 5xx refusal is final at once; while the network is unreachable, no retry is used up.
import { retryDelayMs } from '../pace/retry-delay.ts';
import type { Detail, Meaning, Outcome, Resume } from '../types.ts';
import type { Answer } from './answer.ts';

/** A host that is down, or a domain whose DNS fails, gets one more attempt in a list, none in a single check. */
const CONNECT_RETRIES = 1;
const UNCOUNTED_MIN_MS = 1_000;

/** About the moment or about us: no answer that would weigh more than an earlier one about the mailbox. */
const PASSING: ReadonlySet<Meaning> = new Set([
  'temporary',
  'rate_limited',
  'too_many_recipients',
  'greylisted',
  'blocked',
  'mailbox_busy',
]);

/** What an earlier attempt may have learnt of the mailbox. */
const LEARNT: ReadonlySet<Meaning | null> = new Set(['over_quota', 'accepted', 'mailbox_busy']);

export interface Step {
  readonly kind: 'final' | 'later';
  readonly delayMs: number;
  readonly attempts: number;
  /** What the verdict rests on when this is final. */
  readonly mailbox: Meaning | null;
}

export interface StepInput {
  readonly answer: Pick<
    Answer,
    'kind' | 'meaning' | 'temporary' | 'connected' | 'unresponsive' | 'counts' | 'retryAfterMs'
  >;
  readonly resume: Resume | undefined;
  readonly scheduleSeconds: readonly number[];
  readonly single: boolean;
  /** A caller waits for this attempt: a single check's first. */
  readonly isWaitedFor: boolean;
  readonly last: boolean;
  /** Accepted, but the domain's catch-all probe got no answer. */
  readonly catchAllMissing: boolean;
  /** How long the limit per hour or day keeps that probe waiting; null: it does not. */
  readonly probeHeldMs: number | null;
  /** How long to wait when nothing can be reached, or our proxy cannot be used; null: there is no reason to wait. */
  readonly unreachableWaitMs: number | null;
}

export function nextStep(input: StepInput): Step {
  const { answer, resume, scheduleSeconds } = input;
  const before = resume?.attempt ?? 0;
  const attempts = before + (answer.counts ? 1 : 0);
  const mailbox = settledMeaning(answer.meaning, resume?.meaning ?? null);
  const final: Step = { kind: 'final', delayMs: 0, attempts, mailbox };
  if (!answer.temporary && !input.catchAllMissing) return final;
  if (input.last || answer.unresponsive === 'believed') return final;
  if (isConnectionTrouble(answer) && input.unreachableWaitMs !== null && !input.isWaitedFor)
    return { kind: 'later', delayMs: input.unreachableWaitMs, attempts: before, mailbox };
  if (!answer.temporary && input.probeHeldMs !== null)
    return {
      kind: 'later',
      delayMs: Math.max(UNCOUNTED_MIN_MS, input.probeHeldMs),
      attempts: before,
      mailbox,
    };
  if (!answer.counts)
    return {
      kind: 'later',
      delayMs: Math.max(UNCOUNTED_MIN_MS, answer.retryAfterMs ?? 0),
      attempts,
      mailbox,
    };
  // Silent twice in a row about this address, whatever the host answered about others meanwhile.
  if (answer.unresponsive === 'once' && resume?.mute === true) return final;
  const isDown = !answer.connected && answer.unresponsive === 'no';
  if (isDown && (input.single || attempts > CONNECT_RETRIES)) return final;
  const isOurPause = answer.kind === 'paused';
  const delayMs = retryDelayMs(attempts, scheduleSeconds, isOurPause ? null : answer.retryAfterMs);
  if (delayMs === null) return final;
  // Our own pause is not a delay named by the host: the schedule's delay counts if it is longer.
  const leastMs = isOurPause ? (answer.retryAfterMs ?? 0) : 0;
  return { kind: 'later', delayMs: Math.max(leastMs, delayMs), attempts, mailbox };
}

/** No answer, or the connection broke: a network failure looks the same. */
export function isConnectionTrouble({
  kind,
  meaning,
  connected,
  unresponsive,
}: Pick<Answer, 'kind' | 'meaning' | 'connected' | 'unresponsive'>): boolean {
  return !connected || meaning === null || unresponsive !== 'no' || kind === 'dropped';
}

/** Our own proxy stood in the way. */
export function isProxyFault(detail: Detail): boolean {
  return detail === 'proxy_refused' || detail === 'proxy_no_route';
}

/** What an address waits for until its next attempt. `cause`: what its answer says. */
export function waitsFor(
  answer: Pick<Answer, 'kind' | 'meaning' | 'connected' | 'unresponsive' | 'temporary'>,
  cause: Detail,
  isNetworkDown: boolean,
): Detail {
  // An answer that is no reason to ask again: only the domain's probe is missing.
  if (!answer.temporary) return 'catch_all_unknown';
  const isNetworkFault = isNetworkDown && answer.kind !== 'no_dns' && !isProxyFault(cause);
  return isNetworkFault && isConnectionTrouble(answer) ? 'network_down' : cause;
}

export interface LaterInput {
  /** By the machine's clock: others read it. */
  readonly wallMs: number;
  readonly mailFrom: string;
  /** What DNS says of the domain, where it said anything. */
  readonly mx: string | null | undefined;
  readonly provider: string | undefined;
  readonly isInDoubt: boolean;
  readonly waitsFor: Detail;
}

/** What the next attempt has to know: once a source has asked, later attempts are bound to it. */
export function laterOutcome(
  step: Step,
  answer: Answer,
  resume: Resume | undefined,
  { wallMs, mailFrom, mx, provider, isInDoubt, waitsFor }: LaterInput,
): Outcome {
  // A silence in other recipients' sessions does not count against this address.
  const isUnresponsive = answer.counts ? answer.unresponsive !== 'no' : resume?.mute === true;
  return {
    kind: 'later',
    notBeforeMs: wallMs + step.delayMs,
    why: answer.rule,
    resume: {
      attempt: step.attempts,
      source: answer.connected ? answer.source : (resume?.source ?? null),
      mailFrom: answer.connected ? answer.sender : (resume?.mailFrom ?? mailFrom),
      firstAskedAtMs: resume?.firstAskedAtMs ?? wallMs,
      meaning: step.mailbox,
      mx: answer.host ?? mx ?? resume?.mx ?? null,
      provider: provider ?? resume?.provider ?? '',
      ...(isInDoubt || resume?.doubted === true ? { doubted: true } : {}),
      ...(isUnresponsive ? { mute: true } : {}),
      detail: waitsFor,
    },
  };
}

/** What an earlier attempt learnt outlives a later one that learnt nothing. */
function settledMeaning(now: Meaning | null, before: Meaning | null): Meaning | null {
  if (!LEARNT.has(before)) return now;
  return now === null || PASSING.has(now) ? before : now;
}
