// From what is known to the outcome: final, or later. Promise: whatever is concluded about an address check is told
// once, with the rule it rests on.

import { type AddressCheck, type Round, tell } from '../asking/address-check.ts';
import type { DomainState } from '../asking/domain-book.ts';
import type { NetworkHealth } from '../asking/network-health.ts';
import type { ResolvedOptions } from '../checker-options.ts';
import { DOTLESS_RULE } from '../domain/dotless.ts';
import type { HostHabits } from '../smtp/knowledge/host-habits.ts';
import type { Answer } from '../smtp/session/task.ts';
import { saysItExists } from '../verdict/verdict.ts';
import { wallNow } from '../wall-now.ts';
import { type Learnt, makeFinding, UNASKED } from './finding.ts';
import { isLineTrouble, laterOutcome, nextStep, waitsFor } from './outcome.ts';
import { ruleOf } from './unasked.ts';

export class Conclude {
  readonly #options: ResolvedOptions;
  readonly #networkHealth: NetworkHealth;
  readonly #habits: HostHabits;

  constructor(options: ResolvedOptions, networkHealth: NetworkHealth, habits: HostHabits) {
    this.#options = options;
    this.#networkHealth = networkHealth;
    this.#habits = habits;
  }

  /** `answer` may also say that no host could be asked. */
  byAnswer(
    addressCheck: AddressCheck,
    domain: DomainState | null,
    answer: Answer,
    refusesAll: boolean,
    nowMs = this.#options.clock.now(),
  ): void {
    const { round, question } = addressCheck;
    const dnsFailed = answer.kind === 'no_dns';
    const cause = (dnsFailed ? domain?.facts.detail : null) ?? answer.detail;
    const what = whatFailed(answer);
    const hostTakesAllSinceMs = saysItExists(answer.meaning)
      ? this.#habits.takesEverythingSinceMs(answer.ip, nowMs)
      : null;
    const hostTakesAll = hostTakesAllSinceMs !== null;
    const isCatchAllKnown = hostTakesAll || domain?.knowledge.known(nowMs) === true;
    const step = nextStep({
      answer,
      resume: question.resume,
      scheduleSeconds: this.#options.retrySeconds,
      single: round.single,
      isWaitedFor: addressCheck.isWaitedFor,
      last: round.last,
      catchAllMissing: answer.meaning === 'accepted' && domain !== null && !isCatchAllKnown,
      unreachableWaitMs: this.#networkHealth.waitMs(what),
    });
    if (step.kind === 'later') {
      addressCheck.finish(
        laterOutcome(step, answer, question.resume, {
          wallMs: wallNow(this.#options.clock),
          mailFrom: this.#options.mailFrom,
          mx: domain?.facts.mx,
          provider: domain?.provider,
          isInDoubt: this.#networkHealth.isInDoubt(what),
          waitsFor: waitsFor(answer, cause, !this.#networkHealth.isReachable(what)),
        }),
      );
      return;
    }
    const busyForAll = step.mailbox === 'mailbox_busy' && domain?.knowledge.busyForAll === true;
    const mailbox = busyForAll ? 'temporary' : step.mailbox;
    const learnt: Learnt = {
      dns: dnsFailed ? 'error' : 'ok',
      mailbox,
      connected: answer.connected,
      refusesAll,
      hostTakesAllSinceMs,
      disposable: false,
      rule: dnsFailed
        ? `dns: ${domain?.facts.words ?? 'no answer from any resolver'}`
        : ruleOf(answer, domain, { refusesAll, busyForAll, hostTakesAll, mailbox }, nowMs),
      attempts: step.attempts,
      cause: busyForAll ? 'temporary' : cause,
    };
    this.#final(addressCheck, domain, answer, learnt, nowMs);
  }

  /** As `byAnswer`, for what no recipient was told: a line that failed is judged once it is known whether it was ours. */
  failed(addressCheck: AddressCheck, domain: DomainState, answer: Answer): void {
    const { round, question } = addressCheck;
    const judge = () => this.byAnswer(addressCheck, domain, answer, false);
    const wasDoubted = question.resume?.doubted === true;
    // Twice in a row on established connections is not a cut cable.
    const isSure = answer.mute === 'believed' || wasDoubted;
    const mayBeOurs = isLineTrouble(answer) && !round.single && !round.last && !isSure;
    // While it waits it can be handed back: nothing is on its way any more.
    addressCheck.onWire = false;
    if (!mayBeOurs || !this.#networkHealth.doubts(whatFailed(answer), judge)) judge();
  }

  /** No mail host has to be asked. */
  unasked(addressChecks: readonly AddressCheck[], learnt: Learnt): void {
    const nowMs = this.#options.clock.now();
    for (const addressCheck of addressChecks)
      this.#final(addressCheck, addressCheck.domain, null, learnt, nowMs);
  }

  /** Not a name that mail is delivered to: not even DNS is asked. */
  dotless(addressChecks: readonly AddressCheck[]): void {
    const learnt: Learnt = { ...UNASKED, dns: 'cannot_receive', cause: 'no_such_domain', rule: DOTLESS_RULE };
    const nowMs = this.#options.clock.now();
    for (const addressCheck of addressChecks) this.#final(addressCheck, null, null, learnt, nowMs);
  }

  /** No mailbox at all: there is not even a domain to ask about. */
  invalid(round: Round, index: number, email: string, why: string): void {
    const { clock, evidence } = this.#options;
    const learnt: Learnt = { ...UNASKED, dns: 'not_asked', cause: 'syntax', rule: `syntax: ${why}` };
    const nobody = { email, address: null, domain: null, answer: null };
    const finding = makeFinding({ ...nobody, learnt, nowMs: clock.now(), keepEvidence: evidence });
    tell(round, index, { kind: 'final', finding });
  }

  #final(
    addressCheck: AddressCheck,
    domain: DomainState | null,
    answer: Answer | null,
    learnt: Learnt,
    nowMs: number,
  ): void {
    const finding = makeFinding({
      email: addressCheck.question.email,
      address: addressCheck.address,
      domain,
      answer,
      learnt,
      nowMs,
      keepEvidence: this.#options.evidence,
    });
    addressCheck.finish({ kind: 'final', finding });
  }
}

function whatFailed(answer: Answer): 'dns' | 'smtp' {
  return answer.kind === 'no_dns' ? 'dns' : 'smtp';
}
