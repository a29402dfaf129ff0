// From what is known to the outcome: final, or later. Promise: the outcome of a check is reported once, with
// the rule it rests on.

import type { NO_OVERRIDES } from '../domain/disposable-overrides.ts';
import { DOTLESS_RULE } from '../domain/dotless.ts';
import type { Egress } from '../smtp/hosts/egress.ts';
import { networkOf } from '../state/advance.ts';
import type { Answer } from '../state/answer.ts';
import type { CheckState, Network } from '../state/check-state.ts';
import { laterOutcome, type Step, waitsFor } from '../state/retry-policy.ts';
import type { AskedRecipient, Clock, Detail, Finding } from '../types.ts';
import { saysItExists } from '../verdict/verdict.ts';
import { wallNow } from '../wall-now.ts';
import { type AddressCheck, type Round, stillOpen, tell } from './address-check.ts';
import type { DomainState } from './domain-cache.ts';
import { type FindingBasis, makeFinding, UNASKED } from './finding.ts';
import { isUnknown } from './guess-detector.ts';
import type { HostHabits } from './host-habits.ts';
import { type NetworkHealth, UNREACHED_WAIT_MS } from './network-health.ts';
import { ruleOf } from './unasked.ts';

/** A failure to connect looks the same, no matter which side caused it. */
const UNCONNECTED: ReadonlySet<Detail> = new Set(['timeout', 'connection_refused']);

type ConcludingState = Extract<CheckState, { at: 'concluding' }>;

/** Of the checker's settings. */
interface ReporterOptions {
  readonly clock: Clock;
  readonly mailFrom: string;
  readonly retrySeconds: readonly number[];
  readonly evidence: boolean;
  readonly disposable: typeof NO_OVERRIDES;
  readonly onFinding: (finding: Finding) => void;
}

export class OutcomeReporter {
  readonly #options: ReporterOptions;
  readonly #networkHealth: NetworkHealth;
  readonly #habits: HostHabits;
  readonly #egress: Egress;

  constructor(options: ReporterOptions, networkHealth: NetworkHealth, habits: HostHabits, egress: Egress) {
    this.#options = options;
    this.#networkHealth = networkHealth;
    this.#habits = habits;
    this.#egress = egress;
  }

  /** `answer` may also say that no host could be asked. */
  reportAnswer(check: AddressCheck, { answer, refusesAll }: ConcludingState): void {
    const nowMs = this.#options.clock.now();
    const { round, question } = check;
    const domain = check.knownDomain;
    const hostAcceptsAllSinceMs = saysItExists(answer.meaning)
      ? this.#habits.acceptsAllSinceMs(answer.ip, nowMs)
      : null;
    const probeHeldMs = this.#probeHeldMs(check, answer, nowMs);
    const isCatchAllKnown = hostAcceptsAllSinceMs !== null || domain?.knowledge.known(nowMs) === true;
    const state = check.move({
      kind: 'weighed',
      input: {
        answer,
        resume: question.resume,
        scheduleSeconds: this.#options.retrySeconds,
        single: round.single,
        isWaitedFor: check.isWaitedFor,
        last: round.last,
        catchAllMissing: answer.meaning === 'accepted' && domain !== null && !isCatchAllKnown,
        probeHeldMs: isCatchAllKnown ? null : probeHeldMs,
        unreachableWaitMs:
          answer.kind === 'no_proxy'
            ? UNREACHED_WAIT_MS
            : this.#networkHealth.waitMs(networkOf(answer), check.holder),
      },
    });
    if (state.at === 'later') this.#reportLater(check, answer, state.step);
    else if (state.at === 'done' && state.step !== null)
      this.#reportFinal(check, answer, state.step, { refusesAll, hostAcceptsAllSinceMs }, nowMs);
  }

  /** Accepted, and its domain's probe waits for the next hour or day. */
  #probeHeldMs(check: AddressCheck, { meaning }: Answer, nowMs: number): number | null {
    return meaning === 'accepted' ? (check.knownDomain?.knowledge.catchAll.heldMs(nowMs) ?? null) : null;
  }

  #reportLater(check: AddressCheck, answer: Answer, step: Step): void {
    const domain = check.knownDomain;
    const network = networkOf(answer);
    const isProbeHeld = this.#probeHeldMs(check, answer, this.#options.clock.now()) !== null;
    const isDown = !this.#networkHealth.isReachable(network, check.holder);
    check.tell(
      laterOutcome(step, answer, check.question.resume, {
        wallMs: wallNow(this.#options.clock),
        mailFrom: this.#mailFromFor(check),
        mx: domain?.facts.mx,
        provider: domain?.provider,
        isInDoubt: this.#networkHealth.isInDoubt(network),
        waitsFor: isProbeHeld ? 'budget' : waitsFor(answer, this.#waitingCause(check, answer), isDown),
      }),
    );
  }

  /** Of the source that will ask. */
  #mailFromFor({ address, boundSource }: AddressCheck): string {
    return this.#egress.sourceFor(address.domain, boundSource).source.mailFrom ?? this.#options.mailFrom;
  }

  #reportFinal(
    check: AddressCheck,
    answer: Answer,
    step: Step,
    { refusesAll, hostAcceptsAllSinceMs }: Pick<FindingBasis, 'refusesAll' | 'hostAcceptsAllSinceMs'>,
    nowMs: number,
  ): void {
    const domain = check.knownDomain;
    const dnsFailed = answer.kind === 'no_dns';
    const busyForAll = step.mailbox === 'mailbox_busy' && domain?.knowledge.catchAll.busyForAll === true;
    const mailbox = busyForAll ? 'temporary' : step.mailbox;
    const hostAcceptsAll = hostAcceptsAllSinceMs !== null;
    const learnt: FindingBasis = {
      dns: dnsFailed ? 'error' : 'ok',
      mailbox,
      connected: answer.connected,
      refusesAll,
      hostAcceptsAllSinceMs,
      rule: dnsFailed
        ? `dns: ${domain?.facts.words ?? 'no answer from any resolver'}`
        : ruleOf(answer, domain, { refusesAll, busyForAll, hostAcceptsAll, mailbox }, nowMs),
      attempts: step.attempts,
      cause: busyForAll ? 'temporary' : this.#finalCause(check, answer),
    };
    this.#report(check, domain, answer, learnt, nowMs);
  }

  /** What a domain or host cannot be blamed for while nothing at all is reached. */
  #finalCause(check: AddressCheck, answer: Answer): Detail {
    const isSilent = check.knownDomain?.facts.isSilent === true && this.#isCutOff('dns', check);
    return answer.kind === 'no_dns' && isSilent ? 'network_down' : this.#waitingCause(check, answer);
  }

  /** Of DNS the word stays, by which a list that ends tells it from mail hosts (unanswered.ts). */
  #waitingCause(check: AddressCheck, answer: Answer): Detail {
    const cause = causeOf(answer, check.knownDomain);
    const isUnconnected = !answer.connected && UNCONNECTED.has(cause);
    return isUnconnected && this.#isCutOff('smtp', check) ? 'network_down' : cause;
  }

  #isCutOff(what: Network, { holder }: AddressCheck): boolean {
    return this.#networkHealth.cutOffSinceMsFor(what, holder) !== null;
  }

  /** No mail host has to be asked. */
  reportKnown(checks: readonly AddressCheck[], learnt: FindingBasis): void {
    const nowMs = this.#options.clock.now();
    for (const check of stillOpen(checks)) {
      check.move({ kind: 'known' });
      this.#report(check, check.knownDomain, null, learnt, nowMs);
    }
  }

  /** Not a name that mail is delivered to: not even DNS is asked. */
  reportDotless(checks: readonly AddressCheck[]): void {
    const dns = 'cannot_receive';
    this.reportKnown(checks, { ...UNASKED, dns, cause: 'no_such_domain', rule: DOTLESS_RULE });
  }

  /** No mailbox at all: there is not even a domain to ask about. */
  reportInvalid(round: Round, index: number, email: string, why: string): void {
    const { clock, evidence, disposable: overrides } = this.#options;
    const learnt: FindingBasis = { ...UNASKED, dns: 'not_asked', cause: 'syntax', rule: `syntax: ${why}` };
    const input = { email, address: null, domain: null, answer: null, learnt };
    const finding = makeFinding({ ...input, nowMs: clock.now(), keepEvidence: evidence, overrides });
    this.#options.onFinding(finding);
    tell(round, index, { kind: 'final', finding });
  }

  #report(
    check: AddressCheck,
    domain: DomainState | null,
    answer: Answer | null,
    learnt: FindingBasis,
    nowMs: number,
  ): void {
    const finding = makeFinding({
      email: check.question.email,
      address: check.address,
      domain,
      answer,
      learnt,
      nowMs,
      keepEvidence: this.#options.evidence,
      overrides: this.#options.disposable,
    });
    this.#options.onFinding(finding);
    const asked = askedOf(check, domain, answer, finding);
    check.tell({ kind: 'final', finding, ...(asked === null ? {} : { asked }) });
  }
}

/** Null: its mail server has said nothing about a recipient. */
function askedOf(
  { address }: AddressCheck,
  domain: DomainState | null,
  answer: Answer | null,
  finding: Finding,
): AskedRecipient | null {
  if (domain === null || answer === null) return null;
  const is = isUnknown(domain, answer.meaning);
  const catchAll = catchAllOf(finding);
  if (is === null && catchAll === undefined) return null;
  return { domain: address.domain, isUnknown: is, ...(catchAll && { catchAll }) };
}

/** As the verdict has it: accepted without doubt is only what a domain accepts that refuses others. */
function catchAllOf({ acceptAll, reason }: Finding): AskedRecipient['catchAll'] {
  if (acceptAll) return 'yes';
  return reason === 'accepted_email' ? 'no' : undefined;
}

/** Where DNS failed, its facts have the more precise detail. */
function causeOf(answer: Answer, domain: DomainState | null): Detail {
  return (answer.kind === 'no_dns' ? domain?.facts.detail : null) ?? answer.detail;
}
