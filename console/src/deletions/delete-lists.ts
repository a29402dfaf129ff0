// Deletes the parts of a list at the service, and brings them back.
import { ListNotFound } from '@mxproof/client';
import { mx } from '../shell/api.ts';
import { UNDO_MS } from './pending-deletions.ts';

/** Longer than the console offers the undo, so that a request sent at the last moment still arrives in time. */
const GRACE_MS = 10_000;
const UNDO_SECONDS = (UNDO_MS + GRACE_MS) / 1_000;

/** All of them or none. All requests leave at once: the page may be closed before the first is answered. */
export async function deleteLists(ids: readonly number[]): Promise<void> {
  const deleted = await Promise.allSettled(ids.map(deleteList));
  const failed = deleted.find(({ status }) => status === 'rejected');
  if (!failed) return;
  await Promise.allSettled(ids.map((id) => mx.lists.undelete(id, { maxRetries: 0 })));
  throw (failed as PromiseRejectedResult).reason;
}

export async function undeleteLists(ids: readonly number[]): Promise<void> {
  await Promise.all(ids.map((id) => mx.lists.undelete(id)));
}

/** What this browser keeps of the list, unless a part of it is there after all. */
export async function forgetDeleted(ids: readonly number[]): Promise<void> {
  const { forgetList } = await import('../own-file/own-file.ts');
  const gone = await Promise.all(ids.map(isGone));
  if (gone.every(Boolean)) for (const id of ids) await forgetList(id);
}

async function deleteList(id: number): Promise<void> {
  await mx.lists.delete(id, { undo: UNDO_SECONDS }).catch(unlessGone);
}

async function isGone(id: number): Promise<boolean> {
  return (await mx.lists.get(id).catch(unlessGone)) === undefined;
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof ListNotFound)) throw error;
}
