// Refusals that alone say nothing certain: who waits for a comparison, whom it is made with, and what is told then.
// Promise: what is taken in here is concluded, within minutes, or handed back by its asker's abort; the looks are probes
// like others, under the same limits and pauses.

import type { AddressCheck } from '../asking/address-check.ts';
import { type Candidate, Comparison, comparedAnswer } from '../smtp/knowledge/comparison.ts';
import { arrange, Look } from '../smtp/knowledge/look.ts';
import { LookTask } from '../smtp/knowledge/look-task.ts';
import { onlyAt } from '../smtp/knowledge/probe-task.ts';
import type { Answer, Task } from '../smtp/session/task.ts';
import type { Address, Clock } from '../types.ts';
import type { Conclude } from './conclude.ts';

export interface CompareOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** In a session of their own, in this order. */
  readonly ask: (tasks: readonly Task[]) => void;
  readonly conclude: Conclude;
}

export class Compare {
  readonly #options: CompareOptions;
  readonly #comparison = new Comparison<AddressCheck>();

  constructor(options: CompareOptions) {
    this.#options = options;
  }

  /** A recipient was taken. */
  took({ address }: AddressCheck, ip: string): void {
    this.#comparison.took(ip, address.domain, address.mailbox);
  }

  /** Whether a refusal is kept until it has been compared; `goOn` then sees to it. */
  keeps(addressCheck: AddressCheck, answer: Answer, nowMs: number): boolean {
    const { address, domain, question } = addressCheck;
    const { local } = address;
    const wasTaken =
      question.resume?.meaning === 'accepted' || domain.knowledge.controlsAt(answer.ip).includes(local);
    const isKept = this.#comparison.hold({ task: addressCheck, answer }, wasTaken, nowMs);
    // While it waits it can be handed back: nothing of its own is on its way any more.
    if (isKept) addressCheck.onWire = false;
    return isKept;
  }

  /** Something has come that those of this domain may have waited for; of every domain, if none is named. */
  goOn(domain?: string): void {
    if (!this.#comparison.waiting) return;
    for (const ip of this.#comparison.placesOf(domain)) this.#goOnAt(ip);
  }

  #goOnAt(ip: string): void {
    const nowMs = this.#options.clock.now();
    const { freed, look } = this.#comparison.next(ip, nowMs, othersOf);
    for (const { candidate, isMailbox } of freed) {
      const { task, answer } = candidate.held;
      const { conclude } = this.#options;
      if (isMailbox) conclude.byAnswer(task, task.domain, comparedAnswer(candidate), false, nowMs);
      else conclude.failed(task, task.domain, answer);
    }
    if (look !== null) this.#look(look);
  }

  #look(candidate: Candidate<AddressCheck>): void {
    const { random, ask, clock } = this.#options;
    const { ip, sentence, held } = candidate;
    const { address, domain, holder } = held.task;
    const look = new Look(arrange(sentence.looks, random), held.answer, sentence.like);
    const tasks: LookTask[] = [];
    let isOver = false;
    const hear = (at: number, asked: Address, answer: Answer) => {
      const outcome = look.hear(at, { address: asked }, answer);
      if (outcome === null || isOver) return;
      isOver = true;
      // What is not on the wire need not be asked any more.
      for (const one of tasks) one.withdrawn = true;
      this.#comparison.looked(candidate, outcome, clock.now());
      this.#goOnAt(ip);
    };
    const controls = domain.knowledge.controlsAt(ip);
    const here = onlyAt(domain, ip);
    let turn = Math.floor(random() * controls.length);
    for (const [at, slot] of look.slots.entries()) {
      const local = controls[turn % controls.length] ?? '';
      if (slot === 'c') turn += 1;
      const control = { ...address, local, mailbox: `${local}@${address.domain}` };
      const asked = slot === 'c' ? control : address;
      tasks.push(new LookTask(asked, here, holder, held.answer, (answer) => hear(at, asked, answer)));
    }
    ask(tasks);
  }
}

function othersOf({ held, ip }: Candidate<AddressCheck>) {
  const { single, domain } = held.task;
  const { knowledge } = domain;
  const hasControl = knowledge.controlsAt(ip).length > 0;
  return { hasControl, mayCome: knowledge.probing || (!single && knowledge.open > 0) };
}
