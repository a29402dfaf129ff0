// A person's file of addresses, whatever its format: read twice, once for the addresses, once to be given back.

import type { Result, Vocabulary } from './result-columns.ts';
import type { Encoding } from './text/encoding.ts';

/** A header and twenty rows. */
export const HEAD_ROWS = 21;
/** Of a cell of those, where many of them may share one long text. */
export const HEAD_CELL_CHARACTERS = 200;
/** As many as a spreadsheet has. */
export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;

/** The bytes of a file, from its beginning each time. */
export interface Source {
  chunks(): AsyncIterable<Uint8Array>;
}

/** What the file's owner said about it; the rest is found. */
export interface LayoutOptions {
  readonly encoding?: Encoding;
  /** One ASCII character. */
  readonly separator?: string;
  /** A heading, or the number of a column from 1. */
  readonly column?: string;
  /** Instead of `column`: numbers from 0, in any order; none of them, to look at a table before one is chosen. */
  readonly columns?: readonly number[];
  readonly hasHeader?: boolean;
  readonly sheet?: string;
  /** Read too, each at the column of addresses that is found in it. */
  readonly alsoSheets?: readonly string[];
}

export interface Layout {
  readonly format: 'text' | 'xlsx';
  /** Those of addresses, from 0, in their order. */
  readonly columns: readonly number[];
  /** Of those columns; null without a header. */
  readonly headings: readonly string[] | null;
  readonly encoding?: Encoding;
  readonly separator?: string;
  readonly sheet?: string;
  readonly alsoSheets?: readonly string[];
}

export interface Survey {
  /** Neither the header nor blank lines. */
  readonly rows: number;
  /** In none of the columns. */
  readonly withoutAddress: number;
  /** Cells that hold more than one address. */
  readonly withMore: number;
}

/** What is known of an address. Equal ones are one object, so that what is written for them is made once. */
export interface Found {
  readonly result: Result;
  /** Whether it stays where others are left out. */
  readonly isChosen: boolean;
}

/** How a file is given back. */
export interface MergePlan {
  /** Of an address, or of what stands in its place. Null: nothing is known. */
  find(text: string): Found | null;
  /** Of the columns that are added; null: none are. */
  readonly words: Vocabulary | null;
  /** Which rows stay; null: all. */
  readonly filter: RowChoice | null;
  /** A row all of whose addresses came back in rows above it does not stay. */
  readonly dropsRepeated?: boolean;
  /** With each row that stays, neither the header nor a blank line. */
  onKept?(changes: RowChanges): void;
}

/** In the columns of addresses, of rows that stay. */
export interface RowChanges {
  /** Addresses in whose place the corrected one stands. */
  readonly corrected: number;
  /** Addresses that were taken out, since they were not chosen. */
  readonly emptied: number;
  /** Cells with such an address that stay as they are: a formula, or one with a link on it. */
  readonly leftAlone: number;
}

/** Which rows stay. Of their addresses, only those that are chosen do. */
export interface RowChoice {
  /** What nothing is known of is chosen, and so are rows without an address. */
  readonly keepsRest: boolean;
  /** `best`: a row goes with its most sendable address. `any`: one address that is chosen is enough. */
  readonly rowsBy: 'best' | 'any';
}

/**
 * `row` as a spreadsheet counts its rows: from 1, the header and blank ones too; a cell of several lines is in one row.
 * `cellAt`: what the row says in any column, from 0; only while it is handed over. `sheet`: undefined for the main one.
 */
export interface SurveyHandlers {
  /** Every address, in order, duplicates included. */
  onAddress(address: string, row: number, cellAt: (column: number) => string, sheet?: string): void;
  /** What stands in the place of one, perhaps nothing. */
  onOther?(cell: string, row: number, sheet?: string): void;
}

export interface Table {
  readonly layout: Layout;
  /** The first rows as they are read, the header among them. */
  readonly head: readonly (readonly string[])[];
  /** Columns with addresses that are not read, from 0, as far as the first rows say. */
  readonly otherColumns: readonly number[];
  /** By name, those that can be read; empty for a text. */
  readonly sheets: readonly string[];
  /** Of those, the ones with addresses that are not read, as far as their first rows say. */
  otherSheets(): Promise<readonly string[]>;
  survey(handlers: SurveyHandlers): Promise<Survey>;
  /** The file again, as planned. Only after `survey`, which learns how wide the table is. */
  merge(plan: MergePlan): AsyncIterable<Uint8Array>;
}
