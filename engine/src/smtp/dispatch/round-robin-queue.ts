// Tasks in the order they came, and those of several lots by turns. Promise: nothing is copied or searched for a task that
// is taken from the front.
import type { Task } from '../../state/task.ts';

/** An array with a moving head: shift() on a long array copies it. */
export class Fifo {
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
export class RoundRobinQueue {
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
