// Whether a domain accepts any recipient, found out by asking about one that cannot exist: the catch-all probe. Pure:
// time as an argument. Promise: learnt once and kept for hours, never once per address, and for a day where the provider
// is known to accept all and decide after DATA; a probe that was deferred, blocked or lost leaves it unknown.
//
//   not asked ─(a real recipient is sent)─▶ asking ─┬─ accepted ──▶ catch-all: yes
//       ▲                                           ├─ refused ───▶ catch-all: no
//       └──────────── hours pass ◀──────────────────┴─ no answer ─▶ asking again in a session of its own, once;
//                                                                   then not known this round
import { decidesAfterData, providerOf } from '../domain/provider.ts';
import type { Answer } from '../state/answer.ts';

const HOUR_MS = 3_600_000;
const KNOWN_FOR_MS = 6 * HOUR_MS;
/** Accepted by a provider that decides after DATA: asking again the same day would only be told the same. */
const KNOWN_AFTER_DATA_MS = 24 * HOUR_MS;
/** A probe without an answer is asked once more in its own session before this round gives up. */
const PROBES_PER_ROUND = 2;
/** A domain with a steady flow of addresses never ends a round: after this long a new one begins. */
const ROUND_MAX_MS = 60_000;

/**
 * What came of the last probe. `learnt`: it was accepted or refused. `busy`: it was said to receive too much mail, so
 * that these words prove no mailbox here. `deferred`: any other reply that says nothing. `lost`: no reply came.
 */
type LastProbe = 'none' | 'learnt' | 'busy' | 'deferred' | 'lost';

export interface ProbeEvidence {
  readonly atMs: number;
  readonly words: string;
}

export class CatchAll {
  /** Until `#knownUntilMs`. */
  answer: 'yes' | 'no' | 'unknown' = 'unknown';
  evidence: ProbeEvidence | null = null;
  /** The probe's local part, kept: greylisting knows recipients, so the same one is asked again. */
  probeLocal: string | null = null;
  #last: LastProbe = 'none';
  #probesThisRound = 0;
  #probedAtMs = 0;
  #knownUntilMs = 0;
  /** The limit per hour or day leaves no room for the probe before. */
  #heldUntilMs = 0;

  /** Recipients are queued. `isIdle`: none was before, and no probe is under way. */
  begin(isIdle: boolean, isProbing: boolean, nowMs: number): void {
    const isNewRound = isIdle || nowMs - this.#probedAtMs >= ROUND_MAX_MS;
    if (isNewRound && !isProbing) this.#probesThisRound = 0;
  }

  known(nowMs: number): boolean {
    return nowMs < this.#knownUntilMs;
  }

  /** How long the probe must wait for the next hour or day; null: it need not. */
  heldMs(nowMs: number): number | null {
    return nowMs < this.#heldUntilMs ? this.#heldUntilMs - nowMs : null;
  }

  /** The probe was deferred as busy too: such a reply proves no mailbox here. */
  get busyForAll(): boolean {
    return this.#last === 'busy';
  }

  /** The probe was neither answered nor deferred, and this round has another one left. */
  get mayAskLostAgain(): boolean {
    return this.#last === 'lost' && this.mayProbe;
  }

  get mayProbe(): boolean {
    return this.#probesThisRound < PROBES_PER_ROUND;
  }

  /** The first probe follows a real recipient in its flight; later ones have a session of their own. */
  get goesAlone(): boolean {
    return this.#probesThisRound > 0 || (this.#last !== 'none' && this.#last !== 'learnt');
  }

  /** True: something was learnt. */
  probed(answer: Answer, nowMs: number, words: string): boolean {
    if (answer.detail === 'budget') {
      this.#heldUntilMs = nowMs + (answer.retryAfterMs ?? 0);
      return false;
    }
    this.#probesThisRound += 1;
    this.#probedAtMs = nowMs;
    if (answer.meaning !== 'accepted' && answer.meaning !== 'no_mailbox' && !isFirmRefusal(answer)) {
      this.#last = answer.reply === null ? 'lost' : answer.meaning === 'mailbox_busy' ? 'busy' : 'deferred';
      return false;
    }
    this.#last = 'learnt';
    this.answer = answer.meaning === 'accepted' ? 'yes' : 'no';
    this.#knownUntilMs = nowMs + knownForMs(answer);
    this.evidence = { atMs: nowMs, words };
    return true;
  }
}

/** A refused probe is asked again as anywhere: a yes must not rest on what a provider did a day ago. */
function knownForMs({ meaning, host }: Answer): number {
  const isItsWay = meaning === 'accepted' && host !== null && decidesAfterData(providerOf(host));
  return isItsWay ? KNOWN_AFTER_DATA_MS : KNOWN_FOR_MS;
}

/** A 5xx about this recipient is not an acceptance, in any words: the domain does not accept everything. */
function isFirmRefusal(answer: Answer): boolean {
  switch (answer.meaning) {
    case 'over_quota':
    case 'relay_denied':
      return !answer.temporary;
    case 'accepted':
    case 'no_mailbox':
    case 'mailbox_busy':
    case 'greylisted':
    case 'temporary':
    case 'rate_limited':
    case 'too_many_recipients':
    case 'blocked':
    case 'sender_refused':
    case 'tls_required':
    case 'tenant_lapsed':
    case 'content':
    case 'protocol':
    case 'unclear':
    case null:
      return false;
    default:
      return answer.meaning satisfies never;
  }
}
