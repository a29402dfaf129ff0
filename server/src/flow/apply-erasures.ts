// Erases in a restored store what was erased after its backup: from hashes alone, by those of all addresses in it.
// Promise: an address that was submitted again after it had been erased stays.
import { erasedHash, type KnownErasure } from '../rules/erased-hash.ts';
import { erasedText } from '../rules/erased-text.ts';
import type { List } from '../rules/list.ts';
import type { Tx } from '../store/database.ts';
import { accountsOf, addressesOf, eraseTexts, nextLists } from '../store/erase-rows.ts';
import type { ErasureKey } from '../store/erasure-key.ts';
import { insertKnown } from '../store/erasures.ts';
import type { Context } from './context.ts';
import { eraseFromList } from './erase-address.ts';

export interface AppliedErasures {
  /** That the store did not know. */
  readonly erasures: number;
  readonly rows: number;
}

interface Scope {
  /** Null: everyone's. */
  readonly accountIds: readonly number[] | null;
  readonly askedAtSeconds: number;
}

/** In the caller's transaction. Erasures by another key are left out. */
export async function applyErasures(
  context: Pick<Context, 'jobs'>,
  tx: Tx,
  key: ErasureKey,
  known: Iterable<KnownErasure>,
): Promise<AppliedErasures> {
  const scopes = new Map<string, Scope[]>();
  let erasures = 0;
  for (const each of known) {
    if (each.keyId !== key.id || !(await insertKnown(tx, each))) continue;
    erasures++;
    const scope = {
      accountIds: await accountsOf(tx, each.accountId),
      askedAtSeconds: each.askedAt.getTime() / 1000,
    };
    scopes.set(each.hash, [...(scopes.get(each.hash) ?? []), scope]);
  }
  if (erasures === 0) return { erasures, rows: 0 };
  const scopesOf = (email: string) => (email === '' ? [] : (scopes.get(erasedHash(key.bytes, email)) ?? []));
  const isErased = (email: string, { accountId, createdAtSeconds }: List) =>
    scopesOf(email).some(
      ({ accountIds, askedAtSeconds }) =>
        createdAtSeconds <= askedAtSeconds && (accountIds === null || accountIds.includes(accountId)),
    );
  const found = new Set<string>();
  let rows = 0;
  for (let after = 0; ; ) {
    const listIds = await nextLists(tx, { after, upTo: Number.MAX_SAFE_INTEGER, accountIds: null });
    if (listIds.length === 0) break;
    const hit = new Set<number>();
    for (const { listId, emails } of await addressesOf(tx, listIds))
      if (emails.some((email) => scopesOf(email).length > 0)) hit.add(listId);
    for (const listId of hit) {
      const erased = await eraseFromList(context, tx, listId, { piece: null, isErased });
      rows += erased.size;
      for (const email of erased) found.add(email);
    }
    after = listIds.at(-1)!;
  }
  for (const email of found) {
    const mentioned = erasedText(email);
    if (mentioned === null) continue;
    for (const { accountIds } of scopesOf(email)) await eraseTexts(tx, mentioned, accountIds);
  }
  return { erasures, rows };
}
