// Addresses in, findings out: the engine's parts put together. Promise: every question gets exactly one outcome; nothing
// is connected to that DNS and policy did not allow; closing leaves no socket and no timer. What happens to an address in
// between: state/advance.ts.
import { isIPv6 } from 'node:net';
import { holderOf } from '@mxproof/common/fair-share';
import { logInvariants } from '@mxproof/common/invariant';
import { parseAddress } from './address/parse-address.ts';
import { AddressCheck, type Round, stillOpen, tell } from './check/address-check.ts';
import { AddressChecks } from './check/address-checks.ts';
import { AddressRouter } from './check/address-router.ts';
import { healthOf } from './check/checker-health.ts';
import { DomainCache, type DomainState } from './check/domain-cache.ts';
import { DomainReports } from './check/domain-reports.ts';
import type { FindingBasis } from './check/finding.ts';
import { type Asker, askerOf, GuessDetector } from './check/guess-detector.ts';
import { HostHabits } from './check/host-habits.ts';
import { NetworkHealth } from './check/network-health.ts';
import { OutcomeReporter } from './check/outcome-reporter.ts';
import { guessed, lapsed } from './check/unasked.ts';
import { waitingGroups } from './check/waiting-groups.ts';
import { networkKey, WaitingIndex } from './check/waiting-index.ts';
import { type CheckAllRun, checkAll, type Emails } from './check-all.ts';
import { type CheckerOptions, type ResolvedOptions, resolveOptions } from './checker-options.ts';
import { DnsCache } from './dns/dns-cache.ts';
import { DnsGuard } from './dns/dns-guard.ts';
import { ZoneTurns } from './dns/zone-turns.ts';
import type { LiveNodes } from './policy/live-nodes.ts';
import type { Payers } from './policy/payers.ts';
import type { KeptRests } from './ports.ts';
import { Dispatcher, type DispatcherOptions } from './smtp/dispatch/dispatcher.ts';
import { Egress } from './smtp/hosts/egress.ts';
import type {
  AskedDomain,
  AskOptions,
  Checker,
  CheckerHealth,
  DomainReport,
  Finding,
  Question,
  WaitingGroup,
} from './types.ts';
import { readReply } from './verdict/read-reply.ts';

const DEFAULT_GRACE_MS = 5_000;

export function createChecker(options: CheckerOptions = {}): Checker {
  return new AddressChecker(resolveOptions(options));
}

class AddressChecker implements Checker {
  readonly #options: ResolvedOptions;
  readonly #guard: DnsGuard;
  readonly #zones: ZoneTurns;
  readonly #dispatcher: Dispatcher;
  readonly #networkHealth: NetworkHealth;
  readonly #egress: Egress;
  readonly #reporter: OutcomeReporter;
  readonly #checks: AddressChecks;
  readonly #routes: AddressRouter;
  readonly #reports: DomainReports;
  readonly #guessing: GuessDetector;
  /** The checks of each round that is not finished. */
  readonly #open = new Set<AddressCheck[]>();
  readonly #running = new Set<CheckAllRun>();
  readonly #stopLogging: () => void;
  readonly #nodes: LiveNodes = { count: 1 };
  readonly #payers: Payers = { areSeveral: false };
  /** Of checkAll; a caller's own lots are not below zero. */
  #lastLot = 0;
  #closing = false;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    const { clock, random, resolver, dnsSentinels: sentinels, log, sources, probeRandom, policy } = options;
    const now = () => clock.now();
    const habits = new HostHabits();
    const waiting = new WaitingIndex<AddressCheck>();
    const networkHealth = new NetworkHealth(clock, log, this.#payers, {
      any: (what) => waiting.has(networkKey(what)),
      judge: (what) => this.#checks.judge(what),
    });
    const { permits, rests } = options;
    const payers = this.#payers;
    const egress = new Egress({ sources, log, clock, permits, rests, policy, payers });
    const reporter = new OutcomeReporter(options, networkHealth, habits, egress);
    const guard = new DnsGuard({ resolver, sentinels, clock, random, log });
    const dns = new DnsCache({ resolver, now, unknownTtlMs: options.dnsTtlMs, belief: guard });
    const nodes = this.#nodes;
    const { missingQuestionsPerMinute: questionsPerMinute } = policy;
    this.#zones = new ZoneTurns({ clock, nodes, questionsPerMinute });
    const speaksIpv6 = sources.some(({ ip }) => isIPv6(ip ?? ''));
    const { allowPrivateTargets, disposable } = options;
    const lookups = { dns, guard, zones: this.#zones, allowPrivateTargets, random };
    const domains = new DomainCache(
      {
        ...lookups,
        speaksIpv6,
        disposable,
        isWaitedFor: (knowledge) => waiting.has(knowledge),
        trustSettled: (domain) => this.#checks.trustSettled(domain),
      },
      now,
    );
    const reached: DispatcherOptions['reached'] = (holders, target, ok, isHighlyAvailable) =>
      networkHealth.note('smtp', holders, target, ok, isHighlyAvailable);
    const dispatcher = new Dispatcher({ ...options, nodes, payers, readReply, reached }, egress);
    const guessing = new GuessDetector(policy, now);
    this.#checks = new AddressChecks({
      clock,
      random,
      probeRandom,
      waiting,
      reporter,
      habits,
      guessing,
      networkHealth,
      stopAsking: (asker, domain) => this.#stopAsking(asker, domain),
      concludeLapsed: (domain) => this.#concludeQueued(domain, lapsed(domain, now()), () => true),
      enqueue: (tasks, alone) => dispatcher.enqueueAll(tasks, alone),
      widen: (check) => this.#routes.widen(check),
    });
    this.#routes = new AddressRouter({
      clock,
      policy,
      domains,
      waiting,
      checks: this.#checks,
      reporter,
      guessing,
      networkHealth,
      isSilenceProven: guard.isOn,
      enqueue: (tasks) => dispatcher.enqueueAll(tasks),
    });
    this.#reports = new DomainReports({ ...lookups, domains, disposable });
    this.#networkHealth = networkHealth;
    this.#egress = egress;
    this.#guessing = guessing;
    this.#reporter = reporter;
    this.#guard = guard;
    this.#dispatcher = dispatcher;
    this.#stopLogging = logInvariants(log);
  }

  get reachable(): boolean {
    return this.#networkHealth.ok;
  }

  get dnsTrusted(): boolean {
    return this.#guard.trusted;
  }

  health(): CheckerHealth {
    return healthOf(this.#networkHealth, this.#guard, this.#egress, this.#options.clock);
  }

  learnRests(kept: KeptRests): void {
    this.#egress.learnRests(kept, this.#options.clock.now());
  }

  get liveNodes(): number {
    return this.#nodes.count;
  }

  set liveNodes(count: number) {
    this.#nodes.count = Math.max(1, count);
  }

  get hasSeveralPayers(): boolean {
    return this.#payers.areSeveral;
  }

  set hasSeveralPayers(areSeveral: boolean) {
    this.#payers.areSeveral = areSeveral;
  }

  get isMakingWay(): boolean {
    return this.#options.loopBudget.isMakingWay;
  }

  makeWay(): () => void {
    return this.#options.loopBudget.makeWay();
  }

  lookUpDomain(domain: string, account = 0): Promise<DomainReport> {
    return this.#reports.of(domain, holderOf(account, true));
  }

  waiting(lot?: number): readonly WaitingGroup[] {
    return waitingGroups(this.#open, this.#running, this.#options.clock, lot);
  }

  async check(email: string): Promise<Finding> {
    for await (const finding of this.#all([email], true)) return finding;
    throw new Error('the checker is closed');
  }

  checkAll(emails: Emails): AsyncIterable<Finding> {
    return this.#all(emails, false);
  }

  #all(emails: Emails, single: boolean): AsyncIterable<Finding> {
    const { clock, retrySeconds, endsUnreached } = this.#options;
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
    const isUnreached = () => endsUnreached && this.#networkHealth.answeredAtMs('smtp') === null;
    return checkAll(emails, { ask, clock, patienceMs, lot, running: this.#running, isUnreached });
  }

  learnAsked(account: number, domain: AskedDomain): void {
    this.#guessing.learn(askerOf(account, 0), domain);
  }

  ask(questions: readonly Question[], options: AskOptions): Promise<void> {
    return this.#ask(questions, options, false);
  }

  #ask(questions: readonly Question[], options: AskOptions, last: boolean): Promise<void> {
    if (questions.length === 0) return Promise.resolve();
    const { account, lot = 0, askedBefore = [] } = options;
    const asker = askerOf(account, lot);
    for (const domain of askedBefore) this.#guessing.learn(asker, domain);
    return new Promise((resolve) => {
      const open: AddressCheck[] = [];
      const { signal } = options;
      const holder = holderOf(account ?? 0, options.priority === 'single');
      const handBack = () => {
        this.#checks.withdraw(open);
        this.#egress.cancelled(holder);
      };
      const noHurry = options.priority === 'single' ? this.makeWay() : null;
      const round: Round = {
        questions,
        single: options.priority === 'single',
        holder,
        lot,
        asker,
        last,
        checks: this.#checks,
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
        this.#reporter.reportInvalid(round, index, email, parsed.why);
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
    // What was told already may have led its caller to abort.
    for (const [name, checks] of largestFirst) this.#routes.lookUp(name, [...stillOpen(checks)]);
  }

  #stopAsking(asker: Asker, domain: DomainState): void {
    const tally = this.#guessing.stopped(asker, domain);
    const learnt = tally === null ? null : guessed(tally);
    this.#concludeQueued(domain, learnt, ({ round }) => round.asker === asker);
  }

  #concludeQueued(
    { name }: DomainState,
    learnt: FindingBasis | null,
    isConcerned: (check: AddressCheck) => boolean,
  ): void {
    if (learnt === null) return;
    for (const open of this.#open) {
      const queued = open.filter(
        (check) => check.state.at === 'queued' && check.address.domain === name && isConcerned(check),
      );
      this.#reporter.reportKnown(queued, learnt);
    }
  }

  async close(graceMs = DEFAULT_GRACE_MS): Promise<void> {
    this.#closing = true;
    this.#checks.close();
    this.#routes.close();
    for (const open of this.#open) this.#checks.withdraw(open);
    this.#guard.close();
    this.#zones.close();
    this.#options.closeDns();
    await this.#dispatcher.close(graceMs);
    this.#networkHealth.close();
    for (const open of this.#open)
      for (const check of open) {
        if (check.isOver) continue;
        check.move({ kind: 'closed' });
        check.tell({ kind: 'unasked' });
      }
    // No further attempt will be made.
    for (const list of this.#running) list.close();
    this.#stopLogging();
  }
}
