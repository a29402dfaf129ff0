// Recipients that wait for one group of exchangers, by domain. Promise: single checks before lists, domains by
// turns and lots by turns within a domain, a domain's impossible recipient behind at least one real one, a look's questions
// before anything else and in their order, withdrawn tasks never handed out.
import type { Task } from '../session/task.ts';

interface DomainQueue {
  readonly single: Fifo;
  readonly list: LotTurns;
  /** Probes whose turn is after a real recipient has been taken. */
  readonly extra: Task[];
  /** Questions that are worth something only together. */
  readonly looks: Fifo;
}

/** An array with a moving head: shift() on a long array copies it. */
class Fifo {
  #tasks: (Task | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#tasks.length - this.#head;
  }

  get first(): Task | undefined {
    return this.#tasks[this.#head];
  }

  push(task: Task): void {
    this.#tasks.push(task);
  }

  unshift(task: Task): void {
    if (this.#head > 0) {
      this.#head -= 1;
      this.#tasks[this.#head] = task;
    } else {
      this.#tasks.unshift(task);
    }
  }

  shift(): Task | undefined {
    const task = this.#tasks[this.#head];
    this.#tasks[this.#head] = undefined;
    this.#head += 1;
    if (this.#head >= this.#tasks.length) {
      this.#tasks = [];
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#tasks.length) {
      this.#tasks = this.#tasks.slice(this.#head);
      this.#head = 0;
    }
    return task;
  }
}

/** A queue for each lot that has something; the lots are served in turns. */
class LotTurns {
  readonly #lots = new Map<number, Fifo>();
  /** The only lot, which needs no turns: nearly always there is one. */
  #alone: Fifo | null = null;
  length = 0;

  get lots(): Iterable<number> {
    return this.#lots.keys();
  }

  push(task: Task): void {
    this.#of(task.lot).push(task);
    this.length += 1;
  }

  unshift(task: Task): void {
    this.#of(task.lot).unshift(task);
    this.length += 1;
  }

  shift(): Task | undefined {
    const tasks = this.#alone ?? this.#lots.values().next().value;
    const task = tasks?.shift();
    if (tasks === undefined || task === undefined) return undefined;
    this.length -= 1;
    if (tasks !== this.#alone || tasks.length === 0) this.#toTheEnd(task.lot, tasks);
    return task;
  }

  #toTheEnd(lot: number, tasks: Fifo): void {
    this.#lots.delete(lot);
    if (tasks.length > 0) this.#lots.set(lot, tasks);
    this.#seeWhoIsAlone();
  }

  #seeWhoIsAlone(): void {
    this.#alone = this.#lots.size === 1 ? (this.#lots.values().next().value ?? null) : null;
  }

  #of(lot: number): Fifo {
    let tasks = this.#lots.get(lot);
    if (tasks === undefined) {
      tasks = new Fifo();
      this.#lots.set(lot, tasks);
      this.#seeWhoIsAlone();
    }
    return tasks;
  }
}

export class LaneQueue {
  readonly #domains = new Map<string, DomainQueue>();
  /** Tasks queued, withdrawn ones included until they are met. */
  size = 0;
  singles = 0;
  #looks = 0;

  /** Whose recipients wait, of single checks only the next one's. */
  get lots(): number[] {
    const lots = new Set<number>();
    for (const { single, list } of this.#domains.values()) {
      if (single.first !== undefined) lots.add(single.first.lot);
      for (const lot of list.lots) lots.add(lot);
    }
    return [...lots];
  }

  push(task: Task): void {
    const queue = this.#queueOf(task.domain.name);
    if (task.kind === 'compared') queue.looks.push(task);
    else if (task.kind !== 'real') queue.extra.push(task);
    else if (task.single) queue.single.push(task);
    else queue.list.push(task);
    this.#count(task, 1);
  }

  /** Back to the front: it was on the wire already. */
  pushBack(task: Task): void {
    task.onWire = false;
    const queue = this.#queueOf(task.domain.name);
    if (task.kind === 'compared') queue.looks.unshift(task);
    else if (task.kind !== 'real') queue.extra.unshift(task);
    else if (task.single) queue.single.unshift(task);
    else queue.list.unshift(task);
    this.#count(task, 1);
  }

  /** After the others, which need not wait for it. */
  pushLast(task: Task): void {
    task.onWire = false;
    this.push(task);
  }

  /**
   * Some of one domain's recipients, at most `most`; the next call serves another domain. The first may add a probe
   * behind them, for which a place is kept.
   */
  take(most: number): Task[] {
    return this.#take(most, true);
  }

  #take(most: number, mayProbe: boolean): Task[] {
    const [name, queue] = this.#nextDomain() ?? [];
    if (name === undefined || queue === undefined) return [];
    const tasks: Task[] = [];
    this.#drain(queue.looks, most, tasks);
    if (tasks.length === 0) this.#takeOthers(queue, most, mayProbe, tasks);
    this.#domains.delete(name);
    // To the end of the line, so that a large domain does not keep the others waiting.
    const { single, list, extra, looks } = queue;
    if (single.length + list.length + extra.length + looks.length > 0) this.#domains.set(name, queue);
    return tasks;
  }

  #takeOthers(queue: DomainQueue, most: number, mayProbe: boolean, tasks: Task[]): void {
    this.#drain(queue.single, 1, tasks);
    this.#drain(queue.list, 1, tasks);
    const extra = mayProbe ? (tasks[0]?.probeBehind() ?? null) : null;
    if (extra !== null) {
      queue.extra.push(extra);
      this.#count(extra, 1);
    }
    const real = Math.max(1, most - queue.extra.length);
    this.#drain(queue.single, real, tasks);
    this.#drain(queue.list, real, tasks);
    while (queue.extra.length > 0 && tasks.length < most) {
      const next = queue.extra.shift();
      if (next === undefined) break;
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

  #nextDomain(): [string, DomainQueue] | undefined {
    if (this.#looks > 0) for (const entry of this.#domains) if (entry[1].looks.length > 0) return entry;
    if (this.singles > 0) for (const entry of this.#domains) if (entry[1].single.length > 0) return entry;
    return this.#domains.entries().next().value;
  }

  #drain(from: Fifo | LotTurns, most: number, into: Task[]): void {
    while (from.length > 0 && into.length < most) {
      const task = from.shift();
      if (task === undefined) return;
      this.#count(task, -1);
      if (task.withdrawn) continue;
      task.onWire = true;
      into.push(task);
    }
  }

  #count(task: Task, by: 1 | -1): void {
    this.size += by;
    if (task.kind === 'compared') this.#looks += by;
    else if (task.single && task.kind === 'real') this.singles += by;
  }

  #queueOf(domain: string): DomainQueue {
    let queue = this.#domains.get(domain);
    if (queue === undefined) {
      queue = { single: new Fifo(), list: new LotTurns(), extra: [], looks: new Fifo() };
      this.#domains.set(domain, queue);
    }
    return queue;
  }
}
