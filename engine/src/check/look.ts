// One look at a refusal: the refused one and others of its domain whom the host takes, asked in turn in one session and
// to one sender. Decides, touches nothing. Promise: clean only if every question was answered in the order it was put,
// the refused one with its own sentence each time, the others taken each time.

import { signaturesOf } from './reply-signatures.ts';
import type { Answer } from './state/answer.ts';
import type { Task } from './state/task.ts';

/** x: the refused one; c: one that is taken. */
export type Slot = 'x' | 'c';

/**
 * No host that goes by order, number or pace refuses just the x's: its refusals come in runs of one length, or singly,
 * or up to or from a point on; here they come as a pair and alone, between two taken or more, with one taken at either
 * end. Eight questions are one flight everywhere, also where a session bears nine resets or nine refusals.
 */
const PATTERNS: readonly (readonly string[])[] = [
  ['cxxccxcc', 'cxxcccxc', 'ccxxccxc'],
  ['ccxccxxc', 'cxcccxxc', 'cxccxxcc'],
];
export const REFUSED_PER_LOOK = 3;
export const TAKEN_PER_LOOK = 5;

/** Contradicted: it was taken, or the others were not. Unheard: a line broke, somebody was put off, a session was split. */
export type LookOutcome = 'clean' | 'contradicted' | 'unheard';

/** `turn`: whose is the pair, the early x or the late one; looks take turns. */
export function arrange(turn: number, random: () => number): readonly Slot[] {
  const patterns = PATTERNS[turn % PATTERNS.length] ?? [];
  const pattern = patterns[Math.floor(random() * patterns.length)] ?? '';
  return [...pattern] as Slot[];
}

export class Look {
  readonly slots: readonly Slot[];
  /** The answer that is looked into, and its sentence. */
  readonly #first: Answer;
  readonly #like: readonly string[];
  #session: Answer['session'] | null = null;
  #heard = 0;
  #outcome: LookOutcome | null = null;

  constructor(slots: readonly Slot[], first: Answer, like: readonly string[]) {
    this.slots = slots;
    this.#first = first;
    this.#like = like;
  }

  /** Null while there is more to hear. */
  hear(at: number, task: Pick<Task, 'address'>, answer: Answer): LookOutcome | null {
    this.#outcome ??= this.#judge(at, task, answer);
    return this.#outcome;
  }

  #judge(at: number, task: Pick<Task, 'address'>, answer: Answer): LookOutcome | null {
    const { reply } = answer;
    const isInOrder = at === this.#heard;
    this.#heard += 1;
    this.#session ??= answer.session;
    if (reply === null || !isInOrder || !this.#isAskedAlike(answer)) return 'unheard';
    if (this.slots[at] === 'c' && answer.meaning !== 'accepted')
      return reply.code >= 500 ? 'contradicted' : 'unheard';
    if (this.slots[at] === 'x') {
      if (answer.meaning === 'accepted') return 'contradicted';
      if (!signaturesOf(reply, task.address).some((one) => this.#like.includes(one))) return 'unheard';
    }
    return this.#heard === this.slots.length ? 'clean' : null;
  }

  #isAskedAlike({ session, ip, source, sender }: Answer): boolean {
    const first = this.#first;
    return session === this.#session && ip === first.ip && source === first.source && sender === first.sender;
  }
}
