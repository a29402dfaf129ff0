// Splits the bytes of a separated text into rows and cells, however they arrive.
// Promise: the rows depend on the bytes alone, not on how they were cut into chunks; every byte belongs to one row.
//
//   start ─ " ─→ quoted ─ " ─→ closed ─ " ─→ quoted       A quote is one only at the start of a cell, as spreadsheets
//     └─ else ─→ plain ←─ else ──┘                        have it: 5" pipes and "Big" Joe stay within their cells.
//
// A quote that nothing closes, up to the end of the file or the longest row, was no quote: it is read as text.

import { FileError } from '../file-error.ts';
import { MAX_COLUMNS } from '../table.ts';
import type { Encoding } from './encoding.ts';

export const MAX_ROW_BYTES = 4 * 1_024 * 1_024;

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

const START = 0;
const PLAIN = 1;
const QUOTED = 2;
const CLOSED = 3;

/** Valid only while it is handed over. */
export class Row {
  bytes = new Uint8Array(0);
  start = 0;
  /** Where its line end begins, and where the next row does. */
  end = 0;
  next = 0;
  count = 0;
  readonly ends: number[] = [];
  readonly #step: number;

  constructor(step: number) {
    this.#step = step;
  }

  /** With its quotes. */
  cell(at: number): Uint8Array {
    const start = at === 0 ? this.start : this.ends[at - 1]! + this.#step;
    return this.bytes.subarray(start, this.ends[at]);
  }
}

export class RowSplitter {
  readonly #row: Row;
  readonly #separator: number;
  readonly #step: number;
  readonly #isBigEndian: boolean;
  readonly #onRow: (row: Row) => void;
  /** From the start of the row that is not complete. */
  #bytes = new Uint8Array(0);
  /** Behind these bytes, in memory of our own. */
  #roomBytes = 0;
  #at = 0;
  #state = START;
  #quoteAt = 0;
  #rows = 0;

  constructor(encoding: Encoding, separator: string, onRow: (row: Row) => void) {
    this.#step = encoding === 'utf-16le' || encoding === 'utf-16be' ? 2 : 1;
    this.#isBigEndian = encoding === 'utf-16be';
    this.#separator = separator.charCodeAt(0);
    this.#row = new Row(this.#step);
    this.#onRow = onRow;
  }

  push(chunk: Uint8Array): void {
    if (this.#bytes.length > 0) this.#append(chunk);
    else {
      this.#bytes = chunk as Uint8Array<ArrayBuffer>;
      this.#roomBytes = 0;
    }
    this.#scan(false);
  }

  end(): void {
    this.#scan(true);
    if (this.#bytes.length % this.#step !== 0)
      throw new FileError('cut_off', 'The file ends in the middle of a UTF-16 character: it was cut off.');
    if (this.#bytes.length > this.#row.start) this.#finishRow(this.#bytes.length, this.#bytes.length);
    this.#trim();
  }

  #scan(isEnd: boolean): void {
    const { length } = this.#bytes;
    for (;;) {
      const limit = this.#row.start + MAX_ROW_BYTES;
      this.#scanTo(Math.min(length, limit), isEnd);
      const isAtLimit = this.#at >= this.#row.start + MAX_ROW_BYTES;
      if (!isAtLimit && !isEnd) break;
      if (this.#state === QUOTED) {
        // Behind it are only quotes in pairs, or one of them would have closed it. A pair at the start of a cell
        // opens and closes, so none of them leads back here: a byte is read twice at most.
        this.#at = this.#quoteAt + this.#step;
        this.#state = PLAIN;
      } else if (isAtLimit)
        throw new FileError(
          'row_too_long',
          `Row ${this.#rows + 1} is longer than ${MAX_ROW_BYTES / 1_024 / 1_024} MiB: this is not a table of addresses, or its separator or line ends are others.`,
        );
      else break;
    }
    if (!isEnd) this.#trim();
  }

  /** Until `to`, or until a carriage return whose line feed may be still to come; past the row's limit never. */
  #scanTo(to: number, isEnd: boolean): void {
    const bytes = this.#bytes;
    const step = this.#step;
    const separator = this.#separator;
    let state = this.#state;
    let at = this.#at;
    for (let stop = to; at + step <= stop; at += step) {
      if (state === QUOTED && step === 1) {
        // Much of a file may be quoted, and `indexOf` is faster than this loop.
        const quote = bytes.indexOf(QUOTE, at);
        if (quote < 0 || quote >= stop) {
          at = stop;
          break;
        }
        at = quote;
      }
      const unit = step === 1 ? bytes[at]! : this.#unitAt(at);
      if (state === QUOTED) {
        if (unit === QUOTE) state = CLOSED;
        continue;
      }
      if (unit === QUOTE) {
        if (state === CLOSED) state = QUOTED;
        else if (state === START) {
          state = QUOTED;
          this.#quoteAt = at;
        } else state = PLAIN;
      } else if (unit === separator) {
        this.#finishCell(at);
        state = START;
      } else if (unit === LF || unit === CR) {
        const after = at + step;
        if (unit === CR && after + step > bytes.length && !isEnd) break;
        const isPair = unit === CR && after + step <= bytes.length && this.#unitAt(after) === LF;
        const next = isPair ? after + step : after;
        this.#finishRow(at, next);
        state = START;
        at = next - step;
        stop = Math.min(bytes.length, next + MAX_ROW_BYTES);
      } else state = PLAIN;
    }
    this.#state = state;
    this.#at = at;
  }

  #unitAt(at: number): number {
    const bytes = this.#bytes;
    if (this.#step === 1) return bytes[at]!;
    return this.#isBigEndian ? (bytes[at]! << 8) | bytes[at + 1]! : bytes[at]! | (bytes[at + 1]! << 8);
  }

  #finishCell(at: number): void {
    const row = this.#row;
    if (row.count === MAX_COLUMNS)
      throw new FileError(
        'too_many_columns',
        `Row ${this.#rows + 1} has more than ${MAX_COLUMNS.toLocaleString('en')} cells: this is not a table of addresses, or its separator is another.`,
      );
    row.ends[row.count] = at;
    row.count += 1;
  }

  #finishRow(end: number, next: number): void {
    const row = this.#row;
    this.#finishCell(end);
    row.bytes = this.#bytes;
    row.end = end;
    row.next = next;
    this.#rows += 1;
    this.#onRow(row);
    row.start = next;
    row.count = 0;
  }

  /** With room for as much again, so that a long row in many chunks is copied a few times only. */
  #append(chunk: Uint8Array): void {
    const before = this.#bytes;
    const length = before.length + chunk.length;
    if (chunk.length > this.#roomBytes) {
      this.#bytes = new Uint8Array(2 * length);
      this.#bytes.set(before);
      this.#roomBytes = 2 * length - before.length;
    }
    this.#bytes = new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset, length);
    this.#bytes.set(chunk, before.length);
    this.#roomBytes -= chunk.length;
  }

  /** Lets go of the rows that were handed over. */
  #trim(): void {
    const row = this.#row;
    const { start } = row;
    if (start === 0) return;
    this.#bytes = this.#bytes.subarray(start);
    this.#at -= start;
    this.#quoteAt -= start;
    for (let at = 0; at < row.count; at += 1) row.ends[at]! -= start;
    row.start = 0;
  }
}

/** What a cell says: without its quotes, doubled ones once. */
export function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  let inner = '';
  for (let from = 1; ; ) {
    const at = text.indexOf('"', from);
    // Nothing closes it: see above.
    if (at < 0) return text;
    if (text[at + 1] !== '"') return inner + text.slice(from, at) + text.slice(at + 1);
    inner += text.slice(from, at + 1);
    from = at + 2;
  }
}
