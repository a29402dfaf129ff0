// Makes the comparisons that vague refusals wait for: looks at one address at a time beside others that the host accepts.
// Promise: each address that waits is moved on within minutes, or handed back by its caller's abort; the questions are
// probes like others, under the same limits and pauses.

import type { Answer } from '../state/answer.ts';
import type { CheckEvent } from '../state/check-state.ts';
import type { Task } from '../state/task.ts';
import type { VagueRefusal } from '../state/vague-refusal.ts';
import type { Address, Clock } from '../types.ts';
import type { AddressCheck } from './address-check.ts';
import { type ComparedAddress, Comparison, comparedAnswer } from './comparison.ts';
import { arrange, Look } from './look.ts';
import { LookTask } from './look-task.ts';
import { onlyAt } from './probe-task.ts';
import { comparedKey, hostKey, type WaitingIndex } from './waiting-index.ts';

export interface ComparisonLooksOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly waiting: WaitingIndex<AddressCheck>;
  /** In a session of their own, in this order. */
  readonly ask: (tasks: readonly Task[]) => void;
  readonly go: (check: AddressCheck, event: CheckEvent) => void;
}

interface WaitingCheck extends ComparedAddress {
  readonly check: AddressCheck;
  readonly answer: Answer;
}

export class ComparisonLooks {
  readonly #options: ComparisonLooksOptions;
  readonly #comparison: Comparison;
  /** Skips the bookkeeping until the first comparison: most runs have none. */
  #isUsed = false;

  constructor(options: ComparisonLooksOptions) {
    this.#options = options;
    const { waiting } = options;
    this.#comparison = new Comparison({
      atHost: (ip) => waiting.count(hostKey(ip)),
      ofDomain: (ip, domain) => this.#hostsOf(domain).filter((one) => one === ip).length,
    });
  }

  accepted({ address }: AddressCheck, ip: string): void {
    this.#comparison.accepted(ip, address.domain, address.mailbox);
  }

  /** Not null: the refusal can be compared, and its check waits for that; call `goOn` next. */
  begin(check: AddressCheck, answer: Answer, nowMs: number): VagueRefusal | null {
    const { address, domain, question } = check;
    const { refuseAll } = domain.knowledge;
    const wasAccepted =
      question.resume?.meaning === 'accepted' || refuseAll.controlsAt(answer.ip).includes(address.local);
    const refusal = this.#comparison.begin(address, answer, wasAccepted, nowMs);
    if (refusal !== null) this.#isUsed = true;
    return refusal;
  }

  /** An answer came that comparisons of this domain may wait for. */
  goOn(domain: string): void {
    if (this.#isUsed) for (const ip of new Set(this.#hostsOf(domain))) this.#goOnAt(ip);
  }

  /** Recipients of these domains were handed back that comparisons may wait for. */
  goOnEverywhere(domains: Iterable<string>): void {
    if (!this.#isUsed) return;
    const hosts = new Set<string>();
    for (const domain of domains) for (const ip of this.#hostsOf(domain)) hosts.add(ip);
    for (const ip of hosts) this.#goOnAt(ip);
  }

  /** Where its checks wait, a host for each of them. */
  #hostsOf(domain: string): readonly string[] {
    return this.#options.waiting
      .at(comparedKey(domain))
      .flatMap(({ state }) => (state.at === 'comparison' ? [state.refusal.ip] : []));
  }

  #goOnAt(ip: string): void {
    const { clock, waiting, go } = this.#options;
    const nowMs = clock.now();
    const those = waiting.at(hostKey(ip)).flatMap(toCompared);
    const { freed, look } = this.#comparison.next(ip, those, nowMs, othersOf);
    for (const { compared, isMailbox } of freed) {
      const { check, answer, refusal } = compared;
      if (check.isOver) continue;
      go(check, { kind: 'compared', answer: isMailbox ? comparedAnswer(answer, refusal) : null });
    }
    if (look !== null) this.#look(look);
  }

  #look({ check, answer: first, refusal }: WaitingCheck): void {
    const { random, ask, clock } = this.#options;
    const { ip, sentence } = refusal;
    const { address, domain, holder } = check;
    const look = new Look(arrange(sentence.looks, random), first, sentence.like);
    const tasks: LookTask[] = [];
    let isOver = false;
    const hear = (at: number, asked: Address, answer: Answer) => {
      const outcome = look.hear(at, { address: asked }, answer);
      if (outcome === null || isOver) return;
      isOver = true;
      for (const one of tasks) one.giveUp();
      this.#comparison.looked(refusal, address.mailbox, outcome, clock.now());
      this.#goOnAt(ip);
    };
    const controls = domain.knowledge.refuseAll.controlsAt(ip);
    const here = onlyAt(domain, ip);
    let turn = Math.floor(random() * controls.length);
    for (const [at, slot] of look.slots.entries()) {
      const local = controls[turn % controls.length] ?? '';
      if (slot === 'c') turn += 1;
      const control = { ...address, local, mailbox: `${local}@${address.domain}` };
      const asked = slot === 'c' ? control : address;
      tasks.push(new LookTask(asked, here, holder, first, (answer) => hear(at, asked, answer)));
    }
    ask(tasks);
  }
}

function toCompared(check: AddressCheck): WaitingCheck[] {
  const { state, address, single } = check;
  if (state.at !== 'comparison') return [];
  return [{ check, address, single, answer: state.answer, refusal: state.refusal }];
}

function othersOf({ check, refusal }: WaitingCheck) {
  const { single, domain } = check;
  const { knowledge } = domain;
  const hasControl = knowledge.refuseAll.controlsAt(refusal.ip).length > 0;
  return { hasControl, mayCome: knowledge.probing || (!single && knowledge.open > 0) };
}
