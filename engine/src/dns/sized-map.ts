// Entries by name within a budget of bytes. Promise: beyond it the oldest go, those in use excepted; large ones have a
// quarter of it for themselves and push out nobody but each other, so that a zone with large answers pays for them itself.

export interface Sized {
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

export class SizedMap<Value extends Sized> {
  readonly #options: SizedMapOptions<Value>;
  readonly #ordinary = new ByAge<Value>();
  readonly #large = new ByAge<Value>();

  constructor(options: SizedMapOptions<Value>) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#ordinary.bytes + this.#large.bytes;
  }

  get(name: string): Value | undefined {
    return this.#ordinary.get(name) ?? this.#large.get(name);
  }

  /** As the youngest. */
  set(name: string, value: Value): void {
    this.delete(name);
    this.#sideOf(value).put(name, value);
    this.#makeRoom();
  }

  delete(name: string): void {
    this.#ordinary.remove(name);
    this.#large.remove(name);
  }

  grow(name: string, byBytes: number): void {
    const value = this.get(name);
    if (value === undefined) return;
    const before = this.#sideOf(value);
    value.bytes += byBytes;
    before.bytes += byBytes;
    const after = this.#sideOf(value);
    if (after !== before) {
      before.remove(name);
      after.put(name, value);
    }
    this.#makeRoom();
  }

  #sideOf({ bytes }: Value): ByAge<Value> {
    return bytes < this.#options.largeFromBytes ? this.#ordinary : this.#large;
  }

  #makeRoom(): void {
    const { budgetBytes } = this.#options;
    let passedOver = 0;
    while (this.bytes > budgetBytes || this.#large.bytes > budgetBytes / LARGE_PART) {
      const isLargeDue = this.#large.bytes > budgetBytes / LARGE_PART || this.#ordinary.size === 0;
      const side = isLargeDue ? this.#large : this.#ordinary;
      const name = side.oldest();
      const value = name === undefined ? undefined : side.get(name);
      if (name === undefined || value === undefined) return;
      side.remove(name);
      if (this.#options.isInUse?.(value) !== true) continue;
      side.put(name, value);
      passedOver += 1;
      if (passedOver === PASSED_OVER_MAX) return;
    }
  }
}

class ByAge<Value extends Sized> extends Map<string, Value> {
  bytes = 0;
  /**
   * Kept from one time to the next: a new one each time would step over all that were deleted before. Made anew once more
   * were removed than are left: one that stands still keeps every table that the map has outgrown.
   */
  #oldest: MapIterator<string> | null = null;
  #removed = 0;

  put(name: string, value: Value): void {
    this.set(name, value);
    this.bytes += value.bytes;
  }

  remove(name: string): void {
    const value = this.get(name);
    if (value === undefined) return;
    this.delete(name);
    this.bytes -= value.bytes;
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
