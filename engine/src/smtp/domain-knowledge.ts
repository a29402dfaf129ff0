// What has been learnt about one domain by asking: whether it takes any recipient, whether it refuses them all.
// Decides, touches nothing. Promise: learnt once and kept for hours, never once per address; a probe that was
// greylisted, blocked or dropped leaves it unknown; a refusal counts as the mailbox's until it is shown that
// everybody gets it (docs/adr/0006-refuse-all.md).
//
//   not asked ─(first real recipient is on the wire)─▶ asking ─┬─ accepted ──▶ catch-all: yes
//       ▲                                                      ├─ refused ───▶ catch-all: no
//       └──────────── hours pass ◀─────────────────────────────┴─ no answer ─▶ asking again in its own session,
//                                                                              once; then not known this round
import { ownCopy } from '../own-copy.ts';
import type { Address, Reply } from '../types.ts';
import { signaturesOf } from './landing.ts';
import type { Answer, Task } from './task.ts';

const KNOWLEDGE_MS = 6 * 3_600_000;
/** A probe without an answer is asked once more in its own session before this round gives up. */
const PROBES_PER_ROUND = 2;
/** A domain somebody always asks about has no end of a round: after so long there is a new one. */
const ROUND_MAX_MS = 60_000;
/** Recipients that must have met the same refusal: more where the words plainly speak of the mailbox. */
const SAME_REFUSALS_WHEN_UNCLEAR = 1;
const SAME_REFUSALS_WHEN_KNOWN = 2;
const SAME_REFUSALS_WHEN_PLAIN = 3;

/** Rules whose words do not name the mailbox: the same refusal for everybody is about something else. */
const UNCLEAR_REFUSAL = /access denied|^code \d/i;
/** A provider whose "Access denied" is known to mean the mailbox. */
const KNOWN_TO_MEAN_IT = /^microsoft,/;

/** More exchangers than any domain is asked at. */
const HOSTS_MAX = 128;

interface HostKnowledge {
  /** It has taken a real recipient: it tells them apart. */
  accepted: boolean;
  readonly refused: Set<string>;
  postmaster: 'not_asked' | 'same' | 'differs';
}

export interface Held {
  readonly task: Task;
  readonly answer: Answer;
}

export interface ProbeEvidence {
  readonly atMs: number;
  readonly words: string;
}

export type Need = 'nothing' | 'impossible' | 'impossible_alone' | 'postmaster';

export class DomainKnowledge {
  catchAll: 'yes' | 'no' | 'unknown' = 'unknown';
  learntAtMs = 0;
  evidence: ProbeEvidence | null = null;
  /** The impossible local part, kept: greylisting knows recipients, so the same one is asked again. */
  impossible: string | null = null;
  /** A probe of either kind is queued or on the wire. */
  probing = false;
  /** Real recipients queued or on the wire. */
  open = 0;
  /** The impossible recipient was said to get too much mail: then that says of nobody that he exists. */
  busyForAll = false;
  #probesThisRound = 0;
  #probedAtMs = 0;
  #probeMissed = false;
  /** It was not even put off: its line broke, or nobody could be asked. */
  #probeUnheard = false;
  /** How the impossible recipient was refused. */
  #refused: { readonly reply: Reply; readonly address: Address; like: readonly string[] | null } | null =
    null;
  /** By address of the host: exchangers of one domain may differ. */
  readonly #hosts = new Map<string, HostKnowledge>();
  readonly #held: Held[] = [];

  /** Real recipients come into the queue; where none was open, a probe that missed may be asked again. */
  begin(count: number, nowMs: number): void {
    const isNewRound = this.open === 0 || nowMs - this.#probedAtMs >= ROUND_MAX_MS;
    if (isNewRound && !this.probing) this.#probesThisRound = 0;
    this.open += count;
  }

  /** Whether a flight with a real recipient of this domain should carry the impossible one behind it. */
  wantsProbe(nowMs: number): Need {
    if (this.probing || this.known(nowMs)) return 'nothing';
    return this.#probesThisRound === 0 && !this.#probeMissed ? 'impossible' : 'impossible_alone';
  }

  known(nowMs: number): boolean {
    return this.learntAtMs > 0 && nowMs - this.learntAtMs < KNOWLEDGE_MS;
  }

  /** A real recipient's answer. `wait`: kept until the domain is understood, `settle` hands it out. */
  hold(held: Held, nowMs: number): 'ready' | 'refuses_all' | 'wait' | Need {
    const refused = held.answer.meaning === 'no_mailbox';
    const host = this.#host(held.answer.ip);
    // Put off, nobody was taken yet.
    if (held.answer.meaning === 'mailbox_busy') return this.#hold(held, this.#acceptance(nowMs));
    if (!refused) host.accepted = true;
    else if (!host.accepted && host.refused.size < SAME_REFUSALS_WHEN_PLAIN)
      host.refused.add(held.task.address.mailbox);
    return this.#hold(held, refused ? this.#refusal(held, nowMs) : this.#acceptance(nowMs));
  }

  #hold<T extends string>(held: Held, next: T): T {
    if (next !== 'ready' && next !== 'refuses_all') this.#held.push(held);
    return next;
  }

  /** The impossible recipient's answer. */
  probed(task: Task, answer: Answer, nowMs: number, words: string): void {
    this.probing = false;
    this.#probesThisRound += 1;
    this.#probedAtMs = nowMs;
    this.#probeUnheard = answer.reply === null;
    this.busyForAll = answer.meaning === 'mailbox_busy';
    if (answer.meaning !== 'accepted' && answer.meaning !== 'no_mailbox' && !isFirmRefusal(answer)) {
      this.#probeMissed = true;
      return;
    }
    this.catchAll = answer.meaning === 'accepted' ? 'yes' : 'no';
    this.learntAtMs = nowMs;
    this.evidence = { atMs: nowMs, words };
    this.#probeMissed = false;
    for (const host of this.#hosts.values()) host.postmaster = 'not_asked';
    const { reply } = answer;
    this.#refused =
      answer.meaning === 'no_mailbox' && reply !== null
        ? { reply: lastingReply(reply), address: task.address, like: null }
        : null;
  }

  /** postmaster's answer: the one mailbox every domain must have (RFC 5321 4.5.1). */
  postmasterAsked(task: Task, answer: Answer, ip: string | null): void {
    this.probing = false;
    const same =
      answer.meaning === 'no_mailbox' && answer.reply !== null && this.#isRefusedAlike(answer.reply, task);
    this.#host(ip).postmaster = same ? 'same' : 'differs';
  }

  /** Those whose answers are now understood, each with what the domain is known to do, and what to ask next. */
  settle(nowMs: number): { ready: { held: Held; refusesAll: boolean }[]; need: Need } {
    const ready: { held: Held; refusesAll: boolean }[] = [];
    let need: Need = 'nothing';
    let kept = 0;
    for (const held of this.#held) {
      const next =
        held.answer.meaning === 'no_mailbox' ? this.#refusal(held, nowMs) : this.#acceptance(nowMs);
      if (next === 'ready' || next === 'refuses_all')
        ready.push({ held, refusesAll: next === 'refuses_all' });
      else {
        this.#held[kept] = held;
        kept += 1;
        if (next !== 'wait') need = next;
      }
    }
    this.#held.length = kept;
    return { ready, need: this.probing ? 'nothing' : need };
  }

  /** Whether this host has taken a real recipient: it tells them apart. */
  acceptedBy(ip: string | null): boolean {
    return this.#hosts.get(ip ?? '')?.accepted === true;
  }

  get holding(): boolean {
    return this.#held.length > 0;
  }

  /** Hands out whatever is held, understood or not: the engine closes. */
  release(): Held[] {
    return this.#held.splice(0);
  }

  /** Whose refusals have to be held against postmaster's answer: the host that gave them. */
  get doubtful(): string | null {
    for (const { answer } of this.#held) {
      const host = answer.ip === null ? undefined : this.#hosts.get(answer.ip);
      if (answer.meaning === 'no_mailbox' && host?.postmaster === 'not_asked' && !host.accepted)
        return answer.ip;
    }
    return null;
  }

  /** Postmaster of some host that has taken nobody was refused like everybody else. */
  get #refusesAll(): boolean {
    for (const host of this.#hosts.values()) if (host.postmaster === 'same' && !host.accepted) return true;
    return false;
  }

  /** Real recipients refused at hosts that have taken nobody. */
  get #refusedAlike(): number {
    let count = 0;
    for (const host of this.#hosts.values()) if (!host.accepted) count += host.refused.size;
    return count;
  }

  #host(ip: string | null): HostKnowledge {
    const key = ip ?? '';
    let host = this.#hosts.get(key);
    if (host === undefined) {
      if (this.#hosts.size >= HOSTS_MAX) this.#hosts.clear();
      host = { accepted: false, refused: new Set(), postmaster: 'not_asked' };
      this.#hosts.set(key, host);
    }
    return host;
  }

  /** Told the same as the impossible recipient. Compared only where it matters: nearly every host takes somebody. */
  #isRefusedAlike(reply: Reply, task: Task): boolean {
    const refused = this.#refused;
    if (refused === null) return false;
    refused.like ??= signaturesOf(refused.reply, refused.address);
    return signaturesOf(reply, task.address).some((one) => refused.like?.includes(one));
  }

  #acceptance(nowMs: number): 'ready' | 'wait' | Need {
    if (this.known(nowMs)) return 'ready';
    if (this.probing) return 'wait';
    return this.#probesThisRound < PROBES_PER_ROUND ? 'impossible_alone' : 'ready';
  }

  #refusal(held: Held, nowMs: number): 'ready' | 'refuses_all' | 'wait' | Need {
    const { reply, rule, ip } = held.answer;
    const host = this.#host(ip);
    if (host.accepted || reply === null) return 'ready';
    if (!this.known(nowMs)) return this.#unproven(rule);
    if (host.postmaster === 'differs' || !this.#isRefusedAlike(reply, held.task)) return 'ready';
    if (this.#refusesAll) return 'refuses_all';
    if (this.#refusedAlike >= sameRefusalsFor(rule)) return this.probing ? 'wait' : 'postmaster';
    return this.open > 0 ? 'wait' : 'ready';
  }

  /** Refused, and the impossible recipient's answer is missing: where everybody was refused, one that got lost is asked again. */
  #unproven(rule: string): 'ready' | 'wait' | Need {
    if (this.probing) return 'wait';
    if (!this.#probeUnheard || this.#probesThisRound >= PROBES_PER_ROUND) return 'ready';
    if (this.#refusedAlike >= sameRefusalsFor(rule)) return 'impossible_alone';
    return this.open > 0 ? 'wait' : 'ready';
  }
}

/** Kept for hours: without the rest of what came in its packet. */
function lastingReply({ code, enhanced, lines }: Reply): Reply {
  return { code, enhanced, lines: lines.map(ownCopy) };
}

function sameRefusalsFor(rule: string): number {
  if (!UNCLEAR_REFUSAL.test(rule)) return SAME_REFUSALS_WHEN_PLAIN;
  return KNOWN_TO_MEAN_IT.test(rule) ? SAME_REFUSALS_WHEN_KNOWN : SAME_REFUSALS_WHEN_UNCLEAR;
}

/** A 5xx that speaks of this recipient, whatever its words, is no acceptance: the domain does not take everything. */
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
    case 'content':
    case 'protocol':
    case 'unclear':
    case null:
      return false;
    default:
      return answer.meaning satisfies never;
  }
}
