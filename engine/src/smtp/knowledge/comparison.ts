// Refusals that alone say nothing certain, held against what others of the domain are told by the same host. Decides,
// touches nothing. Promise: such a refusal is the mailbox's only after looks (look.ts) that were clean every time; one
// contradiction, and that sentence says nothing at this host for hours; whoever waits here is let go within minutes,
// whatever comes; looks, sentences, hosts and those who wait are bounded (docs/adr/0013-compared-evidence.md).
//
//   refused vaguely ─┬─ nobody of the domain is known to be taken here ──▶ waits while some are still asked ─▶ as it is
//                    └─ somebody is ─▶ look ─┬─ clean, often enough ─▶ the mailbox's
//                         ▲                  ├─ contradicted ────────▶ as it is, all others too, for hours
//                         └──────────────────┴─ unheard ─────────────▶ as it is, all others too, for minutes
import { detached } from '../../detach-string.ts';
import { Line } from '../../pace/line.ts';
import type { Answer, Task } from '../session/task.ts';
import type { Held } from './domain-knowledge.ts';
import { type LookOutcome, REFUSED_PER_LOOK, TAKEN_PER_LOOK } from './look.ts';
import { signaturesOf } from './reply-signatures.ts';

const KEPT_MS = 6 * 3_600_000;
const UNHEARD_MS = 10 * 60_000;
/** For each address; the first of a sentence needs one more, since nothing is known of it. */
const LOOKS_EACH = 2;
const LOOKS_FIRST = 3;
/** Per domain, host and `KEPT_MS`: 480 questions at most, 180 of them refused, and some thirty addresses decided. */
const LOOKS_MAX = 60;
const WAITING_MAX = Math.floor(LOOKS_MAX / LOOKS_EACH);
/** Of all domains: whoever comes by looks through them. */
const WAITING_PER_HOST_MAX = 200;
const SENTENCES_MAX = 4;
/** Domains at hosts: of all hosts together, and of one. */
const NOTES_MAX = 20_000;
const NOTES_PER_HOST_MAX = 1_000;
/** Of one call: hosts where somebody waits are passed over. */
const PASSED_OVER_MAX = 16;
/** How long others of the domain are waited for, and how long looks may take in all before it is left as it is. */
const OTHERS_WAIT_MS = 60_000;
const PATIENCE_MS = 5 * 60_000;
/** Somebody waits for this very answer: no further look is begun later than that. */
const SINGLE_PATIENCE_MS = 10_000;

interface Sentence {
  readonly like: readonly string[];
  /** Clean ones, whoever was looked at. */
  looks: number;
  saysNothingUntilMs: number;
}

interface DomainNotes {
  readonly sinceMs: number;
  readonly sentences: Sentence[];
  /** Mailboxes whose refusal was found to be theirs. */
  readonly decided: Map<string, Sentence>;
  looks: number;
  waiting: number;
}

interface HostNotes<T extends Task> {
  readonly domains: Map<string, DomainNotes>;
  waiting: Candidate<T>[];
  /** One look at a time. */
  looking: Candidate<T> | null;
}

export interface Candidate<T extends Task = Task> {
  readonly held: Held<T>;
  readonly ip: string;
  readonly sentence: Sentence;
  readonly notes: DomainNotes;
  readonly sinceMs: number;
  looks: number;
}

/** What is known of a candidate's domain. */
export interface Others {
  /** Somebody whom this host takes is known. */
  readonly hasControl: boolean;
  /** Somebody may still turn out to be one. */
  readonly mayCome: boolean;
}

export interface Freed<T extends Task = Task> {
  readonly candidate: Candidate<T>;
  readonly isMailbox: boolean;
}

/** `T`: what those who wait are to whoever asks. */
export class Comparison<T extends Task = Task> {
  readonly #hosts = new Map<string, HostNotes<T>>();
  /** In the order they came. */
  readonly #byAge = new Line<string>();
  /** Domains at hosts that something is known of. */
  notes = 0;
  /** Where somebody waits: hosts by domain. */
  readonly #places = new Map<string, Set<string>>();

  get waiting(): boolean {
    return this.#places.size > 0;
  }

  /** Hosts where somebody of this domain waits; of any domain, if none is named. */
  placesOf(domain?: string): readonly string[] {
    if (domain !== undefined) return [...(this.#places.get(domain) ?? [])];
    return [...new Set([...this.#places.values()].flatMap((places) => [...places]))];
  }

  /** False: there is nothing to be found out by comparing, it is what it is. `wasTaken`: the same address, before. */
  hold(held: Held<T>, wasTaken: boolean, nowMs: number): boolean {
    const { task, answer } = held;
    if (!isComparable(answer, task.address.mailbox) || task.address.needsSmtpUtf8) return false;
    const host = this.#host(answer.ip);
    const notes = this.#notesOf(host, task.address.domain, nowMs);
    const sentence = sentenceOf(notes, signaturesOf(answer.reply, task.address));
    if (sentence === null || sentence.saysNothingUntilMs > nowMs) return false;
    if (wasTaken) {
      sentence.saysNothingUntilMs = Number.POSITIVE_INFINITY;
      return false;
    }
    if (notes.waiting >= WAITING_MAX || host.waiting.length >= WAITING_PER_HOST_MAX) return false;
    host.waiting.push({ held, ip: answer.ip, sentence, notes, sinceMs: nowMs, looks: 0 });
    notes.waiting += 1;
    const places = this.#places.get(task.address.domain);
    if (places === undefined) this.#places.set(task.address.domain, new Set([answer.ip]));
    else places.add(answer.ip);
    return true;
  }

  /** A recipient was taken: whoever was refused before shows that the sentence says nothing. */
  took(ip: string, domain: string, mailbox: string): void {
    if (this.#hosts.size === 0) return;
    const sentence = this.#hosts.get(ip)?.domains.get(domain)?.decided.get(mailbox);
    if (sentence !== undefined) sentence.saysNothingUntilMs = Number.POSITIVE_INFINITY;
  }

  /** Those who need not wait any longer; and whom to look at now, which `looked` must then be told the end of. */
  next(ip: string, nowMs: number, othersOf: (candidate: Candidate<T>) => Others) {
    const freed: Freed<T>[] = [];
    let look: Candidate<T> | null = null;
    const host = this.#hosts.get(ip);
    if (host === undefined || host.waiting.length === 0) return { freed, look };
    const kept: Candidate<T>[] = [];
    for (const candidate of host.waiting) {
      const step = candidate === host.looking ? 'wait' : stepOf(candidate, othersOf(candidate), nowMs);
      if (step === 'wait' || step === 'look') {
        kept.push(candidate);
        const isFirst = look === null || (candidate.held.task.single && !look.held.task.single);
        if (step === 'look' && isFirst) look = candidate;
        continue;
      }
      this.#leave(candidate);
      if (step !== 'gone') freed.push({ candidate, isMailbox: step === 'mailbox' });
    }
    host.waiting = kept;
    if (host.looking !== null) return { freed, look: null };
    if (look !== null) look.notes.looks += 1;
    host.looking = look;
    return { freed, look };
  }

  looked(candidate: Candidate<T>, outcome: LookOutcome, nowMs: number): void {
    const { sentence, notes, ip, held } = candidate;
    const host = this.#hosts.get(ip);
    if (host?.looking === candidate) host.looking = null;
    switch (outcome) {
      case 'clean':
        sentence.looks += 1;
        candidate.looks += 1;
        if (isEnough(candidate)) notes.decided.set(detached(held.task.address.mailbox), sentence);
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

  #leave({ notes, ip, held }: Candidate<T>): void {
    notes.waiting -= 1;
    if (notes.waiting > 0) return;
    const { domain } = held.task.address;
    const places = this.#places.get(domain);
    places?.delete(ip);
    if (places?.size === 0) this.#places.delete(domain);
  }

  #host(ip: string): HostNotes<T> {
    let host = this.#hosts.get(ip);
    if (host === undefined) {
      host = { domains: new Map(), waiting: [], looking: null };
      this.#hosts.set(ip, host);
      this.#byAge.add(ip);
    }
    return host;
  }

  #notesOf(host: HostNotes<T>, domain: string, nowMs: number): DomainNotes {
    const known = host.domains.get(domain);
    if (known !== undefined && (known.waiting > 0 || nowMs - known.sinceMs < KEPT_MS)) return known;
    if (known === undefined) {
      if (host.domains.size >= NOTES_PER_HOST_MAX) this.notes -= forgetOne(host.domains);
      if (this.notes >= NOTES_MAX) this.#forgetHosts(host);
      this.notes += 1;
    }
    const notes = { sinceMs: nowMs, sentences: [], decided: new Map(), looks: 0, waiting: 0 };
    host.domains.set(domain, notes);
    return notes;
  }

  /** The oldest, until there is room; not `newest`, which is about to be noted. */
  #forgetHosts(newest: HostNotes<T>): void {
    for (let passedOver = 0; this.notes >= NOTES_MAX && passedOver < PASSED_OVER_MAX; ) {
      const ip = this.#byAge.shift();
      const host = ip === undefined ? undefined : this.#hosts.get(ip);
      if (ip === undefined || host === undefined) return;
      if (host === newest || host.waiting.length > 0 || host.looking !== null) {
        this.#byAge.add(ip);
        passedOver += 1;
      } else {
        this.#hosts.delete(ip);
        this.notes -= host.domains.size;
      }
    }
  }
}

function stepOf(
  { held, sentence, notes, sinceMs, looks }: Candidate,
  others: Others,
  nowMs: number,
): 'gone' | 'as_it_is' | 'mailbox' | 'wait' | 'look' {
  const { task } = held;
  if (task.withdrawn) return 'gone';
  if (sentence.saysNothingUntilMs > nowMs) return 'as_it_is';
  if (notes.decided.get(task.address.mailbox) === sentence) return 'mailbox';
  const waitedMs = nowMs - sinceMs;
  if (!others.hasControl) return others.mayCome && waitedMs < OTHERS_WAIT_MS ? 'wait' : 'as_it_is';
  // A look that was begun for it has found nothing against it; but there are bounds.
  const isLate = waitedMs > (task.single ? SINGLE_PATIENCE_MS : PATIENCE_MS);
  return isLate || notes.looks + LOOKS_EACH - looks > LOOKS_MAX ? 'as_it_is' : 'look';
}

function isEnough({ looks, sentence }: Candidate): boolean {
  return looks >= LOOKS_EACH && sentence.looks >= LOOKS_FIRST;
}

interface Comparable extends Answer {
  readonly ip: string;
  readonly reply: NonNullable<Answer['reply']>;
}

/** A refusal for good in words that would fit a missing mailbox, and that name nobody else. */
function isComparable(answer: Answer, mailbox: string): answer is Comparable {
  const { meaning, clarity, temporary, reply, ip } = answer;
  if (clarity !== 'vague' || meaning === 'no_mailbox' || temporary || reply === null || ip === null)
    return false;
  const said = reply.lines.join(' ').toLowerCase().replaceAll(mailbox.toLowerCase(), '');
  return reply.code >= 500 && !said.includes('@');
}

/** How many were forgotten: one, unless somebody waits at each. */
function forgetOne(domains: Map<string, DomainNotes>): number {
  for (const [name, notes] of domains) {
    if (notes.waiting > 0) continue;
    domains.delete(name);
    return 1;
  }
  return 0;
}

function sentenceOf({ sentences }: DomainNotes, like: readonly string[]): Sentence | null {
  const known = sentences.find((sentence) => like.some((one) => sentence.like.includes(one)));
  if (known !== undefined) return known;
  if (sentences.length >= SENTENCES_MAX) return null;
  const sentence = { like: like.map(detached), looks: 0, saysNothingUntilMs: 0 };
  sentences.push(sentence);
  return sentence;
}

/** The answer as the comparison has made it: about the mailbox. Nobody else is named in it. */
export function comparedAnswer({ held, looks }: Candidate): Answer {
  const { answer } = held;
  const again =
    looks === 0
      ? 'found so a while ago'
      : `asked ${looks * REFUSED_PER_LOOK} times more in ${looks} sessions, between ${looks * TAKEN_PER_LOOK} questions about others`;
  const text = `compared: ${again}; refused alike every time, while others of the domain were taken every time`;
  return {
    ...answer,
    meaning: 'no_mailbox',
    detail: 'no_such_mailbox',
    rule: `compared: refused in words that this host has for no other recipient of the domain it was asked about in the same sessions (${answer.rule})`,
    dialogue: answer.dialogue.length === 0 ? [] : [...answer.dialogue, { atMs: 0, from: 'note', text }],
  };
}
