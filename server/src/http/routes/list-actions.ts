// What an owner does with a list besides submitting and deleting it: rename, cancel, retry, correct.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cancelList } from '../../flow/cancel-list.ts';
import { readUnknown } from '../../flow/retry-list.ts';
import { type List, listSummary } from '../../rules/list.ts';
import { recall } from '../../store/idempotency.ts';
import { findList, renameList } from '../../store/lists.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { createListDeriver, readDerivedKey, sendRepeated } from '../derive-list.ts';
import { refuse } from '../errors.ts';
import { ref, type WireList } from '../openapi/schemas.ts';
import { reads } from '../read-for.ts';
import { callerOf, KEYED_BODY, LOCATION, type Parts, refusals, response } from '../route-parts.ts';
import { readBody } from '../take-body.ts';
import { idempotencyHeader } from '../wire/idempotency-key.ts';
import { readListId } from '../wire/query.ts';
import { listCorrectionRoutes } from './list-corrections.ts';
import { idParam } from './lists.ts';

type OneList = { Params: { id: string } };

export function listActionRoutes(app: FastifyInstance, parts: Parts): void {
  const { context } = parts;
  const deriver = createListDeriver(parts);

  app.patch<OneList>(
    '/lists/:id',
    {
      schema: {
        operationId: 'renameList',
        summary: 'Rename a list',
        params: idParam,
        body: REQUESTS.rename,
        response: {
          200: response('The list with its new name.', ref('ListSummary')),
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
    reads<OneList>(
      parts,
      async (request, reply, reading) => {
        const key = readDerivedKey(request, 'retry');
        if (key && 'why' in key) return refuse(request, reply, key);
        const remembered = key && (await recall(context.db, key));
        if (remembered) return sendRepeated(request, reply, 'retry', remembered);
        const list = await ownList(request);
        if (!list) return refuse(request, reply, { why: 'list_not_found' });
        if (list.finishedAtSeconds === null) return refuse(request, reply, { why: 'list_unfinished' });
        if (list.counts.unknown === 0 || list.resultsExpiredAtSeconds !== null)
          return refuse(request, reply, { why: 'nothing_to_retry' });
        return deriver.inTurn(request, () =>
          deriver.submit(request, reply, 'retry', key, {
            of: list,
            count: list.counts.unknown,
            read: () => readUnknown(context.db, reading, list),
            nothing: 'nothing_to_retry',
            duplicatesRemoved: 0,
            retryOf: list.retryOf ?? list.id,
          }),
        );
      },
      'nothing_to_retry',
    ),
  );
  listCorrectionRoutes(app, parts, deriver);

  async function ownList(request: FastifyRequest<OneList>): Promise<List | null> {
    const id = readListId(request.params.id);
    return id === null ? null : findList(context.db, id, callerOf(request).accountId);
  }
}
