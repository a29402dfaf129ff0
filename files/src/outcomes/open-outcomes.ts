// Opens a file that tells what became of mail: a table, records in JSON, Postfix's log, a bounce message or a folder of them.
// Promises: the file's name decides nothing, its bytes do; it is read in pieces, packed with gzip or not, in bounded memory; the
// order of its lines is kept.

import { FileError } from '../file-error.ts';
import { isAt } from '../file-kind.ts';
import type { Source } from '../table.ts';
import { through } from '../through-stream.ts';
import { JsonOutcomes } from './json-outcomes.ts';
import { MailReports } from './mail-reports.ts';
import type { OutcomeHandlers, OutcomeWord, TextReader } from './outcome.ts';
import { type NamedColumns, type OutcomeTable, openOutcomeTable } from './outcome-table.ts';
import { looksLikePostfix, PostfixLog } from './postfix-log.ts';

export type { NamedColumns };
export type OutcomeKind = 'table' | 'json' | 'postfix' | 'mail';

export interface OutcomeOptions {
  readonly nowSeconds: number;
  /** Of a table: headings, or numbers from 1; null: it has none of the kind. */
  readonly columns?: NamedColumns;
  /** What became of all of them, where the file does not say it. */
  readonly assumed?: OutcomeWord;
}

export interface OutcomeFile {
  readonly kind: OutcomeKind;
  /** Null: it is no table. */
  readonly table: Omit<OutcomeTable, 'read'> | null;
  read(handlers: OutcomeHandlers): Promise<void>;
}

const GZIP = '\x1f\x8b';
const SAMPLE_BYTES = 65_536;

export async function openOutcomes(source: Source, options: OutcomeOptions): Promise<OutcomeFile> {
  const packed = isAt(await sampleOf(source, GZIP.length), GZIP);
  const plain = packed ? unpacked(source) : source;
  const kind = kindOf(await sampleOf(plain, SAMPLE_BYTES));
  const assumed = options.assumed ?? null;
  if (kind === 'table') {
    const table = await openOutcomeTable(plain, options.columns ?? {}, assumed);
    return { kind, table, read: (handlers) => table.read(handlers) };
  }
  const readerFor = (handlers: OutcomeHandlers): TextReader => {
    if (kind === 'json') return new JsonOutcomes(handlers, assumed);
    return kind === 'mail' ? new MailReports(handlers) : new PostfixLog(handlers, options.nowSeconds);
  };
  return { kind, table: null, read: (handlers) => readText(plain, readerFor(handlers), handlers) };
}

async function readText(source: Source, reader: TextReader, handlers: OutcomeHandlers): Promise<void> {
  // What is not UTF-8 becomes U+FFFD: addresses and codes are ASCII nearly always, and the rest is for people.
  const decoder = new TextDecoder();
  for await (const chunk of source.chunks()) {
    reader.push(decoder.decode(chunk, { stream: true }));
    await handlers.drained?.();
  }
  reader.push(decoder.decode());
  reader.end();
  await handlers.drained?.();
}

/** Piece by piece: a file that unpacks to a thousand times its size takes time, and no memory. */
function unpacked(source: Source): Source {
  return {
    async *chunks() {
      try {
        yield* through(source.chunks(), new DecompressionStream('gzip'));
      } catch (error) {
        // A browser throws a TypeError, Node an error of zlib; what the source itself throws is another fault.
        const isOfPacking = error instanceof TypeError || /^Z_/.test((error as { code?: string }).code ?? '');
        if (!isOfPacking) throw error;
        throw new FileError(
          'damaged',
          'The file cannot be unpacked: it is damaged, or was cut off. Fetch it again.',
        );
      }
    },
  };
}

async function sampleOf(source: Source, bytes: number): Promise<Uint8Array> {
  const sample = new Uint8Array(bytes);
  let length = 0;
  for await (const chunk of source.chunks()) {
    const taken = chunk.subarray(0, bytes - length);
    sample.set(taken, length);
    length += taken.length;
    if (length === bytes) break;
  }
  return sample.subarray(0, length);
}

const HEADER = /^(?:[!-9;-~]{1,70}:[^\n]{0,998}|[ \t][^\n]{0,998})$/;
/** One of these is in the header of every message that reports something. */
const OF_MESSAGES = /^(?:message-id|received|return-path|mime-version|content-type|auto-submitted):/i;

function kindOf(sample: Uint8Array): OutcomeKind {
  // A table or a workbook is told by its own reader, which knows other encodings.
  const text = new TextDecoder().decode(sample).trimStart();
  if (/^(?:\[\s{0,64})?\{\s{0,64}"/.test(text)) return 'json';
  if (/^From \S/.test(text) || isMessage(text)) return 'mail';
  return looksLikePostfix(text) ? 'postfix' : 'table';
}

function isMessage(text: string): boolean {
  let isOne = false;
  for (const line of text.split(/\r?\n/, 100)) {
    if (line === '') return isOne;
    if (!HEADER.test(line)) return false;
    isOne ||= OF_MESSAGES.test(line);
  }
  return isOne;
}
