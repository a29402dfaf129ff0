// Compares refusals that alone say nothing certain with the same host's replies about other recipients of the domain.
// Pure: time as an argument. Promise: such a refusal counts as the mailbox's only after looks (look.ts) that were all
// clean; after one contradiction, that sentence says nothing at this host for hours; an address waits here for minutes at
// most; looks, sentences, hosts and waiting addresses are bounded (docs/adr/0013-compared-evidence.md).
//
//   refused vaguely ─┬─ no accepted recipient of the domain is known here ─▶ waits while some are still asked ─▶ as it is
//                    └─ one is ─▶ look ─┬─ clean, often enough ─▶ the mailbox's
//                         ▲             ├─ contradicted ────────▶ as it is, all others too, for hours
//                         └─────────────┴─ unheard ─────────────▶ as it is, all others too, for minutes

import { invariant } from '@mxproof/common/invariant';
import { QueueSet } from '@mxproof/common/queue-set';
import { detached } from '../detach-string.ts';
import type { Answer } from '../state/answer.ts';
import type { DomainNotes, Sentence, VagueRefusal } from '../state/vague-refusal.ts';
import type { Address } from '../types.ts';
import { ACCEPTED_PER_LOOK, type LookOutcome, REFUSED_PER_LOOK } from './look.ts';
import { signaturesOf } from './reply-signatures.ts';

const KEPT_MS = 6 * 3_600_000;
const UNHEARD_MS = 10 * 60_000;
/** For each address; the first address with a new sentence needs one more. */
const LOOKS_EACH = 2;
const LOOKS_FIRST = 3;
/** Per domain, host and `KEPT_MS`: 480 questions at most, 180 of them refused, and some thirty addresses decided. */
const LOOKS_MAX = 60;
const WAITING_MAX = Math.floor(LOOKS_MAX / LOOKS_EACH);
/** Over all domains of a host: each change scans them. */
const WAITING_PER_HOST_MAX = 200;
const SENTENCES_MAX = 4;
/** Domains at hosts: of all hosts together, and of one. */
const NOTES_MAX = 20_000;
const NOTES_PER_HOST_MAX = 1_000;
/** Of one call: hosts with waiting addresses are passed over. */
const PASSED_OVER_MAX = 16;
/** How long to wait for others of the domain, and how long all looks together may take. */
const OTHERS_WAIT_MS = 60_000;
const PATIENCE_MS = 5 * 60_000;
/** For single checks: no further look begins after this long. */
const SINGLE_PATIENCE_MS = 10_000;

interface HostNotes {
  readonly domains: Map<string, DomainNotes>;
  /** One look at a time. */
  looking: VagueRefusal | null;
}

/** How many wait for a comparison, of a host and of a domain at it. */
export interface WaitingNow {
  atHost(ip: string): number;
  ofDomain(ip: string, domain: string): number;
}

/** An address that waits. */
export interface ComparedAddress {
  readonly address: Address;
  readonly single: boolean;
  readonly refusal: VagueRefusal;
}

/** What is known of its domain. */
export interface ControlAvailability {
  /** A recipient that this host accepts is known. */
  readonly hasControl: boolean;
  /** Recipients are still being asked about: one of them may be accepted. */
  readonly mayCome: boolean;
}

export class Comparison {
  readonly #hosts = new Map<string, HostNotes>();
  /** In the order they came. */
  readonly #byAge = new QueueSet<string>();
  readonly #waiting: WaitingNow;
  /** Domains at hosts that something is known of. */
  notes = 0;

  constructor(waiting: WaitingNow) {
    this.#waiting = waiting;
  }

  /** Null: nothing can be found out by comparing. `wasAccepted`: the same address, before. */
  begin(address: Address, answer: Answer, wasAccepted: boolean, nowMs: number): VagueRefusal | null {
    if (!isComparable(answer, address.mailbox) || address.needsSmtpUtf8) return null;
    const { ip, reply } = answer;
    const { domain } = address;
    const host = this.#host(ip);
    const notes = this.#notesOf(host, ip, domain, nowMs);
    const sentence = sentenceOf(notes, signaturesOf(reply, address));
    if (sentence === null || sentence.saysNothingUntilMs > nowMs) return null;
    if (wasAccepted) {
      sentence.saysNothingUntilMs = Number.POSITIVE_INFINITY;
      return null;
    }
    const isFull =
      this.#waiting.ofDomain(ip, domain) >= WAITING_MAX || this.#waiting.atHost(ip) >= WAITING_PER_HOST_MAX;
    return isFull ? null : { ip, domain, sentence, notes, sinceMs: nowMs, looks: 0 };
  }

  /** A recipient was accepted: if it was refused before, the sentence says nothing. */
  accepted(ip: string, domain: string, mailbox: string): void {
    if (this.#hosts.size === 0) return;
    const sentence = this.#hosts.get(ip)?.domains.get(domain)?.decided.get(mailbox);
    if (sentence !== undefined) sentence.saysNothingUntilMs = Number.POSITIVE_INFINITY;
  }

  /**
   * Of those that wait at a host, which need not wait any longer; and which to look at now, if any: `looked` must then be
   * called with how that ended.
   */
  next<T extends ComparedAddress>(
    ip: string,
    waiting: readonly T[],
    nowMs: number,
    othersOf: (one: T) => ControlAvailability,
  ) {
    const freed: { readonly compared: T; readonly isMailbox: boolean }[] = [];
    let look: T | null = null;
    const host = this.#hosts.get(ip);
    if (host === undefined) return { freed, look };
    for (const compared of waiting) {
      const step = compared.refusal === host.looking ? 'wait' : stepOf(compared, othersOf(compared), nowMs);
      if (step === 'mailbox' || step === 'as_it_is') freed.push({ compared, isMailbox: step === 'mailbox' });
      else if (step === 'look' && (look === null || (compared.single && !look.single))) look = compared;
    }
    if (host.looking !== null) return { freed, look: null };
    if (look !== null) {
      look.refusal.notes.looks += 1;
      host.looking = look.refusal;
    }
    return { freed, look };
  }

  looked(refusal: VagueRefusal, mailbox: string, outcome: LookOutcome, nowMs: number): void {
    const { sentence, notes, ip } = refusal;
    const host = this.#hosts.get(ip);
    if (host?.looking === refusal) host.looking = null;
    switch (outcome) {
      case 'clean':
        sentence.looks += 1;
        refusal.looks += 1;
        if (isEnough(refusal)) notes.decided.set(detached(mailbox), sentence);
        return;
      case 'contradicted':
        sentence.saysNothingUntilMs = Number.POSITIVE_INFINITY;
        return;
      case 'unheard':
        sentence.saysNothingUntilMs = Math.max(sentence.saysNothingUntilMs, nowMs + UNHEARD_MS);
        return;
      default:
        outcome satisfies never;
    }
  }

  #host(ip: string): HostNotes {
    let host = this.#hosts.get(ip);
    if (host === undefined) {
      host = { domains: new Map(), looking: null };
      this.#hosts.set(ip, host);
      this.#byAge.add(ip);
    }
    return host;
  }

  #notesOf(host: HostNotes, ip: string, domain: string, nowMs: number): DomainNotes {
    const known = host.domains.get(domain);
    const isKept = (one: DomainNotes) =>
      nowMs - one.sinceMs < KEPT_MS || this.#waiting.ofDomain(ip, domain) > 0;
    if (known !== undefined && isKept(known)) return known;
    if (known === undefined) {
      if (host.domains.size >= NOTES_PER_HOST_MAX) this.#forgetDomain(host, ip);
      if (this.notes >= NOTES_MAX) this.#forgetHosts(host);
      this.notes += 1;
    }
    const notes = { sinceMs: nowMs, sentences: [], decided: new Map(), looks: 0 };
    host.domains.set(domain, notes);
    return notes;
  }

  /** The oldest that no address waits for. */
  #forgetDomain(host: HostNotes, ip: string): void {
    for (const domain of host.domains.keys()) {
      if (this.#waiting.ofDomain(ip, domain) > 0) continue;
      host.domains.delete(domain);
      this.#forget(1);
      return;
    }
  }

  /** The oldest, until there is room; not `newest`, which is about to be noted. */
  #forgetHosts(newest: HostNotes): void {
    for (let passedOver = 0; this.notes >= NOTES_MAX && passedOver < PASSED_OVER_MAX; ) {
      const ip = this.#byAge.shift();
      const host = ip === undefined ? undefined : this.#hosts.get(ip);
      if (ip === undefined || host === undefined) return;
      if (host === newest || host.looking !== null || this.#waiting.atHost(ip) > 0) {
        this.#byAge.add(ip);
        passedOver += 1;
      } else {
        this.#hosts.delete(ip);
        this.#forget(host.domains.size);
      }
    }
  }

  #forget(notes: number): void {
    this.notes -= notes;
    invariant(this.notes >= 0, 'fewer than no domains are noted');
  }
}

function stepOf(
  { address, single, refusal }: ComparedAddress,
  others: ControlAvailability,
  nowMs: number,
): 'as_it_is' | 'mailbox' | 'wait' | 'look' {
  const { sentence, notes, sinceMs, looks } = refusal;
  if (sentence.saysNothingUntilMs > nowMs) return 'as_it_is';
  if (notes.decided.get(address.mailbox) === sentence) return 'mailbox';
  const waitedMs = nowMs - sinceMs;
  if (!others.hasControl) return others.mayCome && waitedMs < OTHERS_WAIT_MS ? 'wait' : 'as_it_is';
  // Patience is bounded even while looks stay clean.
  const isLate = waitedMs > (single ? SINGLE_PATIENCE_MS : PATIENCE_MS);
  return isLate || notes.looks + LOOKS_EACH - looks > LOOKS_MAX ? 'as_it_is' : 'look';
}

function isEnough({ looks, sentence }: VagueRefusal): boolean {
  return looks >= LOOKS_EACH && sentence.looks >= LOOKS_FIRST;
}

interface ComparableRefusal extends Answer {
  readonly ip: string;
  readonly reply: NonNullable<Answer['reply']>;
}

/** A refusal for good in words that would fit a missing mailbox, and that name no other. */
function isComparable(answer: Answer, mailbox: string): answer is ComparableRefusal {
  const { meaning, clarity, temporary, reply, ip } = answer;
  if (clarity !== 'vague' || meaning === 'no_mailbox' || temporary || reply === null || ip === null)
    return false;
  const said = reply.lines.join(' ').toLowerCase().replaceAll(mailbox.toLowerCase(), '');
  return reply.code >= 500 && !said.includes('@');
}

function sentenceOf({ sentences }: DomainNotes, like: readonly string[]): Sentence | null {
  const known = sentences.find((sentence) => like.some((one) => sentence.like.includes(one)));
  if (known !== undefined) return known;
  if (sentences.length >= SENTENCES_MAX) return null;
  const sentence = { like: like.map(detached), looks: 0, saysNothingUntilMs: 0 };
  sentences.push(sentence);
  return sentence;
}

/** The answer as the comparison has made it: about the mailbox. No other address is named in it. */
export function comparedAnswer(answer: Answer, { looks }: VagueRefusal): Answer {
  const again =
    looks === 0
      ? 'found so a while ago'
      : `asked ${looks * REFUSED_PER_LOOK} times more in ${looks} sessions, between ${looks * ACCEPTED_PER_LOOK} questions about others`;
  const text = `compared: ${again}; refused alike every time, while others of the domain were taken every time`;
  return {
    ...answer,
    meaning: 'no_mailbox',
    detail: 'no_such_mailbox',
    rule: `compared: refused in words that this host has for no other recipient of the domain it was asked about in the same sessions (${answer.rule})`,
    dialogue: answer.dialogue.length === 0 ? [] : [...answer.dialogue, { atMs: 0, from: 'note', text }],
  };
}
