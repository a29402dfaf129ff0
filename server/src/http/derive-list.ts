// New lists made of a finished one: its unknown addresses, or likelier spellings of its misspelt ones.
// Promise: few of them are in memory at once, and accounts take turns; what is not created costs no address of the window.
import { createHash } from 'node:crypto';
import { holderOf } from '@mxproof/common/fair-share';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chosenMailMember } from '../flow/list-mail.ts';
import { type Submission, type SubmitResult, submitList } from '../flow/submit-list.ts';
import type { ChunkedEmails } from '../rules/clean-emails.ts';
import { createFairSemaphore } from '../rules/fair-semaphore.ts';
import type { List } from '../rules/list.ts';
import { type IdempotencyKey, type RememberedRequest, recall } from '../store/idempotency.ts';
import { keyIdOf } from './check-access.ts';
import { refuse } from './errors.ts';
import { callerOf, type Parts } from './route-parts.ts';
import { createdResponse } from './routes/lists.ts';
import { readIdempotencyKey, sendRemembered, sendResponse } from './wire/idempotency-key.ts';

/** Lists whose addresses are in memory at once, to be submitted. */
const DERIVED_AT_ONCE = 4;

type DerivedRoute = 'retry' | 'corrections';

interface DerivedList extends Pick<Submission, 'duplicatesRemoved' | 'retry' | 'correctionOf'> {
  readonly of: List;
  /** At most: fewer may be left to read. */
  readonly count: number;
  readonly read: () => Promise<ChunkedEmails>;
  /** Where none is left. */
  readonly nothing: 'nothing_to_retry' | 'nothing_to_correct';
}

export interface ListDeriver {
  /** There is nothing to make a list of. */
  refuseOrRepeat(
    request: FastifyRequest,
    reply: FastifyReply,
    route: DerivedRoute,
    key: IdempotencyKey | null,
    why: DerivedList['nothing'],
  ): Promise<FastifyReply>;
  /** One of the few at a time. */
  inTurn<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T>;
  submit(
    request: FastifyRequest,
    reply: FastifyReply,
    route: DerivedRoute,
    key: IdempotencyKey | null,
    list: DerivedList,
  ): Promise<FastifyReply>;
}

export function createListDeriver({ context, gate }: Parts): ListDeriver {
  const places = createFairSemaphore(DERIVED_AT_ONCE);

  async function refuseOrRepeat(
    request: FastifyRequest,
    reply: FastifyReply,
    route: DerivedRoute,
    key: IdempotencyKey | null,
    why: DerivedList['nothing'],
  ): Promise<FastifyReply> {
    // The same request may have been carried out meanwhile, and left nothing.
    const remembered = key && (await recall(context.db, key));
    return remembered ? sendRepeated(request, reply, route, remembered) : refuse(request, reply, { why });
  }

  return {
    refuseOrRepeat,
    async inTurn(request, work) {
      const end = await places.acquire(holderOf(callerOf(request).accountId, false));
      try {
        return await work();
      } finally {
        end?.();
      }
    },
    async submit(request, reply, route, key, { of, count, read, nothing, ...rest }) {
      const caller = callerOf(request);
      const rate = await gate.takeAddresses(caller, count);
      if (!rate.granted)
        return refuse(request, reply, { why: 'rate_limited', retryAfterMs: rate.retryAfterMs });
      let submitted: SubmitResult | null = null;
      let used = 0;
      try {
        const emails = await read();
        if (emails.total === 0) return await refuseOrRepeat(request, reply, route, key, nothing);
        const mailMemberId = await chosenMailMember(context.db, caller.session?.memberId ?? null);
        submitted = await submitList(context, {
          ...rest,
          accountId: caller.accountId,
          keyId: keyIdOf(caller),
          mailMemberId,
          emails,
          name: of.name,
          callbackUrl: null,
          single: false,
          idempotency: key,
          responseOf: createdResponse,
        });
        if (submitted.kind === 'created') used = emails.total;
      } finally {
        if (count > used) gate.giveBack(caller, 'addresses', count - used);
      }
      switch (submitted.kind) {
        case 'insufficient_credits':
          return refuse(request, reply, { why: 'insufficient_credits', needed: submitted.needed });
        case 'test_lists_full':
          gate.giveBack(caller, 'requests', 1);
          return refuse(request, reply, { why: 'test_lists_full' });
        case 'retried_meanwhile':
          return refuse(request, reply, { why: nothing });
        case 'group_full':
          throw new Error('a list made of another is of no group');
        case 'repeated':
          return sendRepeated(request, reply, route, submitted.remembered);
        case 'created':
          return sendResponse(reply, route, submitted.list.id, createdResponse(submitted.list));
        default:
          return submitted satisfies never;
      }
    },
  };
}

export function sendRepeated(
  request: FastifyRequest,
  reply: FastifyReply,
  route: DerivedRoute,
  { sameBody, listId, response: first }: RememberedRequest,
): FastifyReply {
  if (!sameBody) return refuse(request, reply, { why: 'idempotency_key_reused' });
  if (!first) throw new Error('the answer is remembered with the charge');
  return sendRemembered(reply, route, listId, first);
}

/** Which list it is made of counts as a part of the body: the same key for another list is a mistake. */
export function readDerivedKey(
  request: FastifyRequest<{ Params: { id: string } }>,
  route: DerivedRoute,
  body?: Buffer,
): IdempotencyKey | { why: 'bad_idempotency_key' } | null {
  const header = readIdempotencyKey(request);
  if (header === null || typeof header === 'object') return header;
  const hash = createHash('sha256').update(request.params.id);
  if (body) hash.update('\n').update(body);
  return { accountId: callerOf(request).accountId, route, key: header, bodyHash: hash.digest() };
}
