// A web worker: reads a file, counts what it holds, and submits its addresses in lists. Promise: one file per worker; the
// page ends the worker to cancel; the lists of domains are loaded with the first file, never with the page.
import type { Mode } from '@mxproof/client';
import type { Fixes } from '@mxproof/files/address-text';
import { splitAddresses } from '@mxproof/files/addresses';
import {
  FileError,
  type FileFault,
  type Layout,
  type LayoutOptions,
  openTable,
  type Table,
} from '@mxproof/files/open-table';
import { pastedFile } from '@mxproof/files/pasted-text';
import { blobSource } from '../own-file/blob-source.ts';
import { contentMark } from '../own-file/content-mark.ts';
import { keepSessionProof } from '../shell/session-proof.ts';
import { type FileSummary, FileSummaryBuilder } from './file-summary.ts';
import type { Part } from './start-lists.ts';
import { type SubmitResult, submitPart } from './submit-part.ts';
import { askSuppressed, type Suppressed } from './suppressed.ts';

const PROGRESS_MS = 150;

export interface FileReading {
  readonly layout: Layout;
  readonly head: Table['head'];
  readonly sheets: readonly string[];
  /** With addresses that are not read. */
  readonly otherSheets: readonly string[];
  readonly otherColumns: readonly number[];
  readonly summary: FileSummary;
  readonly mark: string;
  /** It decides how many addresses a list takes. */
  readonly mode: Mode;
  /** How many addresses each list has. */
  readonly parts: readonly number[];
  /** What cannot be an address is sent, too. */
  readonly sendsInvalid: boolean;
  /** Sent as they are meant. */
  readonly fixes: Fixes;
}

/** What was pasted, one address per row: from here on it is the file. */
export interface PastedRows {
  readonly file: Blob;
  readonly layout: LayoutOptions;
}

export interface ReadRequest {
  readonly kind: 'read';
  readonly file: Blob;
  readonly isPasted: boolean;
  readonly named: LayoutOptions;
  readonly mode: Mode;
  readonly sendsInvalid: boolean;
  readonly fixes: Fixes;
}

export type ReaderRequest =
  | ReadRequest
  | { readonly kind: 'suppressed'; readonly proof: string | null }
  | { readonly kind: 'submit'; readonly part: Part; readonly proof: string | null };

export type ReaderEvent =
  | { readonly kind: 'progress'; readonly rows: number }
  | { readonly kind: 'read'; readonly reading: FileReading; readonly pasted: PastedRows | null }
  | { readonly kind: 'suppressed'; readonly suppressed: Suppressed }
  | { readonly kind: 'submitted'; readonly at: number; readonly submitted: SubmitResult }
  | { readonly kind: 'failed'; readonly fault: FileFault | null };

let parts: readonly (readonly string[])[] = [];

self.onmessage = async ({ data }: MessageEvent<ReaderRequest>) => {
  try {
    if (data.kind === 'read') {
      const pasted = data.isPasted ? await pastedRows(data.file) : null;
      const rows = pasted === null ? data : { ...data, file: pasted.file, named: pasted.layout };
      post({ kind: 'read', reading: await read(rows), pasted });
    } else if (data.kind === 'suppressed') {
      keepSessionProof(data.proof);
      await askSuppressed(parts, (suppressed) => post({ kind: 'suppressed', suppressed }));
    } else {
      const { at, range, leftOut } = data.part;
      const isLeftOut = new Set(leftOut);
      const emails = (parts[at] ?? [])
        .slice(range.from, range.from + range.count)
        .filter((_, place) => !isLeftOut.has(range.from + place));
      keepSessionProof(data.proof);
      post({ kind: 'submitted', at, submitted: await submitPart(emails, data.part) });
    }
  } catch (error) {
    post({ kind: 'failed', fault: error instanceof FileError ? error.kind : null });
  }
};

/** Null: a table, which is read as it is. */
async function pastedRows(file: Blob): Promise<PastedRows | null> {
  const rows = pastedFile(await file.text());
  return rows === null ? null : { file: new Blob([rows.text], { type: 'text/plain' }), layout: rows.layout };
}

async function read({ file, named, mode, sendsInvalid, fixes }: ReadRequest): Promise<FileReading> {
  const inspecting = import('@mxproof/engine/inspect-address');
  const [table, mark, judges] = await Promise.all([openAnyhow(file, named), contentMark(file), inspecting]);
  const builder = new FileSummaryBuilder(judges, { sendsInvalid, fixes });
  const progress = progressOf(Math.max(1, table.layout.columns.length));
  const survey = await table.survey({
    onAddress(address, row, _, sheet) {
      builder.address(address, row, sheet);
      progress();
    },
    onOther(cell, row, sheet) {
      builder.other(cell, row, sheet);
      progress();
    },
  });
  parts = splitAddresses(builder.sent(), mode);
  const { layout, head, sheets, otherColumns } = table;
  const summary = builder.finish(survey);
  const otherSheets = await table.otherSheets();
  const lengths = parts.map(({ length }) => length);
  return {
    ...{ layout, head, sheets, otherSheets, otherColumns, mark, mode, summary },
    ...{ sendsInvalid, fixes, parts: lengths },
  };
}

/** A table without a column of addresses is shown all the same, so that one can be chosen. */
async function openAnyhow(file: Blob, named: LayoutOptions): Promise<Table> {
  const source = blobSource(file);
  try {
    return await openTable(source, named);
  } catch (error) {
    if (!(error instanceof FileError) || error.kind !== 'no_column') throw error;
    return openTable(source, { ...named, columns: [] });
  }
}

function progressOf(columns: number): () => void {
  let cells = 0;
  let toldAtMs = performance.now();
  return () => {
    cells += 1;
    // Asking the clock for every cell would cost more than reading it.
    if (cells % 500 !== 0 || performance.now() - toldAtMs < PROGRESS_MS) return;
    toldAtMs = performance.now();
    post({ kind: 'progress', rows: Math.floor(cells / columns) });
  };
}

function post(message: ReaderEvent): void {
  self.postMessage(message);
}
