// Accepts a list: charge, rows, jobs and the idempotency record in one transaction, or nothing at all.
import { CHUNK_SIZE, type ChunkedEmails, toChunks } from '../rules/clean-emails.ts';
import type { List } from '../rules/list.ts';
import type { ListFile } from '../rules/list-file.ts';
import type { Tx } from '../store/database.ts';
import {
  type IdempotencyKey,
  type RememberedRequest,
  type RememberedResponse,
  recall,
  remember,
  rememberResponse,
} from '../store/idempotency.ts';
import { firstOf, isGroupTooLarge, retriesOf } from '../store/list-groups.ts';
import type { NewList } from '../store/lists.ts';
import { chargeLists, type NotCharged } from './charge-lists.ts';
import type { Context } from './context.ts';

export interface Submission {
  readonly accountId: number;
  /** Cleaned and unique; large lists come chunked, which was done off the main thread. */
  readonly emails: readonly string[] | ChunkedEmails;
  readonly duplicatesRemoved: number;
  readonly name: string;
  readonly callbackUrl: string | null;
  readonly group?: string | null;
  /** What the client says of the file. */
  readonly file?: ListFile | null;
  readonly retry?: Retry;
  /** Of corrections: the list whose addresses were misspelt. */
  readonly correctionOf?: number;
  /** That it is made with. */
  readonly keyId?: number | null;
  /** The member who is mailed when it is done. */
  readonly mailMemberId?: number | null;
  /** A single check is a one-address list, begun by the node that took it. */
  readonly single: boolean;
  readonly idempotency: IdempotencyKey | null;
  /** Where the answer is known at once, it is remembered in the same transaction. */
  readonly responseOf?: (list: List) => RememberedResponse;
}

/** Of the addresses that a list and its earlier retries have left open. */
interface Retry {
  readonly of: List;
  /** Those that were looked at. */
  readonly earlier: readonly List[];
}

export type SubmitResult =
  | { readonly kind: 'created'; readonly list: List }
  | { readonly kind: 'insufficient_credits'; readonly needed: number }
  | { readonly kind: 'group_full' | 'test_lists_full' | 'retried_meanwhile' }
  /** Another request with the same key was first. */
  | { readonly kind: 'repeated'; readonly remembered: RememberedRequest };

/** Lists up to this size share a transaction with others that arrive at the same moment. */
const SMALL_LIST = CHUNK_SIZE;

/** Rolls the transaction back; never leaves this file. */
class RollbackError extends Error {
  readonly outcome: SubmitResult;

  constructor(outcome: SubmitResult) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

export async function submitList(context: Context, submission: Submission): Promise<SubmitResult> {
  const { idempotency, group = null, file = null, retry, correctionOf = null, keyId = null } = submission;
  const { mailMemberId = null } = submission;
  const emails = 'pieces' in submission.emails ? submission.emails : toChunks(submission.emails);
  const wanted: NewList = {
    accountId: submission.accountId,
    single: submission.single,
    name: submission.name,
    duplicatesRemoved: submission.duplicatesRemoved,
    callbackUrl: submission.callbackUrl,
    group,
    retryOf: retry ? firstOf(retry.of) : null,
    correctionOf,
    file,
    keyId,
    mailMemberId,
    emails,
  };
  const short = { kind: 'insufficient_credits', needed: emails.total } as const;
  const outcomeOf = (list: List | NotCharged): SubmitResult => {
    if (list === 'insufficient_credits') return short;
    return list === 'test_lists_full' ? { kind: list } : { kind: 'created', list };
  };
  if (!idempotency && group === null && !retry && emails.total <= SMALL_LIST) {
    return outcomeOf(await context.chargeSmallList(wanted));
  }
  let outcome: SubmitResult;
  try {
    outcome = await context.withSlot({ ...wanted, isLong: emails.total > SMALL_LIST }, () =>
      context.db.transaction(async (tx) => {
        const [made] = await chargeLists(tx, context.jobs, [wanted]);
        const charged = outcomeOf(made!);
        if (charged.kind !== 'created') return charged;
        const { list } = charged;
        // The charge has locked the account: no other list of the group, and no other retry, is created beside this one.
        if (group !== null && (await isGroupTooLarge(tx, list.accountId, group)))
          throw new RollbackError({ kind: 'group_full' });
        if (retry && (await wasRetried(tx, retry, list.id)))
          throw new RollbackError({ kind: 'retried_meanwhile' });
        if (idempotency) {
          if (!(await remember(tx, idempotency, list.id))) throw new RollbackError(short);
          if (submission.responseOf) await rememberResponse(tx, idempotency, submission.responseOf(list));
        }
        return charged;
      }),
    );
  } catch (error) {
    if (!(error instanceof RollbackError)) throw error;
    outcome = error.outcome;
  }
  // A repeat that waited for the first request may be refused because of it (credits, last place in the group, nothing left to retry): recall it.
  if (outcome.kind !== 'created' && idempotency) {
    const remembered = await recall(context.db, idempotency);
    if (remembered) return { kind: 'repeated', remembered };
  }
  return outcome;
}

/** Since the earlier ones were looked at. */
async function wasRetried(tx: Tx, { of, earlier }: Retry, ownId: number): Promise<boolean> {
  const known = new Set([ownId, ...earlier.map(({ id }) => id)]);
  return (await retriesOf(tx, of)).some((id) => !known.has(id));
}
