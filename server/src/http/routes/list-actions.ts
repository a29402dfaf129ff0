// What an owner does with a list besides submitting and deleting it: rename, cancel, retry.
import { createHash } from 'node:crypto';
import { holderOf } from '@mxproof/common/fair-share';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cancelList } from '../../flow/cancel-list.ts';
import type { Reading } from '../../flow/reading-turns.ts';
import { readUnknown } from '../../flow/retry-list.ts';
import { type SubmitResult, submitList } from '../../flow/submit-list.ts';
import { createFairSemaphore } from '../../rules/fair-semaphore.ts';
import { type List, listSummary } from '../../rules/list.ts';
import { type IdempotencyKey, type RememberedRequest, recall } from '../../store/idempotency.ts';
import { findList, renameList } from '../../store/lists.ts';
import { refuse } from '../errors.ts';
import { RenameRequest, ref, type WireList } from '../openapi/schemas.ts';
import { reads } from '../read-for.ts';
import { callerOf, KEYED_BODY, LOCATION, type Parts, refusals, response, WARNING } from '../route-parts.ts';
import { readBody } from '../take-body.ts';
import { idempotencyHeader, readIdempotencyKey, sendResponse } from '../wire/idempotency-key.ts';
import { readListId } from '../wire/query.ts';
import { createdResponse, idParam } from './lists.ts';

/** Lists whose addresses are in memory at once, to be submitted again; accounts take turns. */
const RETRIES_AT_ONCE = 4;

type OneList = { Params: { id: string } };

export function listActionRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, gate } = parts;
  const retries = createFairSemaphore(RETRIES_AT_ONCE);

  app.patch<OneList>(
    '/lists/:id',
    {
      schema: {
        operationId: 'renameList',
        summary: 'Rename a list',
        params: idParam,
        body: RenameRequest,
        response: {
          200: response('The list with its new name.', ref('ListSummary'), WARNING),
          ...refusals('list_not_found', 'name_not_string', 'name_too_long', ...KEYED_BODY),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request);
      const list = await ownList(request);
      if (!list) return refuse(request, reply, { why: 'list_not_found' });
      const read = await readBody(parts, request, reply, 'rename', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const renamed = await renameList(context.db, list.id, accountId, read.body.name);
      if (!renamed) return refuse(request, reply, { why: 'list_not_found' });
      return listSummary(renamed) satisfies WireList;
    },
  );

  app.post<OneList>(
    '/lists/:id/cancel',
    {
      schema: {
        operationId: 'cancelList',
        summary: 'Cancel a list',
        description:
          'Ends an unfinished list as `failed`. What is checked stays; unknown and unchecked addresses are refunded. No callback is sent.',
        params: idParam,
        response: {
          200: response('The list as it ended.', ref('ListSummary')),
          ...refusals('list_not_found', 'list_finished'),
        },
      },
    },
    async (request, reply) => {
      const id = readListId(request.params.id);
      if (!id) return refuse(request, reply, { why: 'list_not_found' });
      const cancelled = await cancelList(context, id, callerOf(request).accountId);
      switch (cancelled.kind) {
        case 'not_found':
          return refuse(request, reply, { why: 'list_not_found' });
        case 'finished':
          return refuse(request, reply, { why: 'list_finished' });
        case 'cancelled':
          return listSummary(cancelled.list) satisfies WireList;
        default:
          return cancelled satisfies never;
      }
    },
  );

  app.post<OneList>(
    '/lists/:id/retry',
    {
      schema: {
        operationId: 'retryList',
        summary: 'Check the unknown addresses of a list again',
        description:
          'Creates a new list of the addresses of this finished list whose state is `unknown`, with the same name, no callback and no group, and charges one credit each. Counts its addresses in the addresses window.',
        params: idParam,
        headers: { type: 'object', properties: { 'Idempotency-Key': idempotencyHeader } },
        response: {
          201: response('The new list, charged.', ref('ListSummary'), LOCATION),
          ...refusals(
            'bad_idempotency_key',
            'insufficient_credits',
            'test_lists_full',
            'list_not_found',
            'list_unfinished',
            'nothing_to_retry',
            'idempotency_key_reused',
          ),
        },
      },
    },
    reads<OneList>(parts, async (request, reply, reading) => {
      const { accountId } = callerOf(request);
      const repeated = ({ sameBody, listId, response: first }: RememberedRequest) => {
        if (!sameBody) return refuse(request, reply, { why: 'idempotency_key_reused' });
        if (!first) throw new Error('the answer of a retry is remembered with its charge');
        return sendResponse(reply, 'retry', listId, first);
      };
      const key = readRetryKey(request);
      if (key && 'why' in key) return refuse(request, reply, key);
      const remembered = key && (await recall(context.db, key));
      if (remembered) return repeated(remembered);
      const list = await ownList(request);
      if (!list) return refuse(request, reply, { why: 'list_not_found' });
      if (list.finishedAtSeconds === null) return refuse(request, reply, { why: 'list_unfinished' });
      if (list.counts.unknown === 0) return refuse(request, reply, { why: 'nothing_to_retry' });
      const end = await retries.acquire(holderOf(accountId, false));
      try {
        return await retry(request, reply, reading, list, key, repeated);
      } finally {
        end?.();
      }
    }),
  );

  async function retry(
    request: FastifyRequest,
    reply: FastifyReply,
    reading: Reading,
    list: List,
    key: IdempotencyKey | null,
    repeated: (remembered: RememberedRequest) => FastifyReply,
  ): Promise<FastifyReply> {
    const caller = callerOf(request);
    const rate = await gate.takeAddresses(caller, list.counts.unknown);
    if (!rate.granted)
      return refuse(request, reply, { why: 'rate_limited', retryAfterMs: rate.retryAfterMs });
    let submitted: SubmitResult | null = null;
    try {
      submitted = await submitList(context, {
        accountId: caller.accountId,
        emails: await readUnknown(context.db, reading, list),
        duplicatesRemoved: 0,
        name: list.name,
        callbackUrl: null,
        retryOf: list.retryOf ?? list.id,
        single: false,
        idempotency: key,
        responseOf: createdResponse,
      });
    } finally {
      if (submitted?.kind !== 'created') gate.giveBack(caller, 'addresses', list.counts.unknown);
    }
    switch (submitted.kind) {
      case 'insufficient_credits':
        return refuse(request, reply, { why: 'insufficient_credits', needed: submitted.needed });
      case 'test_lists_full':
        gate.giveBack(caller, 'requests', 1);
        return refuse(request, reply, { why: 'test_lists_full' });
      case 'group_full':
        throw new Error('a retry is of no group');
      case 'repeated':
        return repeated(submitted.remembered);
      case 'created':
        return sendResponse(reply, 'retry', submitted.list.id, createdResponse(submitted.list));
      default:
        return submitted satisfies never;
    }
  }

  async function ownList(request: FastifyRequest<OneList>): Promise<List | null> {
    const id = readListId(request.params.id);
    return id === null ? null : findList(context.db, id, callerOf(request).accountId);
  }
}

/** Which list is to be retried takes the place of a body: the same key for another list is a mistake. */
function readRetryKey(
  request: FastifyRequest<OneList>,
): IdempotencyKey | { why: 'bad_idempotency_key' } | null {
  const header = readIdempotencyKey(request);
  if (header === null || typeof header === 'object') return header;
  const bodyHash = createHash('sha256').update(request.params.id).digest();
  return { accountId: callerOf(request).accountId, route: 'retry', key: header, bodyHash };
}
