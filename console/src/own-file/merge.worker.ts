// A web worker: puts results into a file, or computes its mark. Promise: one response, whatever the file is.

import { type Fixes, NO_FIXES } from '@mxproof/files/address-text';
import { UniqueAddresses } from '@mxproof/files/addresses';
import {
  FileError,
  type FileFault,
  type Found,
  type Layout,
  type LayoutOptions,
  openTable,
  type RowChanges,
  type RowChoice,
  type Survey,
  type Table,
} from '@mxproof/files/open-table';
import { type Extra, type ResultRow, suppressedRow } from '@mxproof/files/result-columns';
import { vocabularyOf, type Words } from '@mxproof/files/vocabularies';
import { blobSource } from './blob-source.ts';
import { contentMark } from './content-mark.ts';
import { type OwnColumns, readOwnColumns } from './own-columns.ts';

export type MergerRequest =
  | { readonly kind: 'mark'; readonly file: Blob }
  | { readonly kind: 'begin'; readonly file: Blob; readonly layout: LayoutOptions; readonly fixes: Fixes }
  | { readonly kind: 'rows'; readonly rows: readonly ListedRow[] }
  | {
      readonly kind: 'end';
      readonly as: MergeAs;
      /** Addresses of the file that were not sent, as the account does not mail them. */
      readonly suppressed: readonly string[];
    }
  | {
      readonly kind: 'columns';
      readonly file: Blob;
      readonly layout: LayoutOptions;
      readonly fixes: Fixes;
      readonly columns: readonly number[] | null;
    };

/** `isChosen`: whether it stays where others are left out. */
export type ListedRow = readonly [row: ResultRow, isChosen: boolean];

/** How the file comes back. */
export interface MergeAs {
  /** Of the columns that are added; null: none are. */
  readonly words: Words | null;
  /** Beside those that every file gets. */
  readonly extras: readonly Extra[];
  /** Null: every row stays. */
  readonly filter: RowChoice | null;
  /** Whether rows with what cannot be an address, and so was not sent, stay where others are left out. */
  readonly keepsInvalid: boolean;
  /** Whether rows that repeat the addresses of others are left out. */
  readonly dropsRepeated: boolean;
  /** The first rows are read back, to be shown. */
  readonly withHead: boolean;
}

export type MergerEvent =
  | { readonly kind: 'marked'; readonly mark: string }
  | { readonly kind: 'merged'; readonly blob: Blob; readonly head: FirstRows; readonly found: MatchCount }
  | { readonly kind: 'columns'; readonly own: OwnColumns }
  | { readonly kind: 'failed'; readonly fault: FileFault | null };

export type FirstRows = readonly (readonly string[])[];

export interface MatchCount {
  /** Of the file's addresses: how many are in the lists, and how many are not. */
  readonly listed: number;
  readonly others: number;
  /** Of the file. */
  readonly rows: number;
  readonly withoutAddress: number;
  /** Of those rows, in what comes back. */
  readonly kept: number;
  /** In those that were kept. */
  readonly changes: RowChanges;
}

let addresses = new UniqueAddresses(NO_FIXES);
let listed = 0;
let hasOther = false;
let opened: Promise<SurveyedTable> | null = null;

interface SurveyedTable extends Survey {
  readonly table: Table;
}

self.onmessage = async ({ data }: MessageEvent<MergerRequest>) => {
  try {
    const answer = await answerTo(data);
    if (answer !== null) self.postMessage(answer);
  } catch (error) {
    const fault = error instanceof FileError ? error.kind : null;
    self.postMessage({ kind: 'failed', fault } satisfies MergerEvent);
  }
};

/** Messages are answered in their order, since each waits for the same table. */
async function answerTo(message: MergerRequest): Promise<MergerEvent | null> {
  switch (message.kind) {
    case 'mark':
      return { kind: 'marked', mark: await contentMark(message.file) };
    case 'begin':
      addresses = new UniqueAddresses(message.fixes);
      opened = surveyed(message.file, message.layout);
      await opened;
      return null;
    case 'rows':
      await opened;
      for (const [row, isChosen] of message.rows) {
        // No list has an address twice.
        if (addresses.has(row.email)) listed += 1;
        if (row.state !== 'pending') addresses.settle(row, isChosen);
      }
      return null;
    case 'columns':
      return { kind: 'columns', own: await readOwnColumns(message) };
    case 'end': {
      const table = await opened!;
      for (const email of message.suppressed) {
        if (!addresses.has(email) || addresses.find(email) !== null) continue;
        addresses.settle(suppressedRow(email), false);
        listed += 1;
      }
      return merged(table, message.as);
    }
    default:
      return message satisfies never;
  }
}

async function surveyed(file: Blob, layout: LayoutOptions): Promise<SurveyedTable> {
  const table = await openTable(blobSource(file), layout);
  const survey = await table.survey({
    onAddress: (address) => addresses.add(address),
    onOther: (cell) => {
      hasOther ||= cell.trim() !== '';
    },
  });
  return { table, ...survey };
}

async function merged(
  { table, rows, withoutAddress }: SurveyedTable,
  { words, extras, filter, keepsInvalid, dropsRepeated, withHead }: MergeAs,
): Promise<MergerEvent> {
  const pieces: BlobPart[] = [];
  let kept = 0;
  const changes = { corrected: 0, emptied: 0, leftAlone: 0 };
  const { certain, invalid } = await certainResults(keepsInvalid);
  const chunks = table.merge({
    find: (text) => addresses.find(text) ?? certain(text),
    words: words === null ? null : vocabularyOf(words, extras),
    filter,
    dropsRepeated,
    onKept({ corrected, emptied, leftAlone }) {
      kept += 1;
      changes.corrected += corrected;
      changes.emptied += emptied;
      changes.leftAlone += leftAlone;
    },
  });
  for await (const chunk of chunks) pieces.push(chunk as Uint8Array<ArrayBuffer>);
  const others = Math.max(0, addresses.size - listed - invalid);
  const found = { listed, others, rows, withoutAddress, kept, changes };
  const blob = new Blob(pieces);
  return { kind: 'merged', blob, head: withHead ? await headOf(blob, table.layout) : [], found };
}

/** As it is read again, by the same rules as any file. */
async function headOf(blob: Blob, { columns, headings, format: _, ...layout }: Layout): Promise<FirstRows> {
  const named = { ...layout, columns, hasHeader: headings !== null };
  try {
    return (await openTable(blobSource(blob), named)).head;
  } catch (error) {
    // Every row was left out, and there was no header.
    if (error instanceof FileError && error.kind === 'empty') return [];
    throw error;
  }
}

interface CertainResults {
  /** Null: it had to be checked. */
  readonly certain: (text: string) => Found | null;
  /** How many addresses of the file have no other result than such a one. */
  readonly invalid: number;
}

/** What was not sent since its verdict stands without asking, said as the service would. The engine's lists load only then. */
async function certainResults(isChosen: boolean): Promise<CertainResults> {
  if (!hasOther && addresses.size === listed) return { certain: () => null, invalid: 0 };
  const { certainVerdict } = await import('@mxproof/engine/inspect-address');
  const certain = (text: string) => {
    const email = addresses.meant(text);
    const verdict = certainVerdict(email);
    return verdict === null
      ? null
      : addresses.share({ email, ...verdict, accept_all: verdict.acceptAll }, isChosen);
  };
  let invalid = 0;
  for (const address of addresses.all())
    if (addresses.find(address) === null && certain(address) !== null) invalid += 1;
  return { certain, invalid };
}
