// A web worker: puts results into a file, or computes its mark. Promise: one response, whatever the file is.

import { UniqueAddresses } from '@mxproof/files/addresses';
import {
  FileError,
  type FileFault,
  type LayoutOptions,
  openTable,
  type Table,
} from '@mxproof/files/open-table';
import { type Cell, NO_RESULT, type ResultRow } from '@mxproof/files/result-columns';
import { blobSource } from './blob-source.ts';
import { contentMark } from './content-mark.ts';

export type MergerRequest =
  | { readonly kind: 'mark'; readonly file: Blob }
  | { readonly kind: 'begin'; readonly file: Blob; readonly layout: LayoutOptions }
  | { readonly kind: 'rows'; readonly rows: readonly ResultRow[] }
  | { readonly kind: 'end' };

export type MergerEvent =
  | { readonly kind: 'marked'; readonly mark: string }
  | { readonly kind: 'merged'; readonly blob: Blob; readonly found: MatchCount }
  | { readonly kind: 'failed'; readonly fault: FileFault | null };

/** Of the file's addresses: how many are in the lists, and how many are neither there nor invalid, so that they were not sent. */
export interface MatchCount {
  readonly listed: number;
  readonly others: number;
}

const addresses = new UniqueAddresses();
let listed = 0;
let hasOther = false;
let opened: Promise<Table> | null = null;

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
      opened = surveyed(message.file, message.layout);
      await opened;
      return null;
    case 'rows':
      await opened;
      for (const row of message.rows) {
        // No list has an address twice.
        if (addresses.has(row.email)) listed += 1;
        if (row.state !== 'pending') addresses.settle(row);
      }
      return null;
    case 'end':
      return merged(await opened!);
    default:
      return message satisfies never;
  }
}

async function surveyed(file: Blob, layout: LayoutOptions): Promise<Table> {
  const table = await openTable(blobSource(file), layout);
  await table.survey({
    onAddress: (address) => addresses.add(address),
    onOther: (cell) => {
      hasOther ||= cell.trim() !== '';
    },
  });
  return table;
}

async function merged(table: Table): Promise<MergerEvent> {
  const pieces: BlobPart[] = [];
  const isFiltered = false;
  const { certainCells, invalid } = await certainResults();
  const chunks = table.merge(
    (address) =>
      address === null ? NO_RESULT : (addresses.cellsOf(address) ?? certainCells(address) ?? NO_RESULT),
    isFiltered,
  );
  for await (const chunk of chunks) pieces.push(chunk as Uint8Array<ArrayBuffer>);
  const others = Math.max(0, addresses.size - listed - invalid);
  return { kind: 'merged', blob: new Blob(pieces), found: { listed, others } };
}

interface CertainResults {
  /** Null: it had to be checked. */
  readonly certainCells: (text: string) => readonly Cell[] | null;
  /** How many addresses of the file have no other result than such a one. */
  readonly invalid: number;
}

/** What was not sent since its verdict stands without asking, said as the service would. The engine's lists load only then. */
async function certainResults(): Promise<CertainResults> {
  if (!hasOther && addresses.size === listed) return { certainCells: () => null, invalid: 0 };
  const { certainVerdict } = await import('@mxproof/engine/inspect-address');
  const certainCells = (text: string) => {
    const email = text.trim().toLowerCase();
    const verdict = certainVerdict(email);
    return verdict === null ? null : addresses.share({ email, ...verdict, accept_all: verdict.acceptAll });
  };
  let invalid = 0;
  for (const address of addresses.all())
    if (addresses.cellsOf(address) === null && certainCells(address) !== null) invalid += 1;
  return { certainCells, invalid };
}
