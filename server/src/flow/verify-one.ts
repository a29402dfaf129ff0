// Checks one address: a list with one address, started at once and waited for.
import { type RowVerdict, readResults } from '../rules/chunk-results.ts';
import { readChunks } from '../store/chunks.ts';
import type { Tx } from '../store/database.ts';
import type { Context } from './context.ts';
import { type Submission, type SubmitResult, submitList } from './submit-list.ts';

/** Runs single checks on this node; an HTTP-only node leaves them to whichever node claims the job. */
export interface SingleChecks {
  /** Lists step aside until the answer is called, for a moment at most. */
  makeWay(): () => void;
  /** Starts the check without waiting for it; never throws. */
  begin(listId: number, accountId: number, email: string, isTest: boolean): void;
  /**
   * Resolves when the list has finished (or is gone), or the wait is over. The verdict, where this node has just
   * written it; null: the rows say how it stands.
   */
  finished(listId: number, waitMs: number): Promise<RowVerdict | null>;
}

export type VerifyResult =
  | Exclude<SubmitResult, { kind: 'created' }>
  | { readonly kind: 'checked'; readonly listId: number; readonly verdict: RowVerdict }
  | { readonly kind: 'pending'; readonly listId: number };

export async function verifyOne(
  context: Context,
  singles: SingleChecks,
  submission: Submission & { readonly emails: readonly [email: string]; readonly isTest: boolean },
  waitMs: number,
): Promise<VerifyResult> {
  // No mail server's answer is waited for in a test.
  const noHurry = submission.isTest ? () => {} : singles.makeWay();
  try {
    const submitted = await submitList(context, submission);
    if (submitted.kind !== 'created') return submitted;
    singles.begin(submitted.list.id, submission.accountId, submission.emails[0], submission.isTest);
    const { id } = submitted.list;
    return await readOutcome(context, id, await singles.finished(id, waitMs));
  } finally {
    noHurry();
  }
}

/** How a single check stands, given what waiting for it answered. */
export async function readOutcome(
  context: Context,
  listId: number,
  waitedFor: RowVerdict | null,
): Promise<Extract<VerifyResult, { listId: number }>> {
  const verdict = waitedFor ?? (await readSingle(context.db, listId));
  return verdict ? { kind: 'checked', listId, verdict } : { kind: 'pending', listId };
}

async function readSingle(tx: Tx, listId: number): Promise<RowVerdict | null> {
  const [chunk] = await readChunks(tx, listId, 0, 0);
  return chunk ? readResults(chunk.results, chunk.size)[0]! : null;
}
