// The likelier spellings of a finished list's misspelt addresses, as the addresses of a new list. They no longer change, so
// they are read before the transaction that charges them.
import { type ChunkedEmails, toChunks } from '../rules/clean-emails.ts';
import { correctionOf, domainText } from '../rules/correction.ts';
import type { List } from '../rules/list.ts';
import type { Tx } from '../store/database.ts';
import { readPage } from './read-results.ts';
import type { Reading } from './reading-turns.ts';

export interface Corrections {
  readonly emails: ChunkedEmails;
  /** Misspelt addresses whose likelier spelling is that of another one. */
  readonly duplicates: number;
}

/** `domains`: correct only these; null: all. Throws ListGone and ReaderLeft. */
export async function readCorrections(
  tx: Tx,
  reading: Reading,
  list: List,
  domains: ReadonlySet<string> | null,
): Promise<Corrections> {
  const all = { offset: 0, limit: list.total };
  /** How many addresses each is the likelier spelling of. */
  const found = new Map<string, number>();
  for await (const _ of readPage(tx, reading, list, all, (rows) => {
    for (const { email, verdict } of rows) {
      if (domains !== null && !domains.has(domainText(email))) continue;
      const corrected = correctionOf(email, verdict);
      if (corrected !== null) found.set(corrected, (found.get(corrected) ?? 0) + 1);
    }
  }));
  if (found.size > 0)
    for await (const _ of readPage(tx, reading, list, all, (rows) => {
      // Its answer is in the list already, and was paid for.
      for (const { email, verdict } of rows) if (verdict !== null) found.delete(email);
    }));
  let misspelt = 0;
  for (const count of found.values()) misspelt += count;
  return { emails: toChunks([...found.keys()]), duplicates: misspelt - found.size };
}
