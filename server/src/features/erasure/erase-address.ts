// Erases an address: from lists, evidence, remembered requests and whatever text mentions it.
// Promise: its rows stay, with an empty address and their verdict; one that was pending ends unknown, and is refunded as
// every unknown is. A list is changed in one transaction, so that a process that is killed in between goes on where it was: what
// was counted is not counted twice. The address itself is stored sealed, and only until it is erased.
import type { Verdict } from '@mxproof/engine';
import type { Context } from '../../flow/context.ts';
import { finishList } from '../../flow/finish-list.ts';
import { stripEvidence } from '../../flow/strip-evidence.ts';
import { mergeResults, readResults } from '../../rules/chunk-results.ts';
import { cleanEmail } from '../../rules/clean-emails.ts';
import { type ErasedText, erasedText } from '../../rules/erased-text.ts';
import type { List } from '../../rules/list.ts';
import type { Tx } from '../../store/database.ts';
import { readEvidence } from '../../store/evidence.ts';
import { addToCounts } from '../../store/lists.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import { erasedHash } from './erased-hash.ts';
import {
  countErased,
  type Erasure,
  finishErasure,
  insertErasure,
  noteLookedThrough,
  type RunningErasure,
  readErasure,
} from './stored-erasures.ts';
import { readErasureKey } from './stored-key.ts';
import {
  accountsOf,
  type ErasableChunk,
  eraseTexts,
  forgetRequest,
  freeOldRows,
  listsWith,
  lockAnyList,
  lockChunks,
  nextLists,
  replaceEvidence,
  writeErased,
} from './stored-rows.ts';

/** Of a row that was pending. */
const NEVER_CHECKED: Verdict = {
  state: 'unknown',
  reason: 'no_connect',
  detail: 'list_ended',
  score: 0,
  acceptAll: false,
  role: false,
  free: false,
  disposable: false,
  mx: null,
  provider: '',
};

const PIECES_AT_ONCE = 20;
const SEALED_AS = 'an address to erase';

/** From now on it is known that the address is to go, whatever dies. Null account: everyone's lists. */
export async function requestErasure(
  tx: Tx,
  box: SecretBox,
  { email, accountId, isMine }: { email: string; accountId: number | null; isMine: boolean },
): Promise<RunningErasure> {
  const key = await readErasureKey(tx, box);
  const clean = cleanEmail(email);
  const hash = erasedHash(key.bytes, clean);
  const sealed = box.seal(clean, SEALED_AS);
  return insertErasure(tx, { accountId, keyId: key.id, hash, sealed, isMine });
}

/** Goes on until nothing is left, or `signal`: then it is not done. */
export async function runErasure(
  context: Context,
  box: SecretBox,
  erasure: RunningErasure,
  signal?: AbortSignal,
): Promise<Erasure> {
  const { db } = context;
  const email = box.open(erasure.sealed, SEALED_AS);
  const accountIds = await accountsOf(db, erasure.accountId);
  const mentioned = erasedText(email);
  let after = erasure.afterList;
  for (let upTo: number | null = erasure.upToList; upTo !== null; ) {
    for (;;) {
      const listIds = await nextLists(db, { after, upTo, accountIds });
      if (listIds.length === 0) break;
      for (const listId of await listsWith(db, listIds, email)) {
        if (signal?.aborted) return readErasure(db, erasure.id);
        await db.transaction(async (tx) => {
          const rows = await eraseFromList(context, tx, listId, {
            piece: JSON.stringify(email),
            isErased: (each) => each === email,
          });
          if (rows.size > 0) await countErased(tx, erasure.id, rows.size);
        });
      }
      after = listIds.at(-1)!;
      await noteLookedThrough(db, erasure.id, after);
    }
    if (signal?.aborted) return readErasure(db, erasure.id);
    if (mentioned) await db.transaction((tx) => eraseTexts(tx, mentioned, accountIds));
    await freeOldRows(db);
    upTo = await finishErasure(db, { id: erasure.id, upToList: upTo });
  }
  return readErasure(db, erasure.id);
}

export interface ErasedAddresses {
  /** JSON that chunks with one of them have in them; null: any may. */
  readonly piece: string | null;
  isErased(email: string, list: List): boolean;
}

/** The caller's transaction. Returns the addresses that were in the list, each once. */
export async function eraseFromList(
  context: Pick<Context, 'jobs'>,
  tx: Tx,
  listId: number,
  { piece, isErased }: ErasedAddresses,
): Promise<Set<string>> {
  const erased = new Set<string>();
  const list = await lockAnyList(tx, listId);
  if (!list) return erased;
  let ended = 0;
  for (let after = -1, goesOn = true; goesOn; ) {
    const { chunks, more } = await lockChunks(tx, listId, after, piece);
    for (const chunk of chunks) {
      const emails = JSON.parse(chunk.emails) as string[];
      const positions = [...emails.keys()].filter(
        (position) => emails[position] !== '' && isErased(emails[position]!, list),
      );
      if (positions.length === 0) continue;
      for (const position of positions) erased.add(emails[position]!);
      ended += await eraseFromChunk(tx, list, chunk, emails, positions);
    }
    after = chunks.at(-1)?.n ?? after;
    goesOn = more;
  }
  if (erased.size > 0 && list.total === 1) await forgetRequest(tx, listId);
  if (ended > 0) {
    const now = await addToCounts(tx, listId, { deliverable: 0, risky: 0, undeliverable: 0, unknown: ended });
    if (now.checked === now.total) await finishList(context, tx, now);
  }
  return erased;
}

/** Returns how many were pending. */
async function eraseFromChunk(
  tx: Tx,
  list: List,
  { n, size, results, nowSeconds }: ErasableChunk,
  emails: readonly string[],
  positions: readonly number[],
): Promise<number> {
  const known = readResults(results, size);
  const pending = list.finishedAtSeconds === null ? positions.filter((position) => !known[position]) : [];
  const merged =
    pending.length === 0
      ? null
      : mergeResults(
          results,
          size,
          new Map(pending.map((position) => [position, NEVER_CHECKED])),
          nowSeconds,
        );
  await writeErased(tx, list.id, {
    n,
    emails: JSON.stringify(emails.map((email, position) => (positions.includes(position) ? '' : email))),
    results: merged?.text ?? results,
    positions,
  });
  const mentioned = positions.flatMap((position) => erasedText(emails[position]!) ?? []);
  await eraseEvidence(tx, list.id, n, positions, mentioned);
  return pending.length;
}

async function eraseEvidence(
  tx: Tx,
  listId: number,
  n: number,
  positions: readonly number[],
  mentioned: readonly ErasedText[],
): Promise<void> {
  for (let afterId = 0; ; ) {
    const pieces = await readEvidence(tx, listId, n, { afterId, limit: PIECES_AT_ONCE });
    for (const { id, data } of pieces) {
      afterId = id;
      const left = stripEvidence(data, positions, mentioned);
      if (left === null || !left.equals(data)) await replaceEvidence(tx, id, left);
    }
    if (pieces.length < PIECES_AT_ONCE) return;
  }
}
