// Deletes an account, with its test side.
//
//   deleteAccount ─▶ deleted: no key or session of it is admitted ──removeAccountStep, again and again──▶ removed: a nameless
//                                                                  row with its ledger and its audit trail is left
//
// Promise: whatever dies after the first transaction, the nodes go on (worker/account-duties.ts). Each step is bounded, several at
// once do the same work and no harm; what an unfinished list gets back is refunded in the transaction that removes it, once.
import { refundOf } from '@mxproof/common/refund';
import { steadyNow } from '@mxproof/common/steady-now';
import type { Actor } from '../rules/audit.ts';
import { type Counts, noCounts } from '../rules/chunk-results.ts';
import {
  AFTER_LISTS,
  BEFORE_LISTS,
  closeAccount,
  idsOfDeleted,
  lockLists,
  lockUnfinished,
  nextFinished,
  nextUnfinished,
  noteRemoved,
  removeRows,
  removeTraces,
} from '../store/account-removal.ts';
import { findAccount, lockWithTwin } from '../store/accounts.ts';
import { writeAudit } from '../store/audit.ts';
import type { Database } from '../store/database.ts';
import { refundLists } from '../store/ledger.ts';
import { removeLists } from '../store/lists.ts';
import { notifyGone } from '../store/notify.ts';
import { countResults } from '../store/usage.ts';
import type { Context } from './context.ts';

/** So long who deletes it waits for its data to go; nearly every account has gone by then. */
const REMOVED_AT_ONCE_MS = 3_000;

export async function deleteAccount(
  context: Pick<Context, 'db'>,
  actor: Actor,
  accountId: number,
  { forMs = REMOVED_AT_ONCE_MS }: { readonly forMs?: number } = {},
): Promise<'deleted' | 'no_account'> {
  const isDeleted = await context.db.transaction(async (tx) => {
    if (!(await lockWithTwin(tx, accountId))) return false;
    const { credits, used, lists } = (await findAccount(tx, accountId))!;
    await closeAccount(tx, accountId);
    await writeAudit(tx, actor, {
      action: 'account.deleted',
      accountId,
      changes: { credits: [credits, null], credits_used: [used, null], lists: [lists, null] },
    });
    return true;
  });
  if (!isDeleted) return 'no_account';
  const untilMs = steadyNow() + forMs;
  // It is deleted, whatever becomes of this: the nodes go on, and log what does not go.
  for (let more = true; more && steadyNow() < untilMs; )
    more = await removeAccountStep(context, accountId).then(
      (step) => step.more,
      () => false,
    );
  return 'deleted';
}

/** Of a deleted account; nothing of any other. `more`: something may be left. */
export async function removeAccountStep(
  { db }: Pick<Context, 'db'>,
  accountId: number,
): Promise<{ more: boolean }> {
  const ids = await idsOfDeleted(db, accountId);
  if (ids.length === 0) return { more: false };
  // First, since mail servers are asked for them.
  for (const id of ids) if (await removeUnfinished(db, id)) return { more: true };
  const before = await removeAll(db, BEFORE_LISTS, ids);
  if (before.more) return { more: true };
  for (const id of ids) if (await removeFinished(db, id)) return { more: true };
  const after = await removeAll(db, AFTER_LISTS, ids);
  if (after.more) return { more: true };
  await db.transaction((tx) => closeAccount(tx, accountId));
  if (before.removed + after.removed > 0) return { more: true };
  await noteRemoved(db, ids);
  return { more: false };
}

/** False: there is none. */
async function removeUnfinished(db: Database, accountId: number): Promise<boolean> {
  const ids = await nextUnfinished(db, accountId);
  if (ids.length === 0) return false;
  await db.transaction(async (tx) => {
    const lists = await lockUnfinished(tx, ids);
    const going = lists.map(({ id }) => id);
    await removeLists(tx, going);
    await removeTraces(tx, going);
    await refundLists(
      tx,
      accountId,
      lists.map((list) => ({ id: list.id, refund: refundOf(list) })),
    );
    await countResults(tx, { accountId, counts: sumOf(lists) });
    await notifyGone(tx, going);
  });
  return true;
}

/** They were settled and counted when they finished. */
async function removeFinished(db: Database, accountId: number): Promise<boolean> {
  const ids = await nextFinished(db, accountId);
  if (ids.length === 0) return false;
  await db.transaction(async (tx) => {
    await lockLists(tx, ids);
    await removeLists(tx, ids);
    await removeTraces(tx, ids);
  });
  return true;
}

/** Up to the first of which there may be more. */
async function removeAll(
  db: Database,
  statements: readonly string[],
  ids: readonly number[],
): Promise<{ removed: number; more: boolean }> {
  let removed = 0;
  for (const statement of statements) {
    const step = await db.transaction((tx) => removeRows(tx, statement, ids));
    removed += step.removed;
    if (step.more) return { removed, more: true };
  }
  return { removed, more: false };
}

function sumOf(lists: readonly { readonly counts: Counts }[]): Counts {
  const sum = noCounts();
  for (const { counts } of lists) {
    sum.deliverable += counts.deliverable;
    sum.risky += counts.risky;
    sum.undeliverable += counts.undeliverable;
    sum.unknown += counts.unknown;
  }
  return sum;
}
