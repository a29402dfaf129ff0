// Moves every address check from state to state: gathers what `advance` needs to decide, and does what the state it
// decides for asks for. Promise: an event leaves a check in a state that waits for something, or is over; a
// domain is probed as often as its knowledge asks for and never twice at a time; nothing new is asked once the checker
// closes.

import type { Holder } from '@mxproof/common/fair-share';
import { disbelieved } from '../dns/domain-facts.ts';
import { isAboutMailbox, mayHappen, networkOf } from '../state/advance.ts';
import type { Answer } from '../state/answer.ts';
import type { CheckEvent, CheckState, Circumstances, Network } from '../state/check-state.ts';
import type { Task } from '../state/task.ts';
import type { Clock } from '../types.ts';
import { type AddressCheck, type CheckDriver, stillOpen } from './address-check.ts';
import { ComparisonLooks } from './comparison-looks.ts';
import type { DomainState } from './domain-cache.ts';
import type { AnswerStatus, Need } from './domain-knowledge.ts';
import { type Asker, type GuessDetector, isUnknown } from './guess-detector.ts';
import type { HostHabits } from './host-habits.ts';
import type { NetworkHealth } from './network-health.ts';
import type { OutcomeReporter } from './outcome-reporter.ts';
import { ProbeTask, probeWords } from './probe-task.ts';
import { NO_DNS } from './unasked.ts';
import { networkKey, type WaitingIndex } from './waiting-index.ts';

export interface AddressChecksOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly probeRandom: (domain: string) => () => number;
  readonly waiting: WaitingIndex<AddressCheck>;
  readonly reporter: OutcomeReporter;
  readonly habits: HostHabits;
  readonly guessing: GuessDetector;
  readonly networkHealth: NetworkHealth;
  /** This domain is asked no further on this account's behalf. */
  readonly stopAsking: (asker: Asker, domain: DomainState) => void;
  /** This domain has lapsed: those of its addresses that are not on the wire are not asked about. */
  readonly concludeLapsed: (domain: DomainState) => void;
  /** Queues what is asked for the domain's sake; `alone`: in a session of its own. */
  readonly enqueue: (tasks: readonly Task[], alone: boolean) => void;
  /** Looks its domain up again, with IPv6 addresses. */
  readonly widen: (check: AddressCheck) => void;
}

/** Charged for probes whose addresses are all concluded. */
const NO_HOLDER: Holder = '';

type LearntEvent = Extract<CheckEvent, { kind: 'learnt' }>;
const READY: LearntEvent = { kind: 'learnt', domain: 'ready' };
const REFUSES_ALL: LearntEvent = { kind: 'learnt', domain: 'refuses_all' };

export class AddressChecks implements CheckDriver {
  readonly #options: AddressChecksOptions;
  readonly #looks: ComparisonLooks;
  #isClosing = false;

  constructor(options: AddressChecksOptions) {
    this.#options = options;
    const { clock, random, waiting } = options;
    const go = (check: AddressCheck, event: CheckEvent) => this.go(check, event);
    this.#looks = new ComparisonLooks({
      clock,
      random,
      waiting,
      go,
      ask: (tasks) => this.#ask(tasks, true),
    });
  }

  /** From here on nothing new is asked. */
  close(): void {
    this.#isClosing = true;
  }

  moved(check: AddressCheck, before: CheckState): void {
    this.#options.waiting.moved(check, before);
  }

  /** Moves the check on, and does what its next state asks for. */
  go(check: AddressCheck, event: CheckEvent): void {
    const state = check.move(event);
    switch (state.at) {
      case 'heard':
        this.#hear(check, state.answer);
        return;
      case 'concluding':
        this.#options.reporter.reportAnswer(check, state);
        return;
      case 'network':
        this.#options.networkHealth.doubt(state.what);
        return;
      case 'dns':
        this.#options.widen(check);
        return;
      case 'queued':
      case 'sent':
      case 'unsealed':
      case 'answered':
      case 'dns_trust':
      case 'catch_all':
      case 'comparison':
      case 'later':
      case 'done':
        return;
      default:
        state satisfies never;
    }
  }

  /** No verdict is given before it is known whether DNS can be believed. */
  told(check: AddressCheck, answer: Answer): void {
    this.#countGuesses(check, answer);
    const { trust } = check.domain;
    if (trust.state === 'broken') disbelieve(check);
    this.go(check, { kind: 'told', answer, trust, is: trust.state, broken: NO_DNS });
  }

  /** Whether the DNS answer was invented is known now. */
  trustSettled({ trust }: DomainState): void {
    const { state } = trust;
    if (state === 'waiting') return;
    for (const check of stillOpen(this.#options.waiting.at(trust))) {
      if (state === 'broken') disbelieve(check);
      this.go(check, { kind: 'trust_settled', is: state, broken: NO_DNS });
    }
  }

  /** Concludes the checks in doubt: it is known, or never will be, whether the failure was our network's. */
  judge(what: Network): void {
    for (const check of stillOpen(this.#options.waiting.at(networkKey(what))))
      this.go(check, { kind: 'judged' });
  }

  circumstancesOf({ round, question }: AddressCheck, answer: Answer): Circumstances {
    return {
      single: round.single,
      last: round.last,
      wasDoubted: question.resume?.doubted === true,
      mayBeOurs: this.#options.networkHealth.mayBeOurs(networkOf(answer), round.holder),
    };
  }

  /** Hands back what is neither on the wire nor answered; the rest gets its outcome when it is known. */
  withdraw(checks: readonly AddressCheck[]): void {
    const left = new Set<DomainState>();
    const withdrawn = new Set<string>();
    for (const check of checks) {
      if (!mayHappen(check.state, 'withdrawn')) continue;
      if (check.state.at === 'queued') left.add(check.domain);
      withdrawn.add(check.address.domain);
      check.move({ kind: 'withdrawn' });
      check.tell({ kind: 'unasked' });
    }
    // Others of these domains may have waited for their answers.
    for (const domain of left)
      if (domain.knowledge.open === 0 && this.#options.waiting.has(domain.knowledge))
        this.#settle(domain, NO_HOLDER);
    if (!this.#isClosing) this.#looks.goOnEverywhere(withdrawn);
  }

  /** The catch-all probe is asked behind the first real recipient of its domain. */
  probeBehind(domain: DomainState, holder: Holder): Task | null {
    if (this.#isClosing) return null;
    const need = domain.knowledge.wantsProbe(this.#options.clock.now());
    return need === 'catch_all' ? this.#probeTask(domain, 'catch_all', holder, null) : null;
  }

  /** For recipients that were accepted before: they come back because their domain is not understood. */
  probeFor(domain: DomainState, holder: Holder): void {
    this.#probe(domain, domain.knowledge.wantsProbe(this.#options.clock.now()), holder);
  }

  #countGuesses({ round: { asker }, domain }: AddressCheck, { meaning }: Answer): void {
    const is = isUnknown(domain, meaning);
    if (is !== null && this.#options.guessing.note(asker, domain, is))
      this.#options.stopAsking(asker, domain);
  }

  #hear(check: AddressCheck, answer: Answer): void {
    const { domain, address, holder } = check;
    const { knowledge } = domain;
    const { clock, habits, waiting } = this.#options;
    const nowMs = clock.now();
    habits.note(domain, answer, 'real', nowMs);
    if (answer.meaning === 'accepted' && answer.ip !== null) this.#looks.accepted(check, answer.ip);
    const acceptedBefore = knowledge.refuseAll.acceptedBy(answer.ip);
    let standing: AnswerStatus | null = null;
    if (isAboutMailbox(answer)) {
      knowledge.learn(address, answer);
      standing = knowledge.standing(address, answer, nowMs);
    }
    this.go(check, this.#learnt(check, answer, standing, nowMs));
    if (standing === null && knowledge.hasLapsed(answer, domain.facts.targets, nowMs))
      this.#options.concludeLapsed(domain);
    if (standing !== null) this.#probe(domain, needOf(standing), holder);
    // The last answer of a domain frees what waited for it, as a host's first acceptance frees its refusals.
    const isLast = knowledge.open === 0;
    if ((isLast || knowledge.refuseAll.acceptedBy(answer.ip) !== acceptedBefore) && waiting.has(knowledge))
      this.#settle(domain, holder);
    this.#looks.goOn(domain.name);
  }

  #learnt(check: AddressCheck, answer: Answer, standing: AnswerStatus | null, nowMs: number): LearntEvent {
    switch (standing) {
      case 'ready':
        return READY;
      case 'refuses_all':
        return REFUSES_ALL;
      case 'wait':
      case 'catch_all_alone':
      case 'postmaster':
        return { kind: 'learnt', domain: 'wait', knowledge: check.domain.knowledge };
      case null: {
        const mayCompare = answer.clarity === 'vague' && !this.#isClosing;
        return {
          kind: 'learnt',
          domain: null,
          mayWiden: !check.domain.facts.isWhole && !this.#isClosing,
          vague: mayCompare ? this.#looks.begin(check, answer, nowMs) : null,
          of: this.circumstancesOf(check, answer),
        };
      }
      default:
        return standing satisfies never;
    }
  }

  /** Advances the checks whose answers are understood now, and sends the probes the others still need. */
  #settle(domain: DomainState, holder: Holder): void {
    const { clock, waiting } = this.#options;
    const { knowledge } = domain;
    const nowMs = clock.now();
    const understood: [AddressCheck, 'ready' | 'refuses_all'][] = [];
    let need: Need = 'nothing';
    for (const check of waiting.at(knowledge)) {
      if (check.state.at !== 'catch_all') continue;
      const standing = knowledge.standing(check.address, check.state.answer, nowMs);
      if (standing === 'ready' || standing === 'refuses_all') understood.push([check, standing]);
      else if (standing !== 'wait') need = standing;
    }
    if (knowledge.probing) need = 'nothing';
    for (const [check, as] of understood) if (!check.isOver) this.go(check, { kind: 'understood', as });
    this.#probe(domain, need, holder);
  }

  #probe(domain: DomainState, need: Need, holder: Holder): void {
    const { knowledge } = domain;
    if (need === 'nothing' || knowledge.probing || this.#isClosing) return;
    const task =
      need === 'postmaster'
        ? this.#probeTask(domain, 'postmaster', holder, this.#needsPostmasterAt(domain))
        : this.#probeTask(domain, 'catch_all', holder, null);
    this.#ask([task], need === 'catch_all_alone');
  }

  #needsPostmasterAt({ knowledge }: DomainState): string | null {
    const answers = this.#options.waiting
      .at(knowledge)
      .flatMap(({ state }) => (state.at === 'catch_all' ? [state.answer] : []));
    return knowledge.refuseAll.needsPostmasterAt(answers);
  }

  #probeTask(domain: DomainState, kind: 'catch_all' | 'postmaster', holder: Holder, ip: string | null): Task {
    const { clock, habits, probeRandom } = this.#options;
    const { knowledge } = domain;
    knowledge.probing = true;
    const told = (task: Task, answer: Answer) => {
      const nowMs = clock.now();
      habits.note(domain, answer, kind, nowMs);
      if (kind === 'catch_all') knowledge.probed(task.address, answer, nowMs, probeWords(task, answer));
      else knowledge.postmasterAsked(task.address, answer, ip);
      this.#settle(domain, holder);
      this.#looks.goOn(domain.name);
    };
    return new ProbeTask(kind, domain, holder, probeRandom(domain.name), told, ip);
  }

  #ask(tasks: readonly Task[], alone: boolean): void {
    if (!this.#isClosing) this.#options.enqueue(tasks, alone);
  }
}

function needOf(standing: AnswerStatus): Need {
  return standing === 'catch_all_alone' || standing === 'postmaster' ? standing : 'nothing';
}

/** The DNS answer was invented, so the host that replied need not be the domain's. */
function disbelieve(check: AddressCheck): void {
  const { domain } = check;
  check.domain = { ...domain, facts: disbelieved(domain.facts) };
}
