// The hashes of many addresses, other requests having their turns in between.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../flow/context.ts';
import { addressHash } from '../../rules/erased-hash.ts';

const AT_ONCE = 250;

/** In their places; null: blank, or erased. */
export async function hashAddresses(
  { db, addressKey }: Pick<Context, 'db' | 'addressKey'>,
  emails: readonly string[],
): Promise<(Buffer | null)[]> {
  const key = await addressKey(db);
  const hashes: (Buffer | null)[] = [];
  for (const [at, email] of emails.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await nextTurn();
    hashes.push(email === '' ? null : addressHash(key, email));
  }
  return hashes;
}
