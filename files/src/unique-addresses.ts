// The addresses of a file without their duplicates, as they were meant, and what was found about each.
// Promise: two spellings are one address exactly where the service says so; equal results are kept once.

import { type Fixes, meantSpelling, NO_FIXES } from './address-text.ts';
import { FileError } from './file-error.ts';
import { ALL_COLUMNS, type ResultRow } from './result-columns.ts';
import type { Found } from './table.ts';

/** Bounds the memory of the map that holds them all (ADR 0033). */
const MAX_UNIQUE = 5_000_000;

export class UniqueAddresses {
  readonly #results = new Map<string, Found | null>();
  readonly #shared = new Map<string, Found>();
  readonly #fixes: Fixes;
  readonly #max: number;

  constructor(fixes = NO_FIXES, max = MAX_UNIQUE) {
    this.#fixes = fixes;
    this.#max = max;
  }

  get size(): number {
    return this.#results.size;
  }

  /** The spelling that is checked, normalized as the service does it. */
  meant(address: string): string {
    return meantSpelling(address.trim(), this.#fixes).toLowerCase();
  }

  add(address: string): void {
    const key = this.meant(address);
    if (this.#results.has(key)) return;
    if (this.#results.size === this.#max)
      throw new FileError(
        'too_many_addresses',
        `The file has more than ${this.#max.toLocaleString('en')} different addresses: split it.`,
      );
    this.#results.set(key, null);
  }

  /** In the order they were added, trimmed and lower-cased. */
  all(): IterableIterator<string> {
    return this.#results.keys();
  }

  has(address: string): boolean {
    return this.#results.has(this.meant(address));
  }

  /** `isChosen`: whether its rows stay where others are left out. */
  settle(row: ResultRow, isChosen = true): void {
    const key = keyOf(row.email);
    if (!this.#results.has(key)) return;
    this.#results.set(key, this.share(row, isChosen));
  }

  /** A result of whichever address: equal ones are one object. */
  share({ email: _, ...result }: ResultRow, isChosen: boolean): Found {
    const text = `${isChosen}\0${ALL_COLUMNS.map((column) => result[column] ?? '').join('\0')}`;
    const known = this.#shared.get(text);
    const found = known ?? { result, isChosen };
    if (known === undefined) this.#shared.set(text, found);
    return found;
  }

  /** Null: nothing was found, or it is not an address of the file. */
  find(address: string): Found | null {
    const meant = this.meant(address);
    const found = this.#results.get(meant) ?? null;
    if (found === null || found.result.checked_as != null || meant === keyOf(address)) return found;
    return this.share({ email: meant, ...found.result, checked_as: meant }, found.isChosen);
  }
}

/** The same normalization as the service's. */
function keyOf(address: string): string {
  return address.trim().toLowerCase();
}
