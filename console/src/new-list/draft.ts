// The list that is being made: the file, what was chosen, what was found in it. Kept outside of the page's components, so
// that nothing is lost by signing in again or by looking at another page meanwhile. One at a time.
import type { ListSummary } from '@mxproof/client';
import { type Fixes, NO_FIXES } from '@mxproof/files/address-text';
import type { FileFault, LayoutOptions } from '@mxproof/files/open-table';
import { useSyncExternalStore } from 'react';
import type { FirstAddresses, OwnFile, SaveResult } from '../own-file/own-file.ts';
import { mx } from '../shell/api.ts';
import { sessionProof } from '../shell/session-proof.ts';
import { type LeftOut, NONE_LEFT_OUT } from './left-out.ts';
import type { FileReading, PastedRows, ReaderEvent, ReaderRequest } from './read.worker.ts';
import { MAX_NAME_CHARACTERS, type Part } from './start-lists.ts';
import { StartRefusal } from './submit-part.ts';
import { ASKING, type Suppressed } from './suppressed.ts';

export interface Draft {
  readonly file: File | null;
  /** What the owner chose; the rest is found. */
  readonly named: LayoutOptions;
  /** What cannot be an address is sent and charged, too. */
  readonly sendsInvalid: boolean;
  /** What is on the account's suppression list is sent and charged, too. */
  readonly sendsSuppressed: boolean;
  /** The member who starts it is mailed when it is done; null: as they have chosen for all of their lists. */
  readonly mailWhenDone: boolean | null;
  /** Null: not asked yet. */
  readonly suppressed: Suppressed | null;
  /** Misspelt domains that are sent, and written into the file, as they are meant. */
  readonly fixes: Fixes;
  /** The file comes back without rows that repeat others. */
  readonly dropsRepeated: boolean;
  /** Kept while the file is read again another way. */
  readonly reading: FileReading | null;
  /** Rows read so far; null: it is not being read. */
  readonly progress: number | null;
  readonly fault: FileFault | 'unexpected' | null;
  readonly listName: string;
  readonly pasted: string;
  /** Its first addresses were checked before: only the others are sent, into the same list. */
  readonly rest: RestOfFile | null;
  /** Begun, but the file could not be kept: said before going on. */
  readonly begun: UnsavedStart | null;
}

export interface RestOfFile {
  readonly own: OwnFile;
  readonly first: FirstAddresses;
  /** What the list is called now. */
  readonly shownName: string;
}
type Choices = Pick<Draft, 'named' | 'sendsInvalid' | 'fixes'>;

export interface UnsavedStart {
  readonly listId: number;
  readonly kept: Exclude<SaveResult, 'kept'>;
}

const EMPTY: Draft = {
  file: null,
  named: {},
  sendsInvalid: false,
  sendsSuppressed: false,
  mailWhenDone: null,
  suppressed: null,
  fixes: NO_FIXES,
  dropsRepeated: false,
  reading: null,
  progress: null,
  fault: null,
  listName: '',
  pasted: '',
  rest: null,
  begun: null,
};

let draft: Draft = EMPTY;
/** Of the reading that is shown: it has the addresses. */
let worker: Worker | null = null;
/** The next one, and what was chosen before it; null: nothing was. */
let pending: { readonly worker: Worker; readonly before: Choices | null } | null = null;
const watchers = new Set<() => void>();

export function useDraft(): Draft {
  return useSyncExternalStore(watch, () => draft);
}

export function takeFile(file: File): void {
  take(file, false);
}

/** What was pasted: a table, or addresses between anything, which become a file of one per row. */
export function takePasted(name: string): void {
  take(new File([draft.pasted], name, { type: 'text/plain' }), true);
}

function take(file: File, isPasted: boolean): void {
  stop();
  const listName = file.name.slice(0, MAX_NAME_CHARACTERS);
  change({ ...EMPTY, pasted: draft.pasted, file, listName });
  read(null, isPasted);
}

/** Another sheet, other columns, with or without a header; or the same, in another mode. */
export function choose(named: LayoutOptions): void {
  readAgain({ named });
}

export function sendInvalid(sendsInvalid: boolean): void {
  readAgain({ sendsInvalid });
}

/** Of misspelt domains; those that are not among them are sent as they are written. */
export function fixDomains(fixes: Fixes): void {
  readAgain({ fixes });
}

export function sendSuppressed(sendsSuppressed: boolean): void {
  change({ sendsSuppressed });
}

/** Also once more, where it failed. */
export function askSuppressed(): void {
  change({ suppressed: ASKING });
  worker?.postMessage({ kind: 'suppressed', proof: sessionProof() } satisfies ReaderRequest);
}

/** What of the file is not sent. */
export function leftOutOf({ sendsSuppressed, suppressed }: Draft): LeftOut {
  return sendsSuppressed || suppressed?.kind !== 'known' ? NONE_LEFT_OUT : suppressed.places;
}

export function mailWhenDone(mailWhenDone: boolean): void {
  change({ mailWhenDone });
}

export function dropRepeated(dropsRepeated: boolean): void {
  change({ dropsRepeated });
}

function readAgain(chosen: Partial<Choices>): void {
  const { named, sendsInvalid, fixes } = draft;
  const before = pending === null ? { named, sendsInvalid, fixes } : pending.before;
  change({ ...chosen, rest: null });
  read(before);
}

export function cancelReading(): void {
  giveUp(null);
}

export function nameList(listName: string): void {
  change({ listName });
}

/** Null: all of its addresses after all. */
export function checkRest(rest: RestOfFile | null): void {
  change({ rest });
}

export function paste(pasted: string): void {
  change({ pasted });
}

/** Back to where a file is chosen; what was pasted stays. */
export function putBack(): void {
  stop();
  change({ ...EMPTY, pasted: draft.pasted });
}

/** Its lists are there: the next file begins with nothing. */
export function finishDraft(begun: UnsavedStart | null): void {
  stop();
  change({ ...EMPTY, begun });
}

/** One of the lists, made by the worker that has the addresses. */
export function submitList(part: Part): Promise<ListSummary> {
  return new Promise((done, fail) => {
    const reader = worker;
    if (reader === null) return fail(new Error('no file is read'));
    const onMessage = ({ data }: MessageEvent<ReaderEvent>) => {
      if (data.kind !== 'submitted' || data.at !== part.at) return;
      reader.removeEventListener('message', onMessage);
      if (data.submitted.kind === 'created') done(data.submitted.list);
      else fail(new StartRefusal(data.submitted.refusal));
    };
    reader.addEventListener('message', onMessage);
    reader.postMessage({ kind: 'submit', part, proof: sessionProof() } satisfies ReaderRequest);
  });
}

/** The previous reading stays, with its worker, until there is another: a choice that fails loses nothing. */
function read(before: Choices | null, isPasted = false): void {
  const { file, named, sendsInvalid, fixes } = draft;
  if (file === null) return;
  pending?.worker.terminate();
  const reader = new Worker(new URL('./read.worker.ts', import.meta.url), { type: 'module' });
  pending = { worker: reader, before };
  change({ progress: 0, fault: null });
  reader.addEventListener('message', ({ data }: MessageEvent<ReaderEvent>) => {
    if (data.kind === 'suppressed' && worker === reader) return change({ suppressed: data.suppressed });
    if (pending?.worker !== reader) return;
    switch (data.kind) {
      case 'progress':
        return change({ progress: data.rows });
      case 'read':
        worker?.terminate();
        worker = reader;
        pending = null;
        change({ progress: null, reading: data.reading, ...ownRows(file, data.pasted) });
        return askSuppressed();
      case 'failed':
        return giveUp(data.fault ?? 'unexpected');
      case 'submitted':
      case 'suppressed':
        return;
      default:
        data satisfies never;
    }
  });
  reader.addEventListener('error', () => {
    if (pending?.worker === reader) giveUp('unexpected');
  });
  const mode = mx.mode ?? 'live';
  reader.postMessage({
    kind: 'read',
    ...{ file, isPasted, named, mode, sendsInvalid, fixes },
  } satisfies ReaderRequest);
}

/** From here on, the rows are the file that was pasted. */
function ownRows({ name, type }: File, pasted: PastedRows | null): Partial<Draft> {
  return pasted === null ? {} : { file: new File([pasted.file], name, { type }), named: pasted.layout };
}

/** Back to what was read and chosen before, if there is such. */
function giveUp(fault: Draft['fault']): void {
  const before = pending?.before ?? null;
  pending?.worker.terminate();
  pending = null;
  change({ progress: null, fault, ...(before ?? { file: null }) });
}

function stop(): void {
  for (const each of [worker, pending?.worker]) each?.terminate();
  worker = null;
  pending = null;
}

function change(part: Partial<Draft>): void {
  draft = { ...draft, ...part };
  for (const notify of watchers) notify();
}

function watch(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}
