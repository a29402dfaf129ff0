// All entries over all pages, newest first.
// Promise: what is made meanwhile moves the pages, and nothing is yielded twice for it.
export const ENTRIES_PER_PAGE = 1_000;

export async function* newestFirst<Entry>(
  read: (page: { readonly offset: number; readonly limit: number }) => Promise<readonly Entry[]>,
  idOf: (entry: Entry) => number,
): AsyncGenerator<Entry, void, undefined> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let offset = 0; ; offset += ENTRIES_PER_PAGE) {
    const page = await read({ offset, limit: ENTRIES_PER_PAGE });
    for (const entry of page) {
      if (idOf(entry) >= lowest) continue;
      lowest = idOf(entry);
      yield entry;
    }
    if (page.length < ENTRIES_PER_PAGE) return;
  }
}
