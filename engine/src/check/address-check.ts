// One address that the engine checks, and the round it belongs to. Promise: exactly one outcome, whatever happens; where
// it is, its state says (state/advance.ts).

import type { Holder } from '@mxproof/common/fair-share';
import { invariant } from '@mxproof/common/invariant';
import type { Answer } from '../state/answer.ts';
import type { CheckEvent, CheckState, StateName } from '../state/check-state.ts';
import { Task } from '../state/task.ts';
import type { Address, Outcome, Question } from '../types.ts';
import type { DomainState } from './domain-cache.ts';
import type { Asker } from './guess-detector.ts';

export interface Round {
  readonly questions: readonly Question[];
  readonly single: boolean;
  /** Charged for what the check uses of shared resources. */
  readonly holder: Holder;
  readonly lot: number;
  /** Whose guesses are counted together. */
  readonly asker: Asker;
  /** No more `later`: what is known now becomes final. */
  readonly last: boolean;
  /** Drives its checks. */
  readonly checks: CheckDriver;
  readonly onOutcome: (index: number, outcome: Outcome) => void;
  left: number;
  finished: () => void;
}

export interface CheckDriver {
  moved(check: AddressCheck, before: CheckState): void;
  told(check: AddressCheck, answer: Answer): void;
  probeBehind(domain: DomainState, holder: Holder): Task | null;
}

const START: CheckState = { at: 'dns', lookup: null };

/** Counted among the open recipients of its domain. */
const IS_OPEN: Readonly<Record<StateName, boolean>> = {
  dns: false,
  queued: true,
  sent: true,
  unsealed: true,
  answered: true,
  dns_trust: true,
  heard: false,
  catch_all: false,
  comparison: false,
  network: false,
  concluding: false,
  later: false,
  done: false,
};

export class AddressCheck extends Task {
  readonly round: Round;
  readonly index: number;
  readonly address: Address;
  #domain: DomainState | null = null;

  constructor(round: Round, index: number, address: Address) {
    super(START);
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

  /** Null while it is not looked up. */
  get knownDomain(): DomainState | null {
    return this.#domain;
  }

  override move(event: CheckEvent): CheckState {
    const before = this.state;
    const after = super.move(event);
    if (after === before) return after;
    if (IS_OPEN[before.at] && !IS_OPEN[after.at]) this.domain.knowledge.left();
    this.round.checks.moved(this, before);
    return after;
  }

  /** Its outcome was reported. */
  get isOver(): boolean {
    return this.state.at === 'done' || this.state.at === 'later';
  }

  probeBehind(): Task | null {
    return this.round.checks.probeBehind(this.domain, this.round.holder);
  }

  told(answer: Answer): void {
    this.round.checks.told(this, answer);
  }

  tell(outcome: Outcome): void {
    tell(this.round, this.index, outcome);
  }
}

/** Skips checks that have ended meanwhile: an outcome may lead its caller to abort, which hands back others. */
export function* stillOpen(checks: readonly AddressCheck[]): Generator<AddressCheck, void, void> {
  for (const check of checks) if (!check.isOver) yield check;
}

export function tell(round: Round, index: number, outcome: Outcome): void {
  round.onOutcome(index, outcome);
  round.left -= 1;
  invariant(round.left >= 0, 'more outcomes are told than addresses were asked about');
  if (round.left === 0) round.finished();
}
