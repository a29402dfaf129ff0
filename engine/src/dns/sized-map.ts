// Entries by name within a budget of bytes. Promise: beyond it the oldest go, those in use excepted; beyond a quarter of it
// large entries evict only each other, so that a zone with large answers pays for them itself.

import { invariant } from '@mxproof/common/invariant';

export interface SizedEntry {
  /** An estimate. Changed by `grow` alone. */
  bytes: number;
}

export interface SizedMapOptions<Value> {
  readonly budgetBytes: number;
  /** What no honest entry needs. */
  readonly largeFromBytes: number;
  readonly isInUse?: (value: Value) => boolean;
}

const LARGE_PART = 4;
/** Of one call: those in use are passed over, and there may be many of them. */
const PASSED_OVER_MAX = 16;

export class SizedMap<Value extends SizedEntry> {
  readonly #options: SizedMapOptions<Value>;
  readonly #all = new EntriesByAge<Value>();
  /** Those of them that are large. */
  readonly #large = new EntriesByAge<Value>();

  constructor(options: SizedMapOptions<Value>) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#all.bytes;
  }

  get(name: string): Value | undefined {
    return this.#all.get(name);
  }

  /** As the youngest. */
  set(name: string, value: Value): void {
    this.delete(name);
    this.#put(name, value);
    this.#makeRoom();
  }

  delete(name: string): void {
    const value = this.#all.get(name);
    if (value === undefined) return;
    this.#all.remove(name, value);
    if (this.#isLarge(value)) this.#large.remove(name, value);
  }

  grow(name: string, byBytes: number): void {
    const value = this.#all.get(name);
    if (value === undefined) return;
    if (this.#isLarge(value)) this.#large.remove(name, value);
    value.bytes += byBytes;
    this.#all.bytes += byBytes;
    if (this.#isLarge(value)) this.#large.put(name, value);
    this.#makeRoom();
  }

  #put(name: string, value: Value): void {
    this.#all.put(name, value);
    if (this.#isLarge(value)) this.#large.put(name, value);
  }

  #isLarge({ bytes }: Value): boolean {
    return bytes >= this.#options.largeFromBytes;
  }

  #makeRoom(): void {
    const { budgetBytes, isInUse } = this.#options;
    let passedOver = 0;
    while (this.bytes > budgetBytes || this.#large.bytes > budgetBytes / LARGE_PART) {
      const side = this.#large.bytes > budgetBytes / LARGE_PART ? this.#large : this.#all;
      const name = side.oldest();
      const value = name === undefined ? undefined : side.get(name);
      if (name === undefined || value === undefined) return;
      this.delete(name);
      if (isInUse?.(value) !== true) continue;
      this.#put(name, value);
      passedOver += 1;
      if (passedOver === PASSED_OVER_MAX) return;
    }
  }
}

class EntriesByAge<Value extends SizedEntry> extends Map<string, Value> {
  bytes = 0;
  /**
   * Kept between calls: a new iterator would step over every deleted entry again. Replaced once more entries were removed
   * than are left: an iterator that does not move keeps every hash table that the map has outgrown.
   */
  #oldest: MapIterator<string> | null = null;
  #removed = 0;

  put(name: string, value: Value): void {
    this.set(name, value);
    this.bytes += value.bytes;
  }

  remove(name: string, value: Value): void {
    this.delete(name);
    this.bytes -= value.bytes;
    invariant(this.bytes >= 0, 'a book holds fewer than no bytes');
    this.#removed += 1;
    if (this.#removed <= this.size) return;
    this.#oldest = null;
    this.#removed = 0;
  }

  oldest(): string | undefined {
    this.#oldest ??= this.keys();
    return this.#oldest.next().value;
  }
}
