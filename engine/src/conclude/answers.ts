// What an answer about a recipient leads to: it waits until its domain is understood, is compared with others, is asked
// with more addresses, or is concluded. Promise: every answer ends in exactly one of these; a domain is probed as often
// as knowledge asks for and never twice at a time; nothing new is asked once the checker closes.
//
//   answer ─┬─ says something about the mailbox ─▶ domain understood? ─┬─ yes ──────────────▶ conclude
//           │                                                          └─ no ─▶ probe, wait ─▶ conclude
//           ├─ no IPv4 address can be reached ──▶ asked again with IPv6
//           ├─ refused vaguely ─▶ compared with others (compare.ts) ───────────▶ conclude
//           └─ anything else ──────────────────────────────────────────────────▶ conclude
import type { AddressCheck, CheckAnswers } from '../asking/address-check.ts';
import type { DomainState } from '../asking/domain-book.ts';
import type { Guessing } from '../asking/guessing.ts';
import { disbelieved } from '../dns/domain-facts.ts';
import type { Holder } from '../pace/fair-share.ts';
import type { Need } from '../smtp/knowledge/domain-knowledge.ts';
import type { HostHabits } from '../smtp/knowledge/host-habits.ts';
import { ProbeTask, probeWords } from '../smtp/knowledge/probe-task.ts';
import type { Answer, Task } from '../smtp/session/task.ts';
import type { Clock } from '../types.ts';
import { saysItExists } from '../verdict/verdict.ts';
import { Compare } from './compare.ts';
import type { Conclude } from './conclude.ts';
import { NO_DNS } from './unasked.ts';

export interface AnswersOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly probeRandom: (domain: string) => () => number;
  readonly conclude: Conclude;
  readonly habits: HostHabits;
  readonly guessing: Guessing;
  /** This list asks this domain no further. */
  readonly stopAsking: (lot: number, domain: DomainState) => void;
  /** Queues what is asked for the domain's sake; `alone`: in a session of its own. */
  readonly enqueue: (tasks: readonly Task[], alone: boolean) => void;
  /** Asks again once the domain's IPv6 addresses are known. */
  readonly askWidened: (addressCheck: AddressCheck) => void;
}

/** Asks what is wanted when those who wanted it are gone. */
const NOBODY: Holder = '';

export class Answers implements CheckAnswers {
  readonly #options: AnswersOptions;
  readonly #compare: Compare;
  #isClosing = false;

  constructor(options: AnswersOptions) {
    this.#options = options;
    const { clock, random, conclude } = options;
    this.#compare = new Compare({ clock, random, conclude, ask: (tasks) => this.#ask(tasks, true) });
  }

  /** From here on nothing new is asked. */
  close(): void {
    this.#isClosing = true;
  }

  /** Free providers are exempt: of an old list they know fewer than anybody else. */
  heard({ round, lot, domain }: AddressCheck, { meaning }: Answer): void {
    if (round.single || domain.free || (meaning !== 'no_mailbox' && !saysItExists(meaning))) return;
    if (this.#options.guessing.note(lot, domain, meaning === 'no_mailbox'))
      this.#options.stopAsking(lot, domain);
  }

  told(addressCheck: AddressCheck, answer: Answer): void {
    const { domain } = addressCheck;
    const { knowledge } = domain;
    addressCheck.leaveQueue();
    if (domain.trust.state === 'broken') {
      // The host that answered may be anybody's: its name was made up.
      const facts = disbelieved(domain.facts);
      this.#options.conclude.byAnswer(addressCheck, { ...domain, facts }, NO_DNS, false);
      return;
    }
    const nowMs = this.#options.clock.now();
    this.#options.habits.note(domain, answer, 'real', nowMs);
    if (answer.meaning === 'accepted' && answer.ip !== null) this.#compare.took(addressCheck, answer.ip);
    const acceptedBefore = knowledge.acceptedBy(answer.ip);
    if (isAboutMailbox(answer)) this.#understand(addressCheck, answer, nowMs);
    else this.#failed(addressCheck, answer, nowMs);
    // The last answer of a domain frees what waited for it, as a host's first acceptance frees its refusals.
    if (knowledge.holding && (knowledge.open === 0 || knowledge.acceptedBy(answer.ip) !== acceptedBefore))
      this.#settle(domain, addressCheck.holder);
    this.#compare.goOn(domain.name);
  }

  /** Recipients of these domains were handed back; others may have waited for their answers. */
  withdrawn(domains: Iterable<DomainState>): void {
    for (const domain of domains)
      if (domain.knowledge.open === 0 && domain.knowledge.holding) this.#settle(domain, NOBODY);
    if (!this.#isClosing) this.#compare.goOn();
  }

  /** The impossible recipient is asked after the first real one of its domain. */
  probeBehind(domain: DomainState, holder: Holder): Task | null {
    if (this.#isClosing) return null;
    const need = domain.knowledge.wantsProbe(this.#options.clock.now());
    return need === 'impossible' ? this.#probeTask(domain, 'impossible', holder, null) : null;
  }

  /** For recipients that were accepted before: they come back because their domain is not understood. */
  probeFor(domain: DomainState, holder: Holder): void {
    this.#probe(domain, domain.knowledge.wantsProbe(this.#options.clock.now()), holder);
  }

  #understand(addressCheck: AddressCheck, answer: Answer, nowMs: number): void {
    const { domain } = addressCheck;
    const next = domain.knowledge.hold({ task: addressCheck, answer }, nowMs);
    if (next === 'ready' || next === 'refuses_all')
      this.#options.conclude.byAnswer(addressCheck, domain, answer, next === 'refuses_all', nowMs);
    else this.#probe(domain, next, addressCheck.holder);
  }

  #failed(addressCheck: AddressCheck, answer: Answer, nowMs: number): void {
    const { domain } = addressCheck;
    if (!answer.connected && !domain.facts.isWhole && !this.#isClosing) {
      // While it waits it can be handed back, as before it was asked.
      addressCheck.onWire = false;
      this.#options.askWidened(addressCheck);
      return;
    }
    const mayCompare = answer.clarity === 'vague' && !this.#isClosing;
    if (mayCompare && this.#compare.keeps(addressCheck, answer, nowMs)) return;
    this.#options.conclude.failed(addressCheck, domain, answer);
  }

  #settle(domain: DomainState, holder: Holder): void {
    const nowMs = this.#options.clock.now();
    const { ready, need } = domain.knowledge.settle(nowMs);
    for (const { held, refusesAll } of ready)
      this.#options.conclude.byAnswer(held.task, domain, held.answer, refusesAll, nowMs);
    this.#probe(domain, need, holder);
  }

  #probe(domain: DomainState, need: Need | 'wait', holder: Holder): void {
    if (need === 'nothing' || need === 'wait' || domain.knowledge.probing || this.#isClosing) return;
    const task =
      need === 'postmaster'
        ? this.#probeTask(domain, 'postmaster', holder, domain.knowledge.doubtful)
        : this.#probeTask(domain, 'impossible', holder, null);
    this.#ask([task], need === 'impossible_alone');
  }

  #probeTask(
    domain: DomainState,
    kind: 'impossible' | 'postmaster',
    holder: Holder,
    ip: string | null,
  ): Task {
    const { clock, habits, probeRandom } = this.#options;
    domain.knowledge.probing = true;
    const told = (task: Task, answer: Answer) => {
      const nowMs = clock.now();
      habits.note(domain, answer, kind, nowMs);
      if (kind === 'impossible') domain.knowledge.probed(task, answer, nowMs, probeWords(task, answer));
      else domain.knowledge.postmasterAsked(task, answer, ip);
      this.#settle(domain, holder);
      this.#compare.goOn(domain.name);
    };
    return new ProbeTask(kind, domain, holder, probeRandom(domain.name), told, ip);
  }

  #ask(tasks: readonly Task[], alone: boolean): void {
    if (!this.#isClosing) this.#options.enqueue(tasks, alone);
  }
}

/** It can be a verdict, once the domain is known to tell its recipients apart. */
function isAboutMailbox({ meaning, temporary, reply }: Answer): boolean {
  if (reply === null) return false;
  return meaning === 'no_mailbox' || saysItExists(meaning) || (meaning === 'over_quota' && !temporary);
}
