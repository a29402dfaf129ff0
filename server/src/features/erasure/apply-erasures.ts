// Erases in a restored store what was erased after its backup: from hashes alone, by those of all addresses in it.
// Promise: an address that was submitted again after it had been erased stays; memory is bounded, however many were erased and
// however many addresses there are.

import type { Context } from '../../flow/context.ts';
import { erasedHash } from '../../rules/erased-hash.ts';
import { canonicalEmail, erasedText } from '../../rules/erased-text.ts';
import type { List } from '../../rules/list.ts';
import type { Tx } from '../../store/database.ts';
import type { ErasureKey } from '../../store/erasure-key.ts';
import { eraseFromList } from './erase-address.ts';
import { eraseNewOutcomes, insertNew, type NewErasure, newAmong } from './stored-erasures.ts';
import { addressesOf, eraseTexts, mentionedAmong, nextLists } from './stored-rows.ts';

export interface AppliedErasures {
  /** Addresses that the store did not know as erased. */
  readonly erasures: number;
  readonly rows: number;
}

/** In the caller's transaction, those of `addGiven`. Erasures by another key are left out. */
export async function applyErasures(
  context: Pick<Context, 'jobs'>,
  tx: Tx,
  key: ErasureKey,
): Promise<AppliedErasures> {
  const erasures = await insertNew(tx, key.id);
  if (erasures === 0) return { erasures, rows: 0 };
  await eraseNewOutcomes(tx);
  const found = new Map<string, readonly NewErasure[]>();
  let rows = 0;
  for (let after = 0; ; ) {
    const lists = await nextLists(tx, { after, upTo: Number.MAX_SAFE_INTEGER, accountIds: null });
    if (lists.length === 0) break;
    const listIds = lists.map(({ id }) => id);
    const { ofEmail, hit } = await findErased(tx, key, listIds);
    const isErased = (email: string, { accountId, createdAtSeconds }: List) =>
      (ofEmail.get(email) ?? []).some(
        ({ accountIds, askedAtSeconds }) =>
          createdAtSeconds <= askedAtSeconds && (accountIds === null || accountIds.includes(accountId)),
      );
    for (const listId of hit) {
      const erased = await eraseFromList(context, tx, listId, { pieces: null, isErased });
      rows += erased.size;
      for (const email of erased) found.set(email, ofEmail.get(email)!);
    }
    after = listIds.at(-1)!;
  }
  const texts = [...found].flatMap(([email, erased]) => {
    const mentioned = erasedText(email);
    return mentioned === null ? [] : [{ mentioned, erased }];
  });
  // Most are mentioned nowhere, and to look for each in every table would take hours.
  const forms = await mentionedAmong(
    tx,
    texts.flatMap(({ mentioned }) => mentioned.forms),
  );
  for (const { mentioned, erased } of texts)
    if (mentioned.forms.some((form) => forms.has(form)))
      for (const { accountIds } of erased) await eraseTexts(tx, [mentioned], accountIds);
  return { erasures, rows };
}

/** Which addresses of the lists were erased, at which account's request, and which lists have them. */
async function findErased(
  tx: Tx,
  key: ErasureKey,
  listIds: readonly number[],
): Promise<{ ofEmail: Map<string, NewErasure[]>; hit: Set<number> }> {
  const chunks = await addressesOf(tx, listIds);
  const emailsOf = new Map<string, Set<string>>();
  // Before 0.3 erasures were known by the spelling that was asked for.
  for (const { emails } of chunks)
    for (const email of emails)
      for (const form of email === '' ? [] : new Set([email, canonicalEmail(email)])) {
        const hash = erasedHash(key.secret, form);
        emailsOf.set(hash, (emailsOf.get(hash) ?? new Set()).add(email));
      }
  const ofEmail = new Map<string, NewErasure[]>();
  for (const erased of await newAmong(tx, [...emailsOf.keys()]))
    for (const email of emailsOf.get(erased.hash)!)
      ofEmail.set(email, [...(ofEmail.get(email) ?? []), erased]);
  const hit = new Set<number>();
  for (const { listId, emails } of chunks) if (emails.some((email) => ofEmail.has(email))) hit.add(listId);
  return { ofEmail, hit };
}
