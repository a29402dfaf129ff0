// The addresses of a file without their duplicates, and what was found about each.
// Promise: two spellings are one address exactly where the service says so; equal results are kept once.

import { FileError } from './file-error.ts';
import { RESULT_COLUMNS, type ResultRow } from './result-columns.ts';
import type { Found } from './table.ts';

/** Bounds the memory of the map that holds them all (ADR 0033). */
const MAX_UNIQUE = 5_000_000;

export class UniqueAddresses {
  readonly #results = new Map<string, Found | null>();
  readonly #shared = new Map<string, Found>();
  readonly #max: number;

  constructor(max = MAX_UNIQUE) {
    this.#max = max;
  }

  get size(): number {
    return this.#results.size;
  }

  add(address: string): void {
    const key = keyOf(address);
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
    return this.#results.has(keyOf(address));
  }

  /** `isChosen`: whether its rows stay where others are left out. */
  settle(row: ResultRow, isChosen = true): void {
    const key = keyOf(row.email);
    if (!this.#results.has(key)) return;
    this.#results.set(key, this.share(row, isChosen));
  }

  /** A result of whichever address: equal ones are one object. */
  share({ email: _, ...result }: ResultRow, isChosen: boolean): Found {
    const text = `${isChosen}\0${RESULT_COLUMNS.map((column) => result[column] ?? '').join('\0')}`;
    const known = this.#shared.get(text);
    const found = known ?? { result, isChosen };
    if (known === undefined) this.#shared.set(text, found);
    return found;
  }

  /** Null: nothing was found, or it is not an address of the file. */
  find(address: string): Found | null {
    return this.#results.get(keyOf(address)) ?? null;
  }
}

/** The same normalization as the service's. */
function keyOf(address: string): string {
  return address.trim().toLowerCase();
}
