// Submissions that may have been charged. Promise: the same file, read the same way, under the same name, has the same
// Idempotency-Key until its lists are known to exist, even if the page was closed in between: a second click, a lost
// response or a second window are not charged twice. Afterwards it has a new one, so that a file can be checked again.
import { BEGUN, inStore, StoreFault } from './database.ts';
import { newKey } from './new-key.ts';

/** For browsers that keep nothing: at least as long as the page is open. */
const unkept = new Map<string, string>();

export function keyFor(what: string): Promise<string> {
  return remember(what, newKey());
}

/** @returns `made`, or what was remembered before */
export async function remember(what: string, made: string): Promise<string> {
  const known = await remembered(what);
  if (known !== null) return known;
  try {
    // `add`, not `put`: of two windows, the first one's counts.
    await inStore(BEGUN, 'readwrite', (begun) => begun.add(made, what));
    return made;
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    const theirs = await remembered(what);
    if (theirs !== null) return theirs;
    unkept.set(what, made);
    return made;
  }
}

/** Null: it is not begun. */
export async function remembered(what: string): Promise<string | null> {
  const known = unkept.get(what);
  if (known !== undefined) return known;
  const kept = await inStore<string | undefined>(BEGUN, 'readonly', (begun) => begun.get(what)).catch(
    (error: unknown) => {
      if (!(error instanceof StoreFault)) throw error;
    },
  );
  return kept ?? null;
}

export async function settle(what: string): Promise<void> {
  unkept.delete(what);
  await inStore(BEGUN, 'readwrite', (begun) => begun.delete(what)).catch((error: unknown) => {
    if (!(error instanceof StoreFault)) throw error;
  });
}
