// Addresses in, findings out: the order in which the rooms are asked. Promise: every question gets exactly one
// outcome; nothing is connected to that DNS and policy did not allow; closing leaves no socket and no timer.
//
//   parse ─ invalid, a domain without a dot ──────▶ final
//     └ DNS ─ cannot receive, throwaway, never ───▶ final
//         ├ error ───────────────────────────────▶ final or later
//         └ dispatcher ─ answer (conclude/answers.ts) ─▶ final or later
import { isIPv6 } from 'node:net';
import { parseAddress } from './address/parse-address.ts';
import { AddressCheck, type Round, tell } from './asking/address-check.ts';
import { AwaitedDomains } from './asking/awaited-domains.ts';
import { DomainBook, type DomainState } from './asking/domain-book.ts';
import { Guessing } from './asking/guessing.ts';
import { NetworkHealth } from './asking/network-health.ts';
import { type CheckAll, checkAll, type Emails } from './check-all.ts';
import { type CheckerOptions, type ResolvedOptions, resolveOptions } from './checker-options.ts';
import { Answers } from './conclude/answers.ts';
import { Conclude } from './conclude/conclude.ts';
import { guessed, knownUnasked, NO_CONNECTION, NO_DNS } from './conclude/unasked.ts';
import { DnsCache } from './dns/dns-cache.ts';
import { DnsGuard } from './dns/dns-guard.ts';
import { isDotless } from './domain/dotless.ts';
import { holderOf } from './pace/fair-share.ts';
import { Dispatcher } from './smtp/dispatch/dispatcher.ts';
import { Egress } from './smtp/hosts/egress.ts';
import { HostHabits } from './smtp/knowledge/host-habits.ts';
import type { AskOptions, Checker, Finding, Question, WaitingGroup } from './types.ts';
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
  readonly #conclude: Conclude;
  readonly #answers: Answers;
  /** The checks of each round that is not finished. */
  readonly #open = new Set<AddressCheck[]>();
  readonly #awaited = new AwaitedDomains((domain, addressChecks) => this.#lookedUp(domain, addressChecks));
  readonly #running = new Set<CheckAll>();
  readonly #guessing: Guessing;
  /** Of checkAll; a caller's own lots are not below zero. */
  #lastLot = 0;
  #closing = false;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    const { clock, random, resolver, dnsSentinels: sentinels, log, sources, probeRandom } = options;
    const now = () => clock.now();
    const habits = new HostHabits();
    const networkHealth = new NetworkHealth(clock, log);
    const conclude = new Conclude(options, networkHealth, habits);
    const guard = new DnsGuard({ resolver, sentinels, clock, random, log });
    const dns = new DnsCache({ resolver, now, unknownTtlMs: options.dnsTtlMs, belief: guard });
    const speaksIpv6 = sources.some(({ ip }) => isIPv6(ip ?? ''));
    const { allowPrivateTargets } = options;
    const reached = (whom: string, ok: boolean) => networkHealth.note('smtp', whom, ok);
    const dispatcher = new Dispatcher({ ...options, readReply, reached }, new Egress(sources, log));
    this.#networkHealth = networkHealth;
    this.#guessing = new Guessing(options.policy);
    this.#conclude = conclude;
    this.#guard = guard;
    this.#book = new DomainBook({ dns, guard, allowPrivateTargets, random, speaksIpv6 }, now);
    this.#dispatcher = dispatcher;
    this.#answers = new Answers({
      clock,
      random,
      probeRandom,
      conclude,
      habits,
      guessing: this.#guessing,
      stopAsking: (lot, domain) => this.#stopAsking(lot, domain),
      enqueue: (tasks, alone) => dispatcher.enqueueAll(tasks, alone),
      askWidened: (addressCheck) => {
        const { name } = addressCheck.domain;
        this.#awaited.routeWhenKnown(name, this.#book.widen(name, addressCheck.round.holder), [addressCheck]);
      },
    });
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

  waiting(lot?: number): readonly WaitingGroup[] {
    const groups = new Map<string, WaitingGroup>();
    for (const open of this.#open)
      for (const one of open) {
        if (one.done || (lot !== undefined && one.lot !== lot)) continue;
        const why = one.onWire ? 'checking' : 'queued';
        const host = one.queued ? one.domain.facts.mx : null;
        const key = `${one.lot} ${why} ${host}`;
        const before = groups.get(key);
        groups.set(key, {
          lot: one.lot,
          why,
          host,
          provider: one.queued ? one.domain.provider : null,
          addresses: (before?.addresses ?? 0) + 1,
          attempt: Math.min(
            before?.attempt ?? Number.POSITIVE_INFINITY,
            (one.question.resume?.attempt ?? 0) + 1,
          ),
          nextAttemptAtMs: null,
        });
      }
    return [...groups.values()];
  }

  async check(email: string): Promise<Finding> {
    for await (const finding of this.#all([email], true)) return finding;
    throw new Error('the checker is closed');
  }

  checkAll(emails: Emails): AsyncIterable<Finding> {
    return this.#all(emails, false);
  }

  #all(emails: Emails, single: boolean): AsyncIterable<Finding> {
    const { clock, retrySeconds } = this.#options;
    this.#lastLot -= 1;
    const lot = this.#lastLot;
    const ask = (
      questions: readonly Question[],
      last: boolean,
      signal: AbortSignal,
      tellOne: AskOptions['onOutcome'],
    ) =>
      this.#ask(questions, { priority: single ? 'single' : 'list', lot, signal, onOutcome: tellOne }, last);
    const patienceMs = retrySeconds.reduce((sum, s) => sum + s * 1000, 0);
    return checkAll(emails, { ask, clock, patienceMs, running: this.#running });
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
        answers: this.#answers,
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
    // The largest domains first: they take the longest.
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
      for (const addressCheck of addressChecks) this.#conclude.byAnswer(addressCheck, null, NO_DNS, false);
      return;
    }
    const [first] = addressChecks;
    if (first === undefined) return;
    const state = this.#book.get(name, first.round.holder);
    if (!(state instanceof Promise)) {
      this.#route(state, addressChecks);
      return;
    }
    this.#awaited.routeWhenKnown(name, state, addressChecks);
  }

  /** Only now: what is still known of a domain says nothing about whether DNS answers. */
  #lookedUp(domain: DomainState, addressChecks: AddressCheck[]): void {
    if (!this.#closing) this.#networkHealth.note('dns', domain.name, !domain.facts.isSilent);
    this.#route(domain, addressChecks);
  }

  #route(domain: DomainState, all: AddressCheck[]): void {
    // All are handed back, and that DNS has not answered is our own doing.
    if (this.#closing) return;
    const addressChecks = all.filter((addressCheck) => !addressCheck.withdrawn);
    const { facts } = domain;
    for (const addressCheck of addressChecks) addressCheck.domain = domain;
    const known = knownUnasked(domain, this.#options.policy);
    if (known !== null) {
      this.#conclude.unasked(addressChecks, known);
      return;
    }
    if (facts.kind === 'error') {
      for (const addressCheck of addressChecks) {
        // A server that has answered, be it with a failure, leaves no doubt whose trouble it is.
        if (facts.isSilent) this.#conclude.failed(addressCheck, domain, NO_DNS);
        else this.#conclude.byAnswer(addressCheck, domain, NO_DNS, false);
      }
      return;
    }
    const isWaitedFor = addressChecks.some((addressCheck) => addressCheck.isWaitedFor);
    if (!isWaitedFor && !this.#networkHealth.mayTry('smtp')) {
      for (const addressCheck of addressChecks)
        this.#conclude.byAnswer(addressCheck, domain, NO_CONNECTION, false);
      return;
    }
    const asked = this.#guessing.isOn ? this.#withoutGuesses(domain, addressChecks) : addressChecks;
    if (asked.length === 0) return;
    domain.knowledge.begin(asked.length, this.#options.clock.now());
    for (const addressCheck of asked) addressCheck.queued = true;
    // Those who were taken before come back for the domain's sake: its probe is what they wait for.
    const cameForProbe = asked.find(({ question }) => saysItExists(question.resume?.meaning ?? null));
    if (cameForProbe !== undefined) this.#answers.probeFor(domain, cameForProbe.holder);
    this.#dispatcher.enqueueAll(asked);
  }

  /** Those of lists that may go on asking this domain; the others are concluded. */
  #withoutGuesses(domain: DomainState, addressChecks: readonly AddressCheck[]): readonly AddressCheck[] {
    return addressChecks.filter((addressCheck) => {
      const tally = this.#guessing.stopped(addressCheck.lot, domain.name);
      if (tally !== null) this.#conclude.unasked([addressCheck], guessed(tally));
      return tally === null;
    });
  }

  #stopAsking(lot: number, domain: DomainState): void {
    for (const open of this.#open) {
      const queued = open.filter(
        (one) => one.queued && !one.onWire && one.lot === lot && one.domain === domain,
      );
      for (const addressCheck of queued) {
        addressCheck.withdrawn = true;
        addressCheck.leaveQueue();
      }
      this.#withoutGuesses(domain, queued);
    }
  }

  // ---- handing back ----

  /** Hands back what is not on the wire; what is gets its outcome when it lands. */
  #withdraw(open: readonly AddressCheck[]): void {
    const left = new Set<DomainState>();
    for (const addressCheck of open) {
      if (addressCheck.done || addressCheck.onWire) continue;
      addressCheck.withdrawn = true;
      if (addressCheck.queued) left.add(addressCheck.domain);
      addressCheck.leaveQueue();
      addressCheck.finish({ kind: 'unasked' });
    }
    this.#answers.withdrawn(left);
  }

  async close(graceMs = DEFAULT_GRACE_MS): Promise<void> {
    this.#closing = true;
    this.#answers.close();
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
