// What asking has taught about one domain, and what has to be asked next to understand an answer from it. Pure: time as
// an argument. Promise: one probe of either kind at a time; whether an answer stands is decided here; the checks
// that wait for it are in the index (waiting-index.ts).
import { invariant } from '@mxproof/common/invariant';
import type { MailTarget } from '../dns/domain-facts.ts';
import type { Answer } from '../state/answer.ts';
import type { Address, Clarity } from '../types.ts';
import { CatchAll } from './catch-all.ts';
import { type LapsedTenant, lapsedBy } from './lapsed-tenant.ts';
import { RefuseAll } from './refuse-all.ts';

/** What a text takes in memory beside its characters. */
const TEXT_BYTES = 40;

/** What to ask next: the catch-all probe behind a real recipient or in a session of its own, postmaster, or nothing. */
export type Need = 'nothing' | 'catch_all' | 'catch_all_alone' | 'postmaster';

/** Whether an answer stands. A need: it waits, and that has to be asked for it. */
export type AnswerStatus = 'ready' | 'refuses_all' | 'wait' | Exclude<Need, 'nothing' | 'catch_all'>;

export class DomainKnowledge {
  readonly catchAll = new CatchAll();
  readonly refuseAll: RefuseAll;
  /** A probe of either kind is queued or on the wire. */
  probing = false;
  /** What was learnt takes so much memory, about; what is replaced is not taken off. */
  bytes = 0;
  #open = 0;
  #lapsed: LapsedTenant | null = null;
  readonly #grew: (bytes: number) => void;

  constructor(grew: (bytes: number) => void = () => {}) {
    this.#grew = grew;
    this.refuseAll = new RefuseAll((bytes) => this.#grow(bytes));
  }

  /** Real recipients queued, on the wire, or answered and waiting for their DNS answer's proof. */
  get open(): number {
    return this.#open;
  }

  /** Real recipients are queued; where none was open, a probe that missed may be asked again. */
  begin(count: number, nowMs: number): void {
    this.catchAll.begin(this.#open === 0, this.probing, nowMs);
    this.#open += count;
  }

  /** One of them is open no longer. */
  left(): void {
    this.#open -= 1;
    invariant(this.#open >= 0, 'a domain has fewer than no open recipients');
  }

  known(nowMs: number): boolean {
    return this.catchAll.known(nowMs);
  }

  /** Whether a flight with a real recipient of this domain should carry the catch-all probe behind it. */
  wantsProbe(nowMs: number): Need {
    if (this.probing || this.known(nowMs) || this.catchAll.heldMs(nowMs) !== null) return 'nothing';
    return this.catchAll.goesAlone ? 'catch_all_alone' : 'catch_all';
  }

  /** A real recipient's answer that says something about its mailbox. */
  learn(address: Address, answer: Answer): void {
    this.#lapsed = null;
    this.refuseAll.learn(address, answer);
  }

  /** A real recipient's answer that says nothing about its mailbox. True: its domain is found to have lapsed. */
  hasLapsed(answer: Answer, targets: readonly MailTarget[], nowMs: number): boolean {
    if (this.lapsedRule(nowMs) !== null) return false;
    this.#lapsed = lapsedBy(answer, targets, nowMs);
    return this.#lapsed !== null;
  }

  /** Why none of its addresses is asked about; null: they are. */
  lapsedRule(nowMs: number): string | null {
    return this.#lapsed !== null && nowMs < this.#lapsed.untilMs ? this.#lapsed.rule : null;
  }

  standing(address: Address, answer: Answer, nowMs: number): AnswerStatus {
    return answer.meaning === 'no_mailbox' ? this.#refusal(address, answer, nowMs) : this.#acceptance(nowMs);
  }

  /** The catch-all probe's answer. */
  probed(address: Address, answer: Answer, nowMs: number, words: string): void {
    this.probing = false;
    if (!this.catchAll.probed(answer, nowMs, words)) return;
    this.#grow(TEXT_BYTES + words.length);
    this.refuseAll.probed(address, answer);
  }

  postmasterAsked(address: Address, answer: Answer, ip: string | null): void {
    this.probing = false;
    this.refuseAll.postmasterAsked(address, answer, ip);
  }

  #acceptance(nowMs: number): AnswerStatus {
    if (this.known(nowMs)) return 'ready';
    if (this.probing) return 'wait';
    const mayProbe = this.catchAll.mayProbe && this.catchAll.heldMs(nowMs) === null;
    return mayProbe ? 'catch_all_alone' : 'ready';
  }

  #refusal(address: Address, answer: Answer, nowMs: number): AnswerStatus {
    const { reply, clarity, ip } = answer;
    if (this.refuseAll.acceptedBy(ip) || reply === null) return 'ready';
    if (!this.known(nowMs)) return this.#unproven(clarity);
    if (this.catchAll.answer === 'yes') return 'ready';
    const standing = this.refuseAll.standing(address, answer);
    if (standing !== 'not_known') return standing === 'mailbox' ? 'ready' : standing;
    if (this.refuseAll.isSuspected(clarity)) return this.probing ? 'wait' : 'postmaster';
    return this.#open > 0 ? 'wait' : 'ready';
  }

  /** Refused, and the catch-all probe has no answer: where all were refused, one that got lost is asked again. */
  #unproven(clarity: Clarity): AnswerStatus {
    if (this.probing) return 'wait';
    if (!this.catchAll.mayAskLostAgain) return 'ready';
    if (this.refuseAll.isSuspected(clarity)) return 'catch_all_alone';
    return this.#open > 0 ? 'wait' : 'ready';
  }

  #grow(bytes: number): void {
    this.bytes += bytes;
    this.#grew(bytes);
  }
}
