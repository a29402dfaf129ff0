// Where an address is asked: looks its domain up, and queues it at its MX hosts unless it is decided without them.
// Promise: checks of lists that come while a domain is looked up are routed together, so that sessions are opened for all
// of them; a single check is routed by itself; while nothing can be reached, one question now and then finds out.

import { isDotless } from '../domain/dotless.ts';
import type { Policy } from '../policy/policy.ts';
import type { DomainLookup, Network } from '../state/check-state.ts';
import { ABOUT_TO_QUEUE } from '../state/task.ts';
import type { Clock } from '../types.ts';
import { saysItExists } from '../verdict/verdict.ts';
import { type AddressCheck, stillOpen } from './address-check.ts';
import type { AddressChecks } from './address-checks.ts';
import type { DomainCache, DomainState } from './domain-cache.ts';
import type { GuessDetector } from './guess-detector.ts';
import type { NetworkHealth } from './network-health.ts';
import type { OutcomeReporter } from './outcome-reporter.ts';
import { DNS_OUTAGE, guessed, knownUnasked, lapsed, NO_CONNECTION, NO_DNS } from './unasked.ts';
import type { WaitingIndex } from './waiting-index.ts';

export interface AddressRouterOptions {
  readonly clock: Clock;
  readonly policy: Policy;
  readonly domains: DomainCache;
  readonly waiting: WaitingIndex<AddressCheck>;
  readonly checks: AddressChecks;
  readonly reporter: OutcomeReporter;
  readonly guessing: GuessDetector;
  readonly networkHealth: NetworkHealth;
  /** A silence that is said to be our DNS servers' was shown to be theirs, by sentinels. */
  readonly isSilenceProven: boolean;
  /** For checks of one domain. */
  readonly enqueue: (checks: readonly AddressCheck[]) => void;
}

export class AddressRouter {
  readonly #options: AddressRouterOptions;
  /** What lists' checks of a domain wait for while it is looked up. */
  readonly #lookups = new Map<string, DomainLookup>();
  #isClosing = false;

  constructor(options: AddressRouterOptions) {
    this.#options = options;
  }

  /** From here on nothing is queued. */
  close(): void {
    this.#isClosing = true;
  }

  /** `checks`: of one domain and one round. */
  lookUp(name: string, checks: readonly AddressCheck[]): void {
    const { reporter, domains } = this.#options;
    const [first] = checks;
    if (first === undefined) return;
    if (isDotless(name)) {
      reporter.reportDotless(checks);
      return;
    }
    if (!this.#mayTry('dns', checks)) {
      for (const check of stillOpen(checks))
        this.#options.checks.go(check, { kind: 'dns_failed', answer: NO_DNS, of: null });
      return;
    }
    const known = domains.get(name, first.round.holder);
    if (known instanceof Promise) this.#routeWhenKnown(name, known, checks);
    else this.#route(known, checks);
  }

  /** Its IPv4 addresses lead nowhere: with IPv6 as well. */
  widen(check: AddressCheck): void {
    const { name } = check.domain;
    this.#routeWhenKnown(name, this.#options.domains.widen(name, check.round.holder), [check]);
  }

  #routeWhenKnown(name: string, known: Promise<DomainState>, checks: readonly AddressCheck[]): void {
    const isSingle = checks[0]?.round.single === true;
    const before = isSingle ? undefined : this.#lookups.get(name);
    const lookup = before ?? this.#options.domains.lookupOf(name);
    for (const check of checks) check.move({ kind: 'lookup_begun', lookup });
    if (before !== undefined) return;
    if (!isSingle) this.#lookups.set(name, lookup);
    void known.then((domain) => {
      if (!isSingle) this.#lookups.delete(name);
      // Only now: what is still known of a domain says nothing about whether DNS answers.
      const waiting = this.#options.waiting.at(lookup);
      if (!this.#isClosing) this.#noteDns(domain, waiting);
      this.#route(domain, waiting);
    });
  }

  #noteDns({ name, facts }: DomainState, checks: readonly AddressCheck[]): void {
    const { networkHealth, isSilenceProven } = this.#options;
    const holders = checks.map(({ holder }) => holder);
    networkHealth.note('dns', holders, name, !facts.isSilent, isSilenceProven);
  }

  /** A caller waits for one of them, or one of their payers may ask. */
  #mayTry(what: Network, checks: readonly AddressCheck[]): boolean {
    const { networkHealth } = this.#options;
    return isWaitedFor(checks) || checks.some(({ holder }) => networkHealth.mayTry(what, holder));
  }

  #route(domain: DomainState, all: readonly AddressCheck[]): void {
    // All are handed back; a lookup that ended by closing says nothing about DNS.
    if (this.#isClosing) return;
    const { checks, reporter, policy, guessing, clock } = this.#options;
    for (const check of all) check.domain = domain;
    const known = knownUnasked(domain, policy) ?? lapsed(domain, clock.now());
    if (known !== null) {
      reporter.reportKnown(all, known);
      return;
    }
    if (domain.facts.kind === 'error') {
      for (const check of stillOpen(all)) {
        // A server that answered, even with a failure, shows that our own network works.
        const { isSilent, isOutage } = domain.facts;
        const answer = isOutage && !check.round.single ? DNS_OUTAGE : NO_DNS;
        const of = isSilent && answer.counts ? checks.circumstancesOf(check, answer) : null;
        checks.go(check, { kind: 'dns_failed', answer, of });
      }
      return;
    }
    if (!this.#mayTry('smtp', all)) {
      for (const check of stillOpen(all)) checks.go(check, { kind: 'unreachable', answer: NO_CONNECTION });
      return;
    }
    const asked = guessing.isOn ? this.#withoutGuesses(domain, all) : all;
    if (asked.length === 0) return;
    domain.knowledge.begin(asked.length, clock.now());
    for (const check of asked) check.move(ABOUT_TO_QUEUE);
    // Accepted in an earlier attempt: these came back only because the catch-all probe had no answer.
    const cameForProbe = asked.find(({ question }) => saysItExists(question.resume?.meaning ?? null));
    if (cameForProbe !== undefined) checks.probeFor(domain, cameForProbe.holder);
    this.#options.enqueue(asked);
  }

  /** Those that may go on asking this domain; the others are concluded. */
  #withoutGuesses(domain: DomainState, all: readonly AddressCheck[]): readonly AddressCheck[] {
    const { guessing, reporter } = this.#options;
    for (const check of all) {
      const tally = guessing.stopped(check.round.asker, domain);
      if (tally !== null) reporter.reportKnown([check], guessed(tally));
    }
    return all.filter((check) => !check.isOver);
  }
}

function isWaitedFor(checks: readonly AddressCheck[]): boolean {
  return checks.some((check) => check.isWaitedFor);
}
