// One look at a refusal: the refused recipient and others of its domain that the host accepts, asked alternately in one
// session with one sender. Decides, touches nothing. Promise: clean only if every question was answered in order, the
// refused recipient with the same sentence each time, the others accepted each time.

import type { Answer } from '../state/answer.ts';
import type { Task } from '../state/task.ts';
import { signaturesOf } from './reply-signatures.ts';

/** x: the refused recipient; c: a control, which the host accepts. */
export type Slot = 'x' | 'c';

/**
 * A host that refuses by order, number or rate cannot refuse exactly the x's: its refusals come in runs of one length,
 * singly, or up to or from a point on. Here they come as a pair and alone, with at least two controls between them and one
 * at either end. Eight questions fit into one flight, also where a session is allowed nine resets or nine refusals.
 */
const PATTERNS: readonly (readonly string[])[] = [
  ['cxxccxcc', 'cxxcccxc', 'ccxxccxc'],
  ['ccxccxxc', 'cxcccxxc', 'cxccxxcc'],
];
export const REFUSED_PER_LOOK = 3;
export const ACCEPTED_PER_LOOK = 5;

/**
 * Contradicted: x was accepted, or a control was not. Unheard: the connection dropped, a recipient was deferred, or the
 * look was split over two sessions.
 */
export type LookOutcome = 'clean' | 'contradicted' | 'unheard';

/** `turn`: even or odd decides whether the pair of x's comes first; looks alternate. */
export function arrange(turn: number, random: () => number): readonly Slot[] {
  const patterns = PATTERNS[turn % PATTERNS.length] ?? [];
  const pattern = patterns[Math.floor(random() * patterns.length)] ?? '';
  return [...pattern] as Slot[];
}

export class Look {
  readonly slots: readonly Slot[];
  /** The answer under comparison, and its sentence. */
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
