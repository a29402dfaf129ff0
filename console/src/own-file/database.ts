// The browser's own store (IndexedDB) as promises. Promise: where there is none (private windows, a full disk), every call
// rejects with `StoreFault`, never with anything else.

const NAME = 'mxproof';
const VERSION = 1;

export const FILES = 'files';
export const BEGUN = 'begun';
export const BY_LIST = 'listIds';
export const BY_MARK = 'mark';

export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly kind: 'no_room' | 'unavailable';

  constructor(kind: StoreFault['kind'], cause: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** One transaction over one store; `work` begins its requests at once and waits for nothing else. */
export async function inStore<Value>(
  name: typeof FILES | typeof BEGUN,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  try {
    const database = await open();
    try {
      const transaction = database.transaction(name, mode);
      const request = work(transaction.objectStore(name));
      await new Promise<void>((done, fail) => {
        transaction.oncomplete = () => done();
        transaction.onabort = () => fail(transaction.error ?? request.error);
      });
      return request.result;
    } finally {
      database.close();
    }
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    throw new StoreFault(isFull ? 'no_room' : 'unavailable', error);
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const files = request.result.createObjectStore(FILES, { keyPath: 'id' });
      files.createIndex(BY_LIST, BY_LIST, { multiEntry: true });
      files.createIndex(BY_MARK, BY_MARK);
      request.result.createObjectStore(BEGUN);
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
    request.onblocked = () => fail(request.error);
  });
}
