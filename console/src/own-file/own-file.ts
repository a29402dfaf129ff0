// The file that was dropped, kept in this browser under the lists that were made of it, so that it can be given back with
// the results. Promise: it never leaves the browser, and stays until its list is deleted; without room for it the list works
// all the same, and the file can be dropped again.
import { type Fixes, NO_FIXES } from '@mxproof/files/address-text';
import type { FileFault, LayoutOptions } from '@mxproof/files/open-table';
import type { Extra } from '@mxproof/files/result-columns';
import { checkedName } from './checked-name.ts';
import { BY_LIST, BY_MARK, FILES, inStore, StoreFault } from './database.ts';
import type {
  FirstRows,
  ListedRow,
  MatchCount,
  MergeAs,
  MergerEvent,
  MergerRequest,
} from './merge.worker.ts';
import type { OwnColumns } from './own-columns.ts';

/** Results are handed to the worker in so many at a time, so that no frame is dropped. */
const BATCH_ROWS = 2_000;

export interface OwnFile {
  /** More than one: a file of more addresses than a list holds. In the order of the file. */
  readonly listIds: readonly number[];
  /** Of the file. */
  readonly name: string;
  /** As `contentMark` says. */
  readonly mark: string;
  /** What was chosen and found: with it, the file is read again as it was. */
  readonly layout: LayoutOptions;
  /** Sent as they are meant, and so written into the file; missing: none. */
  readonly fixes?: Fixes;
  /** It comes back without rows that repeat others. */
  readonly dropsRepeated?: boolean;
  /** Addresses of it that were not sent, since they are on the account's suppression list; missing: none. */
  readonly suppressed?: readonly string[];
  /** Only its first addresses were sent; missing: all of them. */
  readonly first?: FirstAddresses;
  /** Null: there was no room for it. */
  readonly file: Blob | null;
  readonly savedAtMs: number;
}

export interface FirstAddresses {
  readonly count: number;
  /** How many it has in all. */
  readonly of: number;
  /** Of its lists: those of the others can join it. */
  readonly group: string;
  /** The name that the user gave the list, without the count that the console adds to it. */
  readonly listName: string;
}

interface StoredFile extends OwnFile {
  /** The first of its lists. */
  readonly id: number;
}

export type SaveResult = 'kept' | StoreFault['kind'];

export async function saveOwnFile(own: Omit<OwnFile, 'savedAtMs'>): Promise<SaveResult> {
  const id = own.listIds[0];
  if (id === undefined) throw new TypeError('An own file belongs to a list.');
  const record: StoredFile = { ...own, id, savedAtMs: Date.now() };
  const fault = await put(record);
  // Without its bytes, the file is still known when it is dropped again.
  if (fault === 'no_room') await put({ ...record, file: null });
  return fault ?? 'kept';
}

/** Null: this browser knows nothing of it. `file` may be null all the same. */
export async function findOwnFile(listId: number): Promise<OwnFile | null> {
  return unlessFaulty(
    inStore<StoredFile | undefined>(FILES, 'readonly', (files) => files.index(BY_LIST).get(listId)),
  );
}

/** Newest first. */
export async function findByMark(mark: string): Promise<readonly OwnFile[]> {
  const found = await unlessFaulty(
    inStore<StoredFile[]>(FILES, 'readonly', (files) => files.index(BY_MARK).getAll(mark)),
  );
  return (found ?? []).sort((a, b) => b.savedAtMs - a.savedAtMs);
}

/** With the deletion of a list: nothing of its file stays. */
export async function forgetList(listId: number): Promise<void> {
  const own = await findOwnFile(listId);
  if (own !== null) await unlessFaulty(inStore(FILES, 'readwrite', (files) => files.delete(own.listIds[0]!)));
}

export type TakeResult =
  | { readonly kind: 'another_file' }
  | { readonly kind: 'taken'; readonly merged: MergedFile; readonly kept: SaveResult };

/**
 * The file once more, from where it was dropped the first time, merged. Where this browser knows which it was, any other
 * is refused; where it does not, one in which no address of the list is.
 */
export async function takeAgain(
  listIds: readonly number[],
  file: File,
  order: MergeOrder,
): Promise<TakeResult> {
  const [own, mark] = await Promise.all([findOwnFile(listIds[0]!), markOf(file)]);
  if (own !== null && own.mark !== mark) return { kind: 'another_file' };
  const merged = await merge(file, own, order);
  if (merged.found.listed === 0) return { kind: 'another_file' };
  const kept = await saveOwnFile(
    own === null ? { listIds, name: file.name, mark, layout: {}, file } : { ...own, file },
  );
  return { kind: 'taken', merged: { ...merged, name: checkedName(file.name, order.part) }, kept };
}

export interface MergeOrder extends Omit<MergeAs, 'dropsRepeated' | 'withHead'> {
  /** Unset: as was chosen before the file was checked. */
  readonly dropsRepeated?: boolean | undefined;
  /** Of all lists of the file. */
  readonly rows: Iterable<ListedRow>;
  /** As `checkedName` takes it. */
  readonly part: string;
}

export interface MergedFile {
  readonly blob: Blob;
  /** Its first rows, where they were asked for. */
  readonly head: FirstRows;
  readonly name: string;
  readonly found: MatchCount;
}

/** The file could not be read again. */
class MergeFault extends Error {
  override readonly name = 'MergeFault';
  readonly fault: FileFault | null;

  constructor(fault: FileFault | null) {
    super(fault ?? 'unexpected');
    this.fault = fault;
  }
}

/** The file as ordered; null where it is not there. `preview`: its first rows are wanted too, until it is aborted. */
export async function mergeOwnFile(
  listId: number,
  order: MergeOrder,
  preview?: AbortSignal,
): Promise<MergedFile | null> {
  const own = await findOwnFile(listId);
  if (own === null || own.file === null) return null;
  return { ...(await merge(own.file, own, order, preview)), name: checkedName(own.name, order.part) };
}

/** Null: the file is not there. `columns`: as `readOwnColumns` takes them. */
export async function ownColumnsOf(
  listId: number,
  columns: readonly number[] | null,
): Promise<OwnColumns | null> {
  const own = await findOwnFile(listId);
  if (own === null || own.file === null) return null;
  const { file, layout, fixes = NO_FIXES } = own;
  const answer = await ask({ kind: 'columns', file, layout, fixes, columns });
  if (answer.kind === 'columns') return answer.own;
  throw new MergeFault(answer.kind === 'failed' ? answer.fault : null);
}

async function merge(
  file: Blob,
  own: OwnFile | null,
  { rows, words, extras, filter, keepsInvalid, ...order }: MergeOrder,
  preview?: AbortSignal,
): Promise<Omit<MergedFile, 'name'>> {
  const dropsRepeated = order.dropsRepeated ?? own?.dropsRepeated ?? false;
  const worker = startMerger();
  const post = (message: MergerRequest) => worker.postMessage(message);
  const answered = answerOf(worker);
  try {
    const { layout = {}, fixes = NO_FIXES, suppressed = [] } = own ?? {};
    const withHead = preview !== undefined;
    post({ kind: 'begin', file, layout, fixes });
    let batch: ListedRow[] = [];
    for (const row of rows) {
      batch.push(row);
      if (batch.length < BATCH_ROWS) continue;
      post({ kind: 'rows', rows: batch });
      batch = [];
      await new Promise((done) => setTimeout(done));
      preview?.throwIfAborted();
    }
    post({ kind: 'rows', rows: batch });
    post({
      kind: 'end',
      suppressed,
      as: {
        words,
        filter,
        keepsInvalid,
        dropsRepeated,
        extras: withSuppressed(extras, suppressed),
        withHead,
      },
    });
    const answer = await untilAborted(answered, preview);
    if (answer.kind === 'failed') throw new MergeFault(answer.fault);
    if (answer.kind !== 'merged') throw new MergeFault(null);
    const { blob, head, found } = answer;
    return { blob, head, found };
  } finally {
    answered.catch(() => {});
    worker.terminate();
  }
}

/** What was not sent is said in any table. */
function withSuppressed(extras: readonly Extra[], suppressed: readonly string[]): readonly Extra[] {
  return suppressed.length === 0 || extras.includes('suppressed') ? extras : [...extras, 'suppressed'];
}

async function markOf(file: Blob): Promise<string> {
  const answer = await ask({ kind: 'mark', file });
  if (answer.kind === 'marked') return answer.mark;
  throw new MergeFault(answer.kind === 'failed' ? answer.fault : null);
}

async function ask(request: MergerRequest): Promise<MergerEvent> {
  const worker = startMerger();
  try {
    worker.postMessage(request);
    return await answerOf(worker);
  } finally {
    worker.terminate();
  }
}

/** With its worker, nothing would answer any more. */
function untilAborted<Value>(answered: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (signal === undefined) return answered;
  return new Promise((done, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    answered.then(done, fail);
  });
}

function startMerger(): Worker {
  return new Worker(new URL('./merge.worker.ts', import.meta.url), { type: 'module' });
}

function answerOf(worker: Worker): Promise<MergerEvent> {
  return new Promise((done, fail) => {
    worker.onmessage = ({ data }: MessageEvent<MergerEvent>) => done(data);
    worker.onerror = () => fail(new MergeFault(null));
  });
}

/** Null: it was put. */
async function put(record: StoredFile): Promise<StoreFault['kind'] | null> {
  try {
    await inStore(FILES, 'readwrite', (files) => files.put(record));
    return null;
  } catch (error) {
    if (error instanceof StoreFault) return error.kind;
    throw error;
  }
}

/** A browser that keeps nothing has nothing of ours. */
async function unlessFaulty<Value>(asked: Promise<Value>): Promise<NonNullable<Value> | null> {
  try {
    return (await asked) ?? null;
  } catch (error) {
    if (error instanceof StoreFault) return null;
    throw error;
  }
}
