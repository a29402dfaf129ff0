// Submissions that may have been charged. Promise: the same file, read the same way, under the same name, has the same
// Idempotency-Key until its lists are known to exist, even if the page was closed in between: a second click, a lost
// response or a second window are not charged twice. Afterwards it has a new one, so that a file can be checked again.
import { BEGUN, inStore, StoreFault } from './database.ts';

const KEY_BYTES = 16;
/** For browsers that keep nothing: at least as long as the page is open. */
const unkept = new Map<string, string>();

export async function keyFor(what: string): Promise<string> {
  const known = unkept.get(what);
  if (known !== undefined) return known;
  try {
    const kept = await inStore<string | undefined>(BEGUN, 'readonly', (begun) => begun.get(what));
    if (kept !== undefined) return kept;
    const made = newKey();
    // `add`, not `put`: of two windows, the first one's key counts.
    await inStore(BEGUN, 'readwrite', (begun) => begun.add(made, what));
    return made;
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    const theirs = await inStore<string | undefined>(BEGUN, 'readonly', (begun) => begun.get(what)).catch(
      () => undefined,
    );
    const key = theirs ?? newKey();
    unkept.set(what, key);
    return key;
  }
}

export async function settle(what: string): Promise<void> {
  unkept.delete(what);
  await inStore(BEGUN, 'readwrite', (begun) => begun.delete(what)).catch((error: unknown) => {
    if (!(error instanceof StoreFault)) throw error;
  });
}

/** Not randomUUID, which pages without https do not have. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
