// One question that the engine works on, and the round it belongs to. Promise: exactly one outcome, whatever happens;
// an abort returns at once what has not been sent.

import type { Holder } from '../pace/fair-share.ts';
import type { Answer, Task } from '../smtp/session/task.ts';
import type { Address, Outcome, Question } from '../types.ts';
import type { DomainState } from './domain-book.ts';

export interface Round {
  readonly questions: readonly Question[];
  readonly single: boolean;
  /** Who is charged for what it shares with others. */
  readonly holder: Holder;
  readonly lot: number;
  /** No more `later`: whatever is known now is final. */
  readonly last: boolean;
  /** Makes an outcome of what its checks are told. */
  readonly answers: CheckAnswers;
  readonly onOutcome: (index: number, outcome: Outcome) => void;
  left: number;
  finished: () => void;
}

export interface CheckAnswers {
  /** At once, before it is known whether it counts. */
  heard(addressCheck: AddressCheck, answer: Answer): void;
  told(addressCheck: AddressCheck, answer: Answer): void;
  probeBehind(domain: DomainState, holder: Holder): Task | null;
}

/** A real recipient. The shape is fixed and small: there may be a hundred thousand of them. */
export class AddressCheck implements Task {
  readonly round: Round;
  readonly index: number;
  readonly address: Address;
  drops = 0;
  sendersRefused = 0;
  hostAnswersBefore = 0;
  onWire = false;
  withdrawn = false;
  done = false;
  /** In the dispatcher's hands, and counted among its domain's open ones. */
  queued = false;
  #domain: DomainState | null = null;

  constructor(round: Round, index: number, address: Address) {
    this.round = round;
    this.index = index;
    this.address = address;
  }

  get kind(): 'real' {
    return 'real';
  }

  get single(): boolean {
    return this.round.single;
  }

  /** A caller waits for this very attempt. */
  get isWaitedFor(): boolean {
    return this.round.single && this.question.resume === undefined;
  }

  get holder(): Holder {
    return this.round.holder;
  }

  get lot(): number {
    return this.round.lot;
  }

  get boundSource(): string | null {
    return this.question.resume?.source ?? null;
  }

  get boundSender(): string | null {
    return this.question.resume?.mailFrom ?? null;
  }

  get question(): Question {
    const question = this.round.questions[this.index];
    if (question === undefined) throw new Error('an address check is about a question of its round');
    return question;
  }

  get domain(): DomainState {
    if (this.#domain === null) throw new Error('an address check is asked only once its domain is known');
    return this.#domain;
  }

  set domain(domain: DomainState) {
    this.#domain = domain;
  }

  probeBehind(): Task | null {
    return this.round.answers.probeBehind(this.domain, this.round.holder);
  }

  /** No verdict is given before it is known whether DNS can be believed. */
  told(answer: Answer): void {
    const { trust } = this.domain;
    const { answers } = this.round;
    answers.heard(this, answer);
    // Without a reply about the recipient there is no verdict that DNS could have misled.
    if (trust.state === 'waiting' && answer.reply !== null) trust.wait(() => answers.told(this, answer));
    else answers.told(this, answer);
  }

  leaveQueue(): void {
    if (!this.queued) return;
    this.queued = false;
    this.domain.knowledge.open -= 1;
  }

  finish(outcome: Outcome): void {
    if (this.done) return;
    this.done = true;
    tell(this.round, this.index, outcome);
  }
}

export function tell(round: Round, index: number, outcome: Outcome): void {
  round.onOutcome(index, outcome);
  round.left -= 1;
  if (round.left === 0) round.finished();
}
