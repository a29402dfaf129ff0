// A person's file of addresses, whatever its format: read twice, once for the addresses, once to be given back.

import type { Cell } from './result-columns.ts';
import type { Encoding } from './text/encoding.ts';

/** The bytes of a file, from its beginning each time. */
export interface Source {
  chunks(): AsyncIterable<Uint8Array>;
}

/** What the file's owner said about it; the rest is found. */
export interface Named {
  readonly encoding?: Encoding;
  /** One ASCII character. */
  readonly separator?: string;
  /** A heading, or the number of a column from 1. */
  readonly column?: string;
  readonly hasHeader?: boolean;
  readonly sheet?: string;
}

export interface Layout {
  readonly format: 'text' | 'xlsx';
  /** From 0. */
  readonly column: number;
  /** Null without a header. */
  readonly heading: string | null;
  readonly encoding?: Encoding;
  readonly separator?: string;
  readonly sheet?: string;
}

export interface Survey {
  /** Neither the header nor blank lines. */
  readonly rows: number;
  readonly withoutAddress: number;
}

/** The cells to add to the row of an address (null: a row without one), or null to leave the row out. */
export type CellsFor = (address: string | null) => readonly Cell[] | null;

export interface Table {
  readonly layout: Layout;
  /** Tells the address of every row that has one, in order, duplicates included. */
  survey(onAddress: (address: string) => void): Promise<Survey>;
  /** The file again, with added cells. Only after `survey`, which learns how wide the table is. */
  merge(cellsFor: CellsFor, isFiltered: boolean): AsyncIterable<Uint8Array>;
}
