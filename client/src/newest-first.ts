// All entries over all pages.
// Promise: what is made meanwhile moves the pages, and nothing is yielded twice for it.
const ENTRIES_PER_PAGE = 1_000;

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Of entries whose ids fall. */
export function newestFirst<Entry>(
  read: (page: Page) => Promise<readonly Entry[]>,
  idOf: (entry: Entry) => number,
): AsyncGenerator<Entry, void, undefined> {
  let lowest = Number.POSITIVE_INFINITY;
  return overAllPages(read, (entry) => {
    const id = idOf(entry);
    if (id >= lowest) return false;
    lowest = id;
    return true;
  });
}

/** Of entries in any order: the ids of all are held. */
export function everyOnce<Entry, Id>(
  read: (page: Page) => Promise<readonly Entry[]>,
  idOf: (entry: Entry) => Id,
): AsyncGenerator<Entry, void, undefined> {
  const seen = new Set<Id>();
  return overAllPages(read, (entry) => {
    const { size } = seen;
    return seen.add(idOf(entry)).size > size;
  });
}

async function* overAllPages<Entry>(
  read: (page: Page) => Promise<readonly Entry[]>,
  isNew: (entry: Entry) => boolean,
): AsyncGenerator<Entry, void, undefined> {
  for (let offset = 0; ; offset += ENTRIES_PER_PAGE) {
    const page = await read({ offset, limit: ENTRIES_PER_PAGE });
    for (const entry of page) if (isNew(entry)) yield entry;
    if (page.length < ENTRIES_PER_PAGE) return;
  }
}
