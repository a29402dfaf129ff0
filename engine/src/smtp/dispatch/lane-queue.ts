// Recipients that wait for one group of MX hosts, by holder and domain. Promise: single checks before lists; holders by
// turns, then the domains of a holder, then its lots within a domain; room that is left is filled with what other holders
// ask about the same domain; a domain's catch-all probe behind at least one real recipient, a look's questions before
// anything else and in their order, withdrawn tasks never handed out.

import { type Holder, payerOf } from '@mxproof/common/fair-share';
import { invariant } from '@mxproof/common/invariant';
import { QueueSet } from '@mxproof/common/queue-set';
import type { CheckEvent, HostQueue } from '../../state/check-state.ts';
import type { Task } from '../../state/task.ts';
import type { Behalf } from '../hosts/refused-place.ts';
import { Fifo, RoundRobinQueue } from './round-robin-queue.ts';

/** What one holder asks about one domain. */
interface Part {
  readonly holder: Holder;
  readonly domain: string;
  /** Of the domain, by holder. */
  readonly all: Map<Holder, Part>;
  readonly single: Fifo;
  readonly list: RoundRobinQueue;
  /** Probes, sent behind a real recipient. */
  readonly extra: Task[];
  /** The questions of looks, which must stay together. */
  readonly looks: Fifo;
}

function isEmpty({ single, list, extra, looks }: Part): boolean {
  return single.length + list.length + extra.length + looks.length === 0;
}

/** Holders by turns, and the domains of each. */
class PartTurns {
  /** As many as accounts: few enough to step over those that are gone. */
  readonly #holders = new Map<Holder, QueueSet<Part>>();

  get holders(): readonly Holder[] {
    return [...this.#holders.keys()];
  }

  /** Last of its holder, unless it is there already. */
  add(part: Part): void {
    const parts = this.#holders.get(part.holder);
    if (parts === undefined) this.#holders.set(part.holder, new QueueSet([part]));
    else parts.add(part);
  }

  /** The next turn is another holder's, and this holder's next one another domain's, where there are any. */
  next(): Part | undefined {
    const [holder, parts] = this.#holders.entries().next().value ?? [];
    if (holder === undefined || parts === undefined) return undefined;
    if (this.#holders.size > 1) {
      this.#holders.delete(holder);
      this.#holders.set(holder, parts);
    }
    const part = parts.shift();
    if (part !== undefined) parts.add(part);
    return part;
  }

  /** The domain whose turn is the holder's next. */
  domainOf(holder: Holder): string | undefined {
    return this.#holders.get(holder)?.values().next().value?.domain;
  }

  delete(part: Part): void {
    const parts = this.#holders.get(part.holder);
    if (parts?.delete(part) === true && parts.size === 0) this.#holders.delete(part.holder);
  }
}

export class LaneQueue {
  readonly #domains = new Map<string, Map<Holder, Part>>();
  readonly #turns = new PartTurns();
  /** Those with single checks, and those with looks. Seldom needed, and there may be thousands of lanes. */
  #single: PartTurns | null = null;
  #looking: PartTurns | null = null;
  /** Tasks queued, withdrawn ones included until they are met. */
  size = 0;
  singles = 0;
  readonly #sizes = new Map<Holder, number>();
  readonly #entered: Extract<CheckEvent, { kind: 'queued' }>;

  /** `of`: what its tasks are queued at. */
  constructor(of: HostQueue) {
    this.#entered = { kind: 'queued', queue: of };
  }

  /** Holders with queued tasks, in the order of their turns. */
  get holders(): readonly Holder[] {
    return this.#turns.holders;
  }

  /** What a session that is opened for this holder asks about first. */
  behalfOf(holder: Holder): Behalf {
    return { payer: payerOf(holder), domain: this.#turns.domainOf(holder) ?? '' };
  }

  /** As `size`, by holder. */
  get sizes(): ReadonlyMap<Holder, number> {
    return this.#sizes;
  }

  /** The lots of the queued recipients; of single checks only the next one's. */
  get lots(): number[] {
    const lots = new Set<number>();
    for (const parts of this.#domains.values())
      for (const { single, list } of parts.values()) {
        if (single.first !== undefined) lots.add(single.first.lot);
        for (const lot of list.lots) lots.add(lot);
      }
    return [...lots];
  }

  push(task: Task): void {
    this.#enter(task);
    const part = this.#partOf(task);
    if (task.kind === 'compared') part.looks.push(task);
    else if (task.kind !== 'real') part.extra.push(task);
    else if (task.single) part.single.push(task);
    else part.list.push(task);
    this.#count(task, 1);
    this.#hurry(task, part);
  }

  /** Back to the front: it was on the wire already. */
  pushBack(task: Task): void {
    this.#enter(task);
    const part = this.#partOf(task);
    if (task.kind === 'compared') part.looks.unshift(task);
    else if (task.kind !== 'real') part.extra.unshift(task);
    else if (task.single) part.single.unshift(task);
    else part.list.unshift(task);
    this.#count(task, 1);
    this.#hurry(task, part);
  }

  /**
   * Some of one domain's recipients, at most `most`; the next call serves another holder, or another domain. The first may
   * add a probe behind them, for which a place is kept.
   */
  take(most: number): Task[] {
    return this.#take(most, true);
  }

  #take(most: number, mayProbe: boolean): Task[] {
    const tasks: Task[] = [];
    const part = this.#looking?.next() ?? this.#single?.next() ?? this.#turns.next();
    if (part === undefined) return tasks;
    this.#drain(part.looks, most, tasks);
    if (tasks.length === 0) this.#takeOthers(part, most, mayProbe, tasks);
    this.#settle(part);
    return tasks;
  }

  #takeOthers(part: Part, most: number, mayProbe: boolean, tasks: Task[]): void {
    this.#fill(part, 1, tasks);
    const extra = mayProbe ? (tasks[0]?.probeBehind() ?? null) : null;
    if (extra !== null) this.push(extra);
    let extras = 0;
    for (const one of part.all.values()) extras += one.extra.length;
    this.#fill(part, Math.max(1, most - extras), tasks);
    if (extras > 0) for (const one of part.all.values()) this.#drainExtra(one, most, tasks);
    if (part.all.size > 1) for (const one of part.all.values()) if (one !== part) this.#settle(one);
  }

  /** Its own first; then one of each other holder's, again and again, so that small ones share a flight. */
  #fill(part: Part, most: number, tasks: Task[]): void {
    this.#drain(part.single, most, tasks);
    this.#drain(part.list, most, tasks);
    if (part.all.size === 1) return;
    for (const kind of ['single', 'list'] as const) {
      let before = -1;
      while (tasks.length < most && tasks.length > before) {
        before = tasks.length;
        for (const one of part.all.values())
          if (one !== part) this.#drain(one[kind], Math.min(most, tasks.length + 1), tasks);
      }
    }
  }

  #drainExtra({ extra }: Part, most: number, tasks: Task[]): void {
    while (tasks.length < most) {
      const next = extra.shift();
      if (next === undefined) return;
      this.#count(next, -1);
      tasks.push(next);
    }
  }

  /** Everything, for when this lane leads nowhere. */
  takeAll(): Task[] {
    const tasks: Task[] = [];
    while (this.size > 0 && this.#domains.size > 0) tasks.push(...this.#take(1024, false));
    return tasks;
  }

  /** Everything of this holder. */
  takeOf(holder: Holder): Task[] {
    const tasks: Task[] = [];
    for (const all of [...this.#domains.values()]) {
      const part = all.get(holder);
      if (part === undefined) continue;
      for (const from of [part.looks, part.single, part.list])
        this.#drain(from, Number.POSITIVE_INFINITY, tasks);
      this.#drainExtra(part, Number.POSITIVE_INFINITY, tasks);
      this.#settle(part);
    }
    return tasks;
  }

  #drain(from: Fifo | RoundRobinQueue, most: number, into: Task[]): void {
    while (from.length > 0 && into.length < most) {
      const task = from.shift();
      if (task === undefined) return;
      this.#count(task, -1);
      if (!task.isDone) into.push(task);
    }
  }

  /** What was sent and could not be asked is in this queue's state already. */
  #enter(task: Task): void {
    const { state } = task;
    if (state.at !== 'queued' || state.queue !== this.#entered.queue) task.move(this.#entered);
  }

  #count(task: Task, by: 1 | -1): void {
    this.size += by;
    invariant(this.size >= 0, 'a queue has fewer than no tasks');
    const left = (this.#sizes.get(task.holder) ?? 0) + by;
    if (left > 0) this.#sizes.set(task.holder, left);
    else this.#sizes.delete(task.holder);
    if (task.single && task.kind === 'real') this.singles += by;
    invariant(this.singles >= 0, 'a queue has fewer than no single checks');
  }

  #hurry(task: Task, part: Part): void {
    if (task.kind === 'compared') {
      this.#looking ??= new PartTurns();
      this.#looking.add(part);
    } else if (task.single && task.kind === 'real') {
      this.#single ??= new PartTurns();
      this.#single.add(part);
    }
  }

  /** Tasks were removed: it keeps its turns only while it has others. */
  #settle(part: Part): void {
    if (part.single.length === 0) this.#single?.delete(part);
    if (part.looks.length === 0) this.#looking?.delete(part);
    if (!isEmpty(part)) return;
    this.#turns.delete(part);
    part.all.delete(part.holder);
    if (part.all.size === 0) this.#domains.delete(part.domain);
  }

  #partOf({ domain: { name }, holder }: Task): Part {
    let all = this.#domains.get(name);
    if (all === undefined) {
      all = new Map();
      this.#domains.set(name, all);
    }
    let part = all.get(holder);
    if (part === undefined) {
      const [single, list, looks] = [new Fifo(), new RoundRobinQueue(), new Fifo()];
      part = { holder, domain: name, all, single, list, extra: [], looks };
      all.set(holder, part);
      this.#turns.add(part);
    }
    return part;
  }
}
