// What has been learnt about one domain by asking: whether it takes any recipient, whether it refuses them all.
// Decides, touches nothing. Promise: learnt once and kept for hours, never once per address; a probe that was
// greylisted, blocked or dropped leaves it unknown; a refusal counts as the mailbox's until it is shown that
// everybody gets it (docs/adr/0006-refuse-all.md).
//
//   not asked ─(first real recipient is on the wire)─▶ asking ─┬─ accepted ──▶ catch-all: yes
//       ▲                                                      ├─ refused ───▶ catch-all: no
//       └──────────── hours pass ◀─────────────────────────────┴─ no answer ─▶ asking again in its own session,
//                                                                              once; then not known this round

import { detached } from '../../detach-string.ts';
import { isRole } from '../../domain/role.ts';
import type { Address, Clarity, Reply } from '../../types.ts';
import type { Answer, Task } from '../session/task.ts';
import { signaturesOf } from './read-flight.ts';

const KNOWLEDGE_MS = 6 * 3_600_000;
/** A probe without an answer is asked once more in its own session before this round gives up. */
const PROBES_PER_ROUND = 2;
/** A domain somebody always asks about has no end of a round: after so long there is a new one. */
const ROUND_MAX_MS = 60_000;
/** Recipients that must have met the same refusal: more where the words plainly speak of the mailbox. */
const SAME_REFUSALS_WHEN_VAGUE = 1;
const SAME_REFUSALS_WHEN_MEANT = 2;
const SAME_REFUSALS_WHEN_PLAIN = 3;

/** Lines that may break under postmaster before it counts as one that nobody hears about. */
const POSTMASTER_TRIES = 2;

/** More exchangers than any domain is asked at. */
const HOSTS_MAX = 128;
/** Whom a host has taken, kept to compare others with. */
const CONTROLS_MAX = 3;
const NO_CONTROLS: readonly string[] = [];
/** What a host's knowledge and a text in it take in memory, as bench/src/memory.ts measures them. */
const HOST_BYTES = 640;
const TEXT_BYTES = 40;

interface HostKnowledge {
  /** It has taken a real recipient: it tells them apart. */
  accepted: boolean;
  /** Local parts that it has taken, for comparisons. */
  controls: readonly string[];
  readonly refused: Set<string>;
  /** How it refused: the impossible recipient if that was asked here, else the first real one. */
  refusal: Refusal | null;
  postmaster: 'not_asked' | 'same' | 'differs' | 'unheard';
  /** How often no reply about it came. */
  postmasterLost: number;
}

/** A refusal to hold others against. */
interface Refusal {
  readonly reply: Reply;
  readonly address: Address;
  /** Made when it is first needed: nearly every host takes somebody. */
  like: readonly string[] | null;
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
  /** By address of the host: exchangers of one domain may differ. */
  readonly #hosts = new Map<string, HostKnowledge>();
  readonly #held: Held[] = [];
  /** What was learnt takes so much memory, about; what is replaced is not taken off. */
  bytes = 0;
  readonly #grew: (bytes: number) => void;

  constructor(grew: (bytes: number) => void = () => {}) {
    this.#grew = grew;
  }

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
    if (held.answer.meaning === 'accepted') this.#keepControl(host, held.task.address);
    if (!refused) host.accepted = true;
    else if (!host.accepted && host.refused.size < SAME_REFUSALS_WHEN_PLAIN) {
      host.refused.add(held.task.address.mailbox);
      this.#grow(held.task.address.mailbox.length);
      host.refusal ??= this.#lastingRefusal(held);
    }
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
    if (this.catchAll === 'yes') this.#keepControl(this.#host(answer.ip), task.address);
    this.learntAtMs = nowMs;
    this.evidence = { atMs: nowMs, words };
    this.#grow(words.length);
    this.#probeMissed = false;
    for (const host of this.#hosts.values()) host.postmaster = 'not_asked';
    if (answer.meaning !== 'accepted') {
      const host = this.#host(answer.ip);
      // Refused in words that are no verdict, the impossible one shows that this host does not tell everybody the same.
      host.refusal = answer.meaning === 'no_mailbox' ? this.#lastingRefusal({ task, answer }) : null;
    }
  }

  /** postmaster's answer: the one mailbox every domain must have (RFC 5321 4.5.1). */
  postmasterAsked(task: Task, answer: Answer, ip: string | null): void {
    this.probing = false;
    const host = this.#host(ip);
    if (answer.reply === null) {
      // Its line broke: that is no word about it, and where it breaks again nobody is condemned on the others' words.
      host.postmasterLost += 1;
      if (host.postmasterLost >= POSTMASTER_TRIES) host.postmaster = 'unheard';
      return;
    }
    const isSame = answer.meaning === 'no_mailbox' && isRefusedAlike(host, answer.reply, task.address);
    host.postmaster = isSame ? 'same' : 'differs';
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

  /** Local parts of the domain that this host has taken, none of them a role's: a few are enough. */
  controlsAt(ip: string | null): readonly string[] {
    return this.#hosts.get(ip ?? '')?.controls ?? NO_CONTROLS;
  }

  get holding(): boolean {
    return this.#held.length > 0;
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

  /** Postmaster of some host that has taken nobody was refused like everybody else, or could not be heard about. */
  get #refusesAll(): boolean {
    for (const { postmaster, accepted } of this.#hosts.values())
      if (!accepted && (postmaster === 'same' || postmaster === 'unheard')) return true;
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
      host = {
        accepted: false,
        controls: NO_CONTROLS,
        refused: new Set(),
        refusal: null,
        postmaster: 'not_asked',
        postmasterLost: 0,
      };
      this.#hosts.set(key, host);
      this.#grow(HOST_BYTES);
    }
    return host;
  }

  #grow(chars: number): void {
    this.bytes += TEXT_BYTES + chars;
    this.#grew(TEXT_BYTES + chars);
  }

  /** postmaster and abuse are taken by hosts that take nobody else (Exim, Sendmail): roles show nothing. */
  #keepControl(host: HostKnowledge, address: Address): void {
    const { controls } = host;
    if (controls.length >= CONTROLS_MAX || address.needsSmtpUtf8 || isRole(address)) return;
    if (controls.includes(address.local)) return;
    host.controls = [...controls, detached(address.local)];
    this.#grow(address.local.length);
  }

  /** Kept for hours: without the rest of what came in its packet. */
  #lastingRefusal({ task, answer: { reply } }: Held): Refusal | null {
    if (reply === null) return null;
    const { code, enhanced, lines } = reply;
    this.#grow(lines.reduce((chars, line) => chars + TEXT_BYTES + line.length, task.address.mailbox.length));
    return { reply: { code, enhanced, lines: lines.map(detached) }, address: task.address, like: null };
  }

  #acceptance(nowMs: number): 'ready' | 'wait' | Need {
    if (this.known(nowMs)) return 'ready';
    if (this.probing) return 'wait';
    return this.#probesThisRound < PROBES_PER_ROUND ? 'impossible_alone' : 'ready';
  }

  #refusal(held: Held, nowMs: number): 'ready' | 'refuses_all' | 'wait' | Need {
    const { reply, clarity, ip } = held.answer;
    const host = this.#host(ip);
    if (host.accepted || reply === null) return 'ready';
    if (!this.known(nowMs)) return this.#unproven(clarity);
    if (this.catchAll === 'yes') return 'ready';
    if (host.postmaster === 'differs' || !isRefusedAlike(host, reply, held.task.address)) return 'ready';
    if (this.#refusesAll) return 'refuses_all';
    if (this.#refusedAlike >= sameRefusalsFor(clarity)) return this.probing ? 'wait' : 'postmaster';
    return this.open > 0 ? 'wait' : 'ready';
  }

  /** Refused, and the impossible recipient's answer is missing: where everybody was refused, one that got lost is asked again. */
  #unproven(clarity: Clarity): 'ready' | 'wait' | Need {
    if (this.probing) return 'wait';
    if (!this.#probeUnheard || this.#probesThisRound >= PROBES_PER_ROUND) return 'ready';
    if (this.#refusedAlike >= sameRefusalsFor(clarity)) return 'impossible_alone';
    return this.open > 0 ? 'wait' : 'ready';
  }
}

/** Told the same as others at this very host: another one of the domain may say it in other words. */
function isRefusedAlike({ refusal }: HostKnowledge, reply: Reply | null, address: Address): boolean {
  if (refusal === null || reply === null) return false;
  refusal.like ??= signaturesOf(refusal.reply, refusal.address);
  return signaturesOf(reply, address).some((one) => refusal.like?.includes(one));
}

/** Of words that do not name the mailbox, fewer show that everybody is told the same. */
function sameRefusalsFor(clarity: Clarity): number {
  switch (clarity) {
    case 'plain':
      return SAME_REFUSALS_WHEN_PLAIN;
    case 'meant':
      return SAME_REFUSALS_WHEN_MEANT;
    case 'vague':
      return SAME_REFUSALS_WHEN_VAGUE;
    default:
      return clarity satisfies never;
  }
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
