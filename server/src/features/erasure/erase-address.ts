// Erases an address: from lists, evidence, remembered requests and whatever text mentions it.
// Promise: its rows stay, with an empty address and their verdict; one that was pending ends unknown, and is refunded as
// every unknown is. A list is changed in one transaction, so that a process that is killed in between goes on where it was: what
// was counted is not counted twice. All spellings of it are one address. The address itself is stored sealed, and only until it is erased.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Verdict } from '@mxproof/engine';
import type { Context } from '../../flow/context.ts';
import { finishList } from '../../flow/finish-list.ts';
import { stripEvidence } from '../../flow/strip-evidence.ts';
import { askedDomain } from '../../rules/asked-domains.ts';
import type { Actor } from '../../rules/audit.ts';
import { mergeResults, readResults } from '../../rules/chunk-results.ts';
import { CHUNK_SIZE, cleanEmail } from '../../rules/clean-emails.ts';
import { addressHash, erasedHash } from '../../rules/erased-hash.ts';
import { canonicalEmail, type ErasedText, erasedText } from '../../rules/erased-text.ts';
import type { List } from '../../rules/list.ts';
import { writeAudit } from '../../store/audit.ts';
import { forgetCatchAlls } from '../../store/catch-alls.ts';
import { forgetPositions } from '../../store/checked-addresses.ts';
import { isTooSlow, isUnavailable, type Tx } from '../../store/database.ts';
import { readErasureKey } from '../../store/erasure-key.ts';
import { readEvidence } from '../../store/evidence.ts';
import { addToCounts } from '../../store/lists.ts';
import { eraseOutcomes } from '../../store/outcome-settings.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import { ensureSecretKey } from '../../store/webhook-secrets.ts';
import {
  countErased,
  type Erasure,
  finishErasures,
  insertErasure,
  noteLookedThrough,
  type RunningErasure,
  readErasure,
} from './stored-erasures.ts';
import {
  accountsOf,
  chunksWith,
  type ErasableChunk,
  eraseTexts,
  forgetRequest,
  freeOldRows,
  lockAnyList,
  lockChunks,
  nextLists,
  type Pieces,
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
/** Of an address that is to be erased. */
export const ADDRESS_BINDING = 'an address to erase';

/** From now on it is known that the address is to go, whatever dies. Null account: everyone's lists. */
export async function requestErasure(
  tx: Tx,
  actor: Actor,
  box: SecretBox,
  { email, accountId, isMine }: { email: string; accountId: number | null; isMine: boolean },
): Promise<RunningErasure> {
  const key = await readErasureKey(tx, box);
  const clean = cleanEmail(email);
  const hash = erasedHash(key.secret, canonicalEmail(clean));
  const sealed = (await ensureSecretKey(tx, box)).seal(clean, ADDRESS_BINDING);
  const erasure = await insertErasure(tx, { accountId, keyId: key.id, hash, sealed, isMine });
  await writeAudit(tx, actor, { action: 'address.erased', accountId, subjectId: erasure.id });
  return erasure;
}

export interface ErasedRound {
  /** By id, those that could not be finished, and why. */
  readonly failed: ReadonlyMap<number, unknown>;
  /** They were asked for again meanwhile. */
  readonly again: readonly RunningErasure[];
}

interface OpenErasure extends RunningErasure {
  readonly email: string;
}

/** More are looked for in all addresses, instead of one by one in every chunk. */
const FEW = 10;

/** Of one account together: its lists, and the tables of all accounts, are gone through once. Until `signal`. */
export async function runErasures(
  context: Context,
  box: SecretBox,
  erasures: readonly RunningErasure[],
  signal?: AbortSignal,
): Promise<ErasedRound> {
  const { db } = context;
  const failed = new Map<number, unknown>();
  const opened = openAll(box, erasures, failed);
  if (opened.length === 0) return { failed, again: [] };
  const accountIds = await accountsOf(db, opened[0]!.accountId);
  const spellings = new Set(opened.flatMap(({ email }) => [email, canonicalEmail(email)]));
  const pieces = opened.length > FEW ? null : [...spellings].map((each) => JSON.stringify(each));
  const upTo = Math.max(...opened.map(({ upToList }) => upToList));
  for (let after = Math.min(...opened.map(({ afterList }) => afterList)); ; ) {
    const lists = await nextLists(db, { after, upTo, accountIds });
    if (lists.length === 0) break;
    for (const [listId, { wanted, ofEmail }] of await findIn(db, lists, opened, pieces)) {
      if (signal?.aborted) return { failed, again: [] };
      try {
        await db.transaction(async (tx) => {
          const isErased = (email: string) => ofEmail(email).length > 0;
          const erased = [...(await eraseFromList(context, tx, listId, { pieces, isErased }))];
          for (const one of wanted) {
            const rows = erased.filter((email) => ofEmail(email).includes(one)).length;
            if (rows > 0) await countErased(tx, one.id, rows);
          }
        });
      } catch (error) {
        if (isUnavailable(error) && !isTooSlow(error)) throw error;
        for (const { id } of wanted) failed.set(id, error);
      }
    }
    after = lists.at(-1)!.id;
    const goingOn = opened.filter(({ id }) => !failed.has(id));
    await noteLookedThrough(
      db,
      goingOn.map(({ id }) => id),
      after,
    );
  }
  const whole = opened.filter(({ id }) => !failed.has(id));
  if (whole.length === 0 || signal?.aborted) return { failed, again: [] };
  const mentioned = whole.flatMap(({ email }) => erasedText(email) ?? []);
  const key = await readErasureKey(db, box);
  const hashes = whole.map(({ email }) => addressHash(key.secret, email));
  await db.transaction(async (tx) => {
    if (mentioned.length > 0) await eraseTexts(tx, mentioned, accountIds);
    await eraseOutcomes(tx, hashes, accountIds);
  });
  await freeOldRows(db);
  return { failed, again: await finishErasures(db, whole) };
}

/** One that the secret key does not open is not erased, and keeps no other from it. */
function openAll(
  box: SecretBox,
  erasures: readonly RunningErasure[],
  failed: Map<number, unknown>,
): OpenErasure[] {
  return erasures.flatMap((erasure) => {
    try {
      return [{ ...erasure, email: box.open(erasure.sealed, ADDRESS_BINDING) }];
    } catch (error) {
      failed.set(erasure.id, error);
      return [];
    }
  });
}

interface FoundInList {
  readonly wanted: Set<OpenErasure>;
  /** Which of them an address of the list is of. */
  ofEmail(email: string): readonly OpenErasure[];
}

/** The lists that have one of the addresses, by id. */
async function findIn(
  tx: Tx,
  lists: readonly { id: number; isMadeOfOthers: boolean }[],
  opened: readonly OpenErasure[],
  pieces: Pieces,
): Promise<Map<number, FoundInList>> {
  const byEmail = Map.groupBy(opened, ({ email }) => canonicalEmail(email));
  const isMade = new Map(lists.map(({ id, isMadeOfOthers }) => [id, isMadeOfOthers]));
  const ids = lists.map(({ id }) => id);
  const found = new Map<number, FoundInList>();
  for await (const chunks of chunksWith(tx, ids, pieces)) {
    for (const { listId, emails } of chunks) {
      // What was submitted after it was asked for stays.
      const ofEmail = (email: string) =>
        (byEmail.get(canonicalEmail(email)) ?? []).filter(
          ({ upToList }) => listId <= upToList || isMade.get(listId),
        );
      const own = found.get(listId) ?? { wanted: new Set(), ofEmail };
      for (const each of readEmails(emails, opened)) for (const one of ofEmail(each)) own.wanted.add(one);
      if (own.wanted.size > 0) found.set(listId, own);
    }
    // Other requests run between two pages.
    await nextTurn();
  }
  return found;
}

/** Where they cannot be read, those that seem to be there: their erasures fail, and others go on. */
function readEmails(emails: string, opened: readonly OpenErasure[]): string[] {
  try {
    return JSON.parse(emails) as string[];
  } catch {
    return opened.map(({ email }) => email).filter((email) => emails.includes(JSON.stringify(email)));
  }
}

/** One alone, until nothing is left, or `signal`: then it is not done. */
export async function runErasure(
  context: Context,
  box: SecretBox,
  erasure: RunningErasure,
  signal?: AbortSignal,
): Promise<Erasure> {
  for (let running: RunningErasure | undefined = erasure; running; ) {
    const { failed, again } = await runErasures(context, box, [running], signal);
    for (const error of failed.values()) throw error;
    running = again[0];
  }
  return readErasure(context.db, erasure.id);
}

export interface ErasedAddresses {
  readonly pieces: Pieces;
  isErased(email: string, list: List): boolean;
}

/** The caller's transaction. Returns the addresses that were in the list, each once. */
export async function eraseFromList(
  context: Pick<Context, 'jobs'>,
  tx: Tx,
  listId: number,
  { pieces, isErased }: ErasedAddresses,
): Promise<Set<string>> {
  const erased = new Set<string>();
  const list = await lockAnyList(tx, listId);
  if (!list) return erased;
  let ended = 0;
  for (let after = -1, goesOn = true; goesOn; ) {
    const { chunks, more } = await lockChunks(tx, listId, after, pieces);
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
  if (erased.size > 0)
    await forgetCatchAlls(
      tx,
      list.accountId,
      [...erased].flatMap((email) => askedDomain(email) ?? []),
    );
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
  await forgetPositions(
    tx,
    list.id,
    positions.map((position) => n * CHUNK_SIZE + position),
  );
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
