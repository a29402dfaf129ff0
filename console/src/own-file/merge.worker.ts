// A web worker: puts results into a file, or computes its mark. Promise: one response, whatever the file is.

import { UniqueAddresses } from '@mxproof/files/addresses';
import {
  FileError,
  type FileFault,
  type LayoutOptions,
  openTable,
  type Table,
} from '@mxproof/files/open-table';
import { NO_RESULT, type ResultRow } from '@mxproof/files/result-columns';
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

/** Of the file's addresses: how many are in the lists, and how many are not. */
export interface MatchCount {
  readonly listed: number;
  readonly others: number;
}

const addresses = new UniqueAddresses();
let listed = 0;
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
  await table.survey({ onAddress: (address) => addresses.add(address) });
  return table;
}

async function merged(table: Table): Promise<MergerEvent> {
  const pieces: BlobPart[] = [];
  const isFiltered = false;
  const chunks = table.merge(
    (address) => (address === null ? NO_RESULT : (addresses.cellsOf(address) ?? NO_RESULT)),
    isFiltered,
  );
  for await (const chunk of chunks) pieces.push(chunk as Uint8Array<ArrayBuffer>);
  return { kind: 'merged', blob: new Blob(pieces), found: { listed, others: addresses.size - listed } };
}
