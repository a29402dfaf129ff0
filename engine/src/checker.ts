// Addresses in, findings out: the order in which the rooms are asked. Promise: every question gets exactly one
// outcome; nothing is connected to that DNS and policy did not allow; closing leaves no socket and no timer.
//
//   parse ─ invalid, a domain without a dot ──────▶ final
//     └ DNS ─ cannot receive, throwaway, never ───▶ final
//         ├ error ───────────────────────────────▶ final or later
//         └ dispatcher ─ answer ─ domain understood? ─▶ final or later
//             ▲  ▲         │      └ impossible recipient, postmaster ┐
//             │  └─────────┼─────────────────────────────────────────┘
//             ├ with IPv6 ─┤ no IPv4 address can be reached
//             └ look ──────┘ refused vaguely, where others are taken (compare.ts)
import { isIPv6 } from 'node:net';
import { parseAddress } from './address/parse-address.ts';
import { AddressCheck, type Round, tell } from './asking/address-check.ts';
import { DomainBook, type DomainState } from './asking/domain-book.ts';
import { NetworkHealth } from './asking/network-health.ts';
import { CheckAll } from './check-all.ts';
import { type CheckerOptions, type ResolvedOptions, resolveOptions } from './checker-options.ts';
import { Compare } from './compare.ts';
import { Conclude } from './conclude/conclude.ts';
import { NO_CONNECTION, NO_DNS } from './conclude/unasked.ts';
import { DnsCache } from './dns/dns-cache.ts';
import { DnsGuard } from './dns/dns-guard.ts';
import { disbelieved } from './dns/domain-facts.ts';
import { isDotless } from './domain/dotless.ts';
import { isThrowaway } from './domain/throwaway.ts';
import { holderOf } from './pace/fair-share.ts';
import { isNeverAsked } from './policy/policy.ts';
import { Dispatcher } from './smtp/dispatch/dispatcher.ts';
import type { Need } from './smtp/knowledge/domain-knowledge.ts';
import { Egress } from './smtp/knowledge/egress.ts';
import { HostHabits } from './smtp/knowledge/host-habits.ts';
import { ProbeTask, probeWords } from './smtp/knowledge/probe-task.ts';
import type { Answer, Task } from './smtp/session/task.ts';
import type { AskOptions, Checker, Finding, Question } from './types.ts';
import { readReply } from './verdict/read-reply.ts';
import { saysItExists } from './verdict/verdict.ts';

const DEFAULT_GRACE_MS = 5_000;

export function createChecker(options: CheckerOptions = {}): Checker {
  return new AddressChecker(resolveOptions(options));
}

class AddressChecker implements Checker {
  readonly #options: ResolvedOptions;
  readonly #guard: DnsGuard;
  readonly #book: DomainBook;
  readonly #dispatcher: Dispatcher;
  readonly #networkHealth: NetworkHealth;
  readonly #habits = new HostHabits();
  readonly #conclude: Conclude;
  readonly #compare: Compare;
  /** Waiting for DNS; what waits for a connection is in the dispatcher's queues. */
  readonly #open = new Set<AddressCheck[]>();
  /** Of lists, by the domain they wait for: whatever comes until it is known is asked about together. */
  readonly #awaited = new Map<string, AddressCheck[]>();
  readonly #running = new Set<CheckAll>();
  #closing = false;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    const { clock, random } = options;
    this.#networkHealth = new NetworkHealth(clock, options.log);
    this.#conclude = new Conclude(options, this.#networkHealth, this.#habits);
    const now = () => clock.now();
    const { resolver, dnsSentinels: sentinels, log } = options;
    const guard = new DnsGuard({ resolver, sentinels, clock, random, log });
    this.#guard = guard;
    const dns = new DnsCache({ resolver, now, unknownTtlMs: options.dnsTtlMs, belief: guard });
    const { allowPrivateTargets, sources } = options;
    const speaksIpv6 = sources.some(({ ip }) => isIPv6(ip ?? ''));
    this.#book = new DomainBook({ dns, guard, allowPrivateTargets, random, speaksIpv6 }, now);
    this.#dispatcher = new Dispatcher(
      {
        ...options,
        readReply,
        probeBehind: (task) => this.#probeBehind(task),
        reached: (whom, ok) => this.#networkHealth.note('smtp', whom, ok),
      },
      new Egress(options.sources),
    );
    const ask = (tasks: readonly Task[]) => {
      if (!this.#closing) this.#dispatcher.enqueueAll(tasks, true);
    };
    this.#compare = new Compare({ clock, random, ask, conclude: this.#conclude });
  }

  get reachable(): boolean {
    return this.#networkHealth.ok;
  }

  get dnsTrusted(): boolean {
    return this.#guard.trusted;
  }

  get isMakingWay(): boolean {
    return this.#options.loopBudget.isMakingWay;
  }

  makeWay(): () => void {
    return this.#options.loopBudget.makeWay();
  }

  async check(email: string): Promise<Finding> {
    for await (const finding of this.#all([email], true)) return finding;
    throw new Error('the checker is closed');
  }

  checkAll(emails: Iterable<string> | AsyncIterable<string>): AsyncIterable<Finding> {
    return this.#all(emails, false);
  }

  #all(emails: Iterable<string> | AsyncIterable<string>, single: boolean): AsyncIterable<Finding> {
    const { clock, retrySeconds } = this.#options;
    const ask = (
      questions: readonly Question[],
      last: boolean,
      signal: AbortSignal,
      tellOne: AskOptions['onOutcome'],
    ) => this.#ask(questions, { priority: single ? 'single' : 'list', signal, onOutcome: tellOne }, last);
    const patienceMs = retrySeconds.reduce((sum, s) => sum + s * 1000, 0);
    return new CheckAll(emails, { ask, clock, patienceMs, running: this.#running });
  }

  ask(questions: readonly Question[], options: AskOptions): Promise<void> {
    return this.#ask(questions, options, false);
  }

  #ask(questions: readonly Question[], options: AskOptions, last: boolean): Promise<void> {
    if (questions.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const open: AddressCheck[] = [];
      const { signal } = options;
      const handBack = () => this.#withdraw(open);
      const noHurry = options.priority === 'single' ? this.makeWay() : null;
      const round: Round = {
        questions,
        single: options.priority === 'single',
        holder: holderOf(options.account ?? 0, options.priority === 'single'),
        lot: options.lot ?? 0,
        last,
        answered: (task, answer) => this.#answered(task as AddressCheck, answer),
        left: questions.length,
        onOutcome: options.onOutcome,
        finished: () => {
          signal?.removeEventListener('abort', handBack);
          this.#open.delete(open);
          noHurry?.();
          resolve();
        },
      };
      this.#open.add(open);
      signal?.addEventListener('abort', handBack, { once: true });
      this.#begin(round, open);
      if (signal?.aborted === true) handBack();
    });
  }

  #begin(round: Round, open: AddressCheck[]): void {
    const byDomain = new Map<string, AddressCheck[]>();
    let index = -1;
    for (const { email } of round.questions) {
      index += 1;
      if (this.#closing) {
        tell(round, index, { kind: 'unasked' });
        continue;
      }
      const parsed = parseAddress(email);
      if (!parsed.ok) {
        this.#conclude.invalid(round, index, email, parsed.why);
        continue;
      }
      const addressCheck = new AddressCheck(round, index, parsed.address);
      open.push(addressCheck);
      const same = byDomain.get(parsed.address.domain);
      if (same === undefined) byDomain.set(parsed.address.domain, [addressCheck]);
      else same.push(addressCheck);
    }
    // Those with most to ask about come first: they are what the whole has to wait for.
    const largestFirst = [...byDomain].sort(([, a], [, b]) => b.length - a.length);
    for (const [name, addressChecks] of largestFirst) this.#lookUp(name, addressChecks);
  }

  #lookUp(name: string, addressChecks: AddressCheck[]): void {
    if (isDotless(name)) {
      this.#conclude.dotless(addressChecks);
      return;
    }
    const isWaitedFor = addressChecks.some((addressCheck) => addressCheck.isWaitedFor);
    if (!isWaitedFor && !this.#networkHealth.mayTry('dns')) {
      for (const addressCheck of addressChecks) this.#conclude.answered(addressCheck, null, NO_DNS, false);
      return;
    }
    const [first] = addressChecks;
    if (first === undefined) return;
    const state = this.#book.get(name, first.round.holder);
    if (!(state instanceof Promise)) {
      this.#route(state, addressChecks);
      return;
    }
    this.#routeOnce(name, state, addressChecks);
  }

  #routeOnce(name: string, state: Promise<DomainState>, addressChecks: AddressCheck[]): void {
    if (addressChecks[0]?.round.single === true) {
      void state.then((known) => this.#route(known, addressChecks));
      return;
    }
    const before = this.#awaited.get(name);
    if (before !== undefined) {
      for (const addressCheck of addressChecks) before.push(addressCheck);
      return;
    }
    this.#awaited.set(name, addressChecks);
    void state.then((known) => {
      this.#awaited.delete(name);
      this.#route(known, addressChecks);
    });
  }

  #route(domain: DomainState, all: AddressCheck[]): void {
    // All are handed back, and that DNS has not answered is our own doing.
    if (this.#closing) return;
    const addressChecks = all.filter((addressCheck) => !addressCheck.withdrawn);
    const { facts, name, provider } = domain;
    this.#networkHealth.note('dns', name, !facts.isSilent);
    for (const addressCheck of addressChecks) addressCheck.domain = domain;
    if (isNeverAsked(this.#options.policy, name)) {
      this.#conclude.unasked(addressChecks, 'policy: never asked', { connected: true });
      return;
    }
    if (facts.kind === 'cannot_receive') {
      this.#conclude.unasked(addressChecks, `dns: ${facts.words}`, { dns: 'cannot_receive' });
      return;
    }
    const throwaway = isThrowaway(name, provider === '' ? null : provider);
    if (throwaway.throwaway) {
      this.#conclude.unasked(addressChecks, throwaway.rule, { disposable: true });
      return;
    }
    if (facts.kind === 'error') {
      for (const addressCheck of addressChecks) {
        // A server that has answered, be it with a failure, leaves no doubt whose trouble it is.
        if (facts.isSilent) this.#conclude.failed(addressCheck, domain, NO_DNS);
        else this.#conclude.answered(addressCheck, domain, NO_DNS, false);
      }
      return;
    }
    const isWaitedFor = addressChecks.some((addressCheck) => addressCheck.isWaitedFor);
    if (!isWaitedFor && !this.#networkHealth.mayTry('smtp')) {
      for (const addressCheck of addressChecks)
        this.#conclude.answered(addressCheck, domain, NO_CONNECTION, false);
      return;
    }
    domain.knowledge.begin(addressChecks.length, this.#options.clock.now());
    for (const addressCheck of addressChecks) addressCheck.queued = true;
    // Those who were taken before come back for the domain's sake: its probe is what they wait for.
    const cameForProbe = addressChecks.some(({ question }) => saysItExists(question.resume?.meaning ?? null));
    if (cameForProbe) this.#need(domain, domain.knowledge.wantsProbe(this.#options.clock.now()));
    this.#dispatcher.enqueueAll(addressChecks);
  }

  // ---- answers ----

  #answered(addressCheck: AddressCheck, answer: Answer): void {
    const { domain } = addressCheck;
    const { knowledge, trust } = domain;
    if (trust.state === 'broken') {
      this.#misled(addressCheck);
      return;
    }
    // Where nobody said anything about the recipient there is no verdict that DNS could have misled.
    if (trust.state === 'waiting' && answer.reply !== null) {
      trust.wait(() => this.#answered(addressCheck, answer));
      return;
    }
    const nowMs = this.#options.clock.now();
    knowledge.open -= 1;
    addressCheck.queued = false;
    this.#habits.note(domain, answer, 'real', nowMs);
    const { meaning } = answer;
    if (meaning === 'accepted' && answer.ip !== null) this.#compare.took(addressCheck, answer.ip);
    const acceptedBefore = knowledge.acceptedBy(answer.ip);
    const understood =
      meaning === 'no_mailbox' || saysItExists(meaning) || (meaning === 'over_quota' && !answer.temporary);
    if (understood && answer.reply !== null) {
      const next = knowledge.hold({ task: addressCheck, answer }, nowMs);
      if (next === 'ready' || next === 'refuses_all')
        this.#conclude.answered(addressCheck, domain, answer, next === 'refuses_all', nowMs);
      else this.#need(domain, next);
    } else if (!answer.connected && !domain.facts.isWhole && !this.#closing) {
      // While it waits it can be handed back, as before it was asked.
      addressCheck.onWire = false;
      this.#routeOnce(domain.name, this.#book.widen(domain.name, addressCheck.round.holder), [addressCheck]);
    } else if (
      answer.clarity !== 'vague' ||
      this.#closing ||
      !this.#compare.keeps(addressCheck, answer, nowMs)
    ) {
      this.#conclude.failed(addressCheck, domain, answer);
    }
    // The last answer of a domain frees what waited for it, as a host's first acceptance frees its refusals.
    if (knowledge.holding && (knowledge.open === 0 || knowledge.acceptedBy(answer.ip) !== acceptedBefore))
      this.#settle(domain);
    this.#compare.goOn(domain.name);
  }

  /** The host that answered may be anybody's: its name was made up. */
  #misled(addressCheck: AddressCheck): void {
    const { domain } = addressCheck;
    domain.knowledge.open -= 1;
    addressCheck.queued = false;
    this.#conclude.answered(addressCheck, { ...domain, facts: disbelieved(domain.facts) }, NO_DNS, false);
  }

  #settle(domain: DomainState): void {
    const nowMs = this.#options.clock.now();
    const { ready, need } = domain.knowledge.settle(nowMs);
    for (const { held, refusesAll } of ready)
      this.#conclude.answered(held.task as AddressCheck, domain, held.answer, refusesAll, nowMs);
    this.#need(domain, need);
  }

  #need(domain: DomainState, need: Need | 'wait'): void {
    if (need === 'nothing' || need === 'wait' || domain.knowledge.probing || this.#closing) return;
    const isPostmaster = need === 'postmaster';
    const ip = isPostmaster ? domain.knowledge.doubtful : null;
    const task = this.#probeTask(domain, isPostmaster ? 'postmaster' : 'impossible', ip);
    this.#dispatcher.enqueue(task, need === 'impossible_alone');
  }

  /** The impossible recipient rides behind the first real one of its domain. */
  #probeBehind(task: Task): Task | null {
    const { domain } = task as AddressCheck;
    const need = domain.knowledge.wantsProbe(this.#options.clock.now());
    return need === 'impossible' ? this.#probeTask(domain, 'impossible') : null;
  }

  #probeTask(domain: DomainState, kind: 'impossible' | 'postmaster', ip: string | null = null): Task {
    domain.knowledge.probing = true;
    const answered = (task: Task, answer: Answer) => {
      const nowMs = this.#options.clock.now();
      this.#habits.note(domain, answer, kind, nowMs);
      if (kind === 'impossible') domain.knowledge.probed(task, answer, nowMs, probeWords(task, answer));
      else domain.knowledge.postmasterAsked(task, answer, ip);
      this.#settle(domain);
      this.#compare.goOn(domain.name);
    };
    return new ProbeTask(kind, domain, this.#options.probeRandom(domain.name), answered, ip);
  }

  // ---- the world as a whole ----

  /** Hands back what is not on the wire; what is gets its outcome when it lands. */
  #withdraw(open: readonly AddressCheck[]): void {
    const left = new Set<DomainState>();
    for (const addressCheck of open) {
      if (addressCheck.done || addressCheck.onWire) continue;
      addressCheck.withdrawn = true;
      if (addressCheck.queued) {
        addressCheck.queued = false;
        addressCheck.domain.knowledge.open -= 1;
        left.add(addressCheck.domain);
      }
      addressCheck.finish({ kind: 'unasked' });
    }
    // Others of the domain may have waited for these to be answered.
    for (const domain of left)
      if (domain.knowledge.open === 0 && domain.knowledge.holding) this.#settle(domain);
    if (!this.#closing) this.#compare.goOn();
  }

  async close(graceMs = DEFAULT_GRACE_MS): Promise<void> {
    this.#closing = true;
    for (const open of this.#open) this.#withdraw(open);
    this.#guard.close();
    this.#options.closeDns();
    await this.#dispatcher.close(graceMs);
    this.#networkHealth.close();
    for (const open of this.#open) for (const addressCheck of open) addressCheck.finish({ kind: 'unasked' });
    // What waits for its next attempt waits for nothing now.
    for (const list of this.#running) list.close();
  }
}
