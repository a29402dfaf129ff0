// A web worker: reads a file of outcomes, or of addresses to be suppressed, a piece at a time, and sends what it says.
// Promises: a file of any size is held by the piece, since reading waits while a batch is on its way; a batch is repeated until the
// service has it, as slowly as it asks for; each event has an id, so that a repeat changes nothing. The page ends the worker to cancel.
import { ConnectionFailed, RateLimited, ServiceUnavailable, UnexpectedAnswer } from '@mxproof/client';
import {
  type NamedColumns,
  type OutcomeFile,
  type OutcomeKind,
  openOutcomes,
} from '@mxproof/files/open-outcomes';
import { FileError, type FileFault, openTable, type Source } from '@mxproof/files/open-table';
import type { Outcome, OutcomeWord } from '@mxproof/files/outcome';
import { type SentOutcome, sentOutcome } from '@mxproof/files/sent-outcome';
import { blobSource } from '../own-file/blob-source.ts';
import { mx } from '../shell/api.ts';
import { keepSessionProof } from '../shell/session-proof.ts';
import { outcomesProblem } from './outcomes-problem.ts';

/** Of a request; fewer where their replies are long. */
const BATCH_OUTCOMES = 10_000;
const BATCH_CHARACTERS = 1_000_000;
const BATCH_ADDRESSES = 50_000;
const PREVIEW_OUTCOMES = 5;
/** Of a log or a folder of messages: what is not found by then is not shown. */
const PREVIEW_BYTES = 4_000_000;
const PROGRESS_MS = 150;
/** Failures of the connection in a row. */
const MAX_FAILURES = 6;
const FIRST_WAIT_S = 1;
/** Different words or sentences; the rest are counted together. */
const MAX_WORDS = 50;

export interface ReadingChoices {
  readonly columns: NamedColumns;
  readonly assumed: OutcomeWord | null;
}

export interface OpenedFile {
  readonly kind: OutcomeKind;
  readonly table: OutcomeFile['table'];
  readonly preview: readonly Outcome[];
}

export interface ImportSums {
  readonly read: Readonly<Record<OutcomeWord, number>>;
  readonly passedOver: number;
  readonly unreadable: number;
  /** Of which the service knows what became. */
  readonly sent: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly ignored: number;
  /** Sentences of the service, and how often. */
  readonly errors: readonly (readonly [string, number])[];
}

export interface ImportProgress {
  readonly sums: ImportSums;
  /** Of the file's bytes, from 0 to 1. */
  readonly share: number;
  /** Null: nothing is waited for. */
  readonly waitSeconds: number | null;
}

export type ImportRequest =
  | { readonly kind: 'open'; readonly file: Blob; readonly choices: ReadingChoices }
  | {
      readonly kind: 'send';
      readonly file: Blob;
      readonly choices: ReadingChoices;
      readonly proof: string | null;
    }
  | { readonly kind: 'go_on'; readonly proof: string | null }
  | { readonly kind: 'suppress'; readonly file: Blob; readonly proof: string | null };

export type ImportEvent =
  | { readonly kind: 'opened'; readonly opened: OpenedFile }
  | { readonly kind: 'progress'; readonly progress: ImportProgress }
  /** It goes on when it is told to. */
  | { readonly kind: 'stopped'; readonly sentence: string; readonly progress: ImportProgress }
  | { readonly kind: 'done'; readonly progress: ImportProgress }
  | { readonly kind: 'suppressing'; readonly sent: number }
  | { readonly kind: 'suppressed'; readonly added: number; readonly all: number }
  | { readonly kind: 'failed'; readonly fault: FileFault | null; readonly sentence: string | null };

let goOn: (() => void) | null = null;

self.onmessage = ({ data }: MessageEvent<ImportRequest>) => {
  if (data.kind !== 'open') keepSessionProof(data.proof);
  if (data.kind === 'go_on') return goOn?.();
  const work =
    data.kind === 'open'
      ? open(data.file, data.choices)
      : data.kind === 'send'
        ? send(data.file, data.choices)
        : suppressAll(data.file);
  work.catch((error: unknown) => {
    const isOfFile = error instanceof FileError;
    post({
      kind: 'failed',
      fault: isOfFile ? error.kind : null,
      sentence: isOfFile ? null : outcomesProblem(error),
    });
  });
};

class Enough extends Error {}

async function openFile(source: Source, { columns, assumed }: ReadingChoices): Promise<OutcomeFile> {
  return openOutcomes(source, {
    ...{ nowSeconds: Date.now() / 1_000, columns },
    ...(assumed !== null && { assumed }),
  });
}

async function open(file: Blob, choices: ReadingChoices): Promise<void> {
  const counted = countedSource(file);
  const opened = await openFile(counted.source, choices);
  const preview: Outcome[] = [];
  const isTable = opened.table !== null;
  try {
    await opened.read({
      onOutcome(outcome) {
        preview.push(outcome);
        if (preview.length === PREVIEW_OUTCOMES) throw new Enough();
      },
      onIgnored() {},
      onUnreadable() {},
      async drained() {
        if (!isTable && counted.bytes() > PREVIEW_BYTES) throw new Enough();
      },
    });
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  const { kind, table } = opened;
  post({
    kind: 'opened',
    // Without what reads it, which cannot be sent.
    opened: {
      kind,
      table: table && {
        columns: table.columns,
        allColumns: table.allColumns,
        first: table.first,
        hasHeader: table.hasHeader,
      },
      preview,
    },
  });
}

async function send(file: Blob, choices: ReadingChoices): Promise<void> {
  const counted = countedSource(file);
  const opened = await openFile(counted.source, choices);
  const read = { delivered: 0, bounced: 0, complained: 0 };
  const taken = { sent: 0, accepted: 0, duplicates: 0, ignored: 0 };
  let passedOver = 0;
  let unreadable = 0;
  const errors = new Map<string, number>();
  const now = (waitSeconds: number | null = null): ImportProgress => ({
    sums: { read: { ...read }, passedOver, unreadable, ...taken, errors: [...errors] },
    share: file.size === 0 ? 1 : Math.min(1, counted.bytes() / file.size),
    waitSeconds,
  });
  let toldAtMs = 0;
  const tell = () => {
    if (performance.now() - toldAtMs < PROGRESS_MS) return;
    toldAtMs = performance.now();
    post({ kind: 'progress', progress: now() });
  };

  let batch: SentOutcome[] = [];
  let characters = 0;
  const waiting: SentOutcome[][] = [];
  const endBatch = () => {
    if (batch.length > 0) waiting.push(batch);
    batch = [];
    characters = 0;
  };
  const sendWaiting = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const outcomes = next;
      const answer = await patiently(() => mx.outcomes.send(outcomes, { maxRetries: 0 }), now);
      taken.sent += outcomes.length;
      taken.accepted += answer.accepted;
      taken.duplicates += answer.duplicates;
      taken.ignored += answer.ignored;
      for (const { error } of answer.errors) {
        const known = errors.has(error) || errors.size < MAX_WORDS ? error : '…';
        errors.set(known, (errors.get(known) ?? 0) + 1);
      }
      post({ kind: 'progress', progress: now() });
    }
  };
  await opened.read({
    onOutcome(outcome) {
      read[outcome.outcome] += 1;
      const each = sentOutcome(outcome);
      const more = each.email.length + each.id.length + (each.reply?.length ?? 0);
      if (batch.length === BATCH_OUTCOMES || characters + more > BATCH_CHARACTERS) endBatch();
      batch.push(each);
      characters += more;
    },
    onIgnored() {
      passedOver += 1;
    },
    onUnreadable() {
      unreadable += 1;
    },
    async drained() {
      tell();
      await sendWaiting();
    },
  });
  endBatch();
  await sendWaiting();
  post({ kind: 'done', progress: { ...now(), share: 1 } });
}

/** Until it succeeds; where waiting does not help, until the page says that it may go on. */
async function patiently<Answer>(
  ask: () => Promise<Answer>,
  progress: (waitSeconds?: number | null) => ImportProgress,
): Promise<Answer> {
  for (let failures = 0; ; ) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof RateLimited;
      const mayPass =
        isBusy ||
        error instanceof ServiceUnavailable ||
        error instanceof ConnectionFailed ||
        error instanceof UnexpectedAnswer;
      if (!isBusy) failures += 1;
      if (mayPass && failures < MAX_FAILURES) {
        const asked = isBusy || error instanceof ServiceUnavailable ? error.retryAfter : null;
        await pause(asked ?? FIRST_WAIT_S * 2 ** failures, progress);
        continue;
      }
      failures = 0;
      const told = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      post({ kind: 'stopped', sentence: outcomesProblem(error), progress: progress() });
      await told;
      goOn = null;
    }
  }
}

async function pause(
  seconds: number,
  progress: (waitSeconds: number | null) => ImportProgress,
): Promise<void> {
  const end = performance.now() + 1_000 * seconds;
  for (let left = seconds; left > 0; left = (end - performance.now()) / 1_000) {
    post({ kind: 'progress', progress: progress(Math.ceil(left)) });
    await new Promise((resolve) => setTimeout(resolve, Math.min(1_000, 1_000 * left)));
  }
}

async function suppressAll(file: Blob): Promise<void> {
  const table = await openTable(blobSource(file));
  // All of them first: the reader of tables waits for nobody, and five million addresses are what a file may have.
  const all: string[] = [];
  await table.survey({ onAddress: (address) => void all.push(address) });
  let added = 0;
  for (let from = 0; from < all.length; from += BATCH_ADDRESSES) {
    added += await mx.suppressions.add(all.slice(from, from + BATCH_ADDRESSES));
    post({ kind: 'suppressing', sent: Math.min(all.length, from + BATCH_ADDRESSES) });
  }
  post({ kind: 'suppressed', added, all: all.length });
}

/** How many bytes were read since it was begun the last time. */
function countedSource(file: Blob): { readonly source: Source; bytes(): number } {
  let bytes = 0;
  return {
    bytes: () => bytes,
    source: {
      async *chunks() {
        bytes = 0;
        for await (const chunk of blobSource(file).chunks()) {
          bytes += chunk.length;
          yield chunk;
        }
      },
    },
  };
}

function post(message: ImportEvent): void {
  self.postMessage(message);
}
