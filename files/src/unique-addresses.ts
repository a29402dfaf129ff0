// The addresses of a file without their duplicates, and what was found about each.
// Promise: two spellings are one address exactly where the service says so; equal results are kept once.

import { FileError } from './file-error.ts';
import { type Cell, type ResultRow, resultCells } from './result-columns.ts';

/** Bounds the memory of the map that holds them all (ADR 0033). */
const MAX_UNIQUE = 5_000_000;

export class UniqueAddresses {
  readonly #results = new Map<string, readonly Cell[] | null>();
  readonly #shared = new Map<string, readonly Cell[]>();
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

  settle(row: ResultRow): void {
    const key = keyOf(row.email);
    if (!this.#results.has(key)) return;
    this.#results.set(key, this.share(row));
  }

  /** The cells of a result, of whichever address: equal ones are one object. */
  share(row: ResultRow): readonly Cell[] {
    const cells = resultCells(row);
    const text = cells.join('\0');
    const known = this.#shared.get(text);
    if (known === undefined) this.#shared.set(text, cells);
    return known ?? cells;
  }

  /** Null: nothing was found, or it is not an address of the file. */
  cellsOf(address: string): readonly Cell[] | null {
    return this.#results.get(keyOf(address)) ?? null;
  }
}

/** The same normalization as the service's. */
function keyOf(address: string): string {
  return address.trim().toLowerCase();
}
