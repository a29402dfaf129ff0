// What an owner does with a list besides submitting and deleting it: rename, pause, resume, cancel, retry, correct.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cancelList } from '../../flow/cancel-list.ts';
import { type PauseResult, pauseList, resumeList } from '../../flow/pause-list.ts';
import { endedRetries, openCount, readOpen } from '../../flow/retry-list.ts';
import { FULL_KEYS } from '../../rules/key-access.ts';
import { type List, listSummary } from '../../rules/list.ts';
import { MAX_PAUSE_DAYS } from '../../rules/long-pause.ts';
import { recall } from '../../store/idempotency.ts';
import { findList, renameList } from '../../store/lists.ts';
import { actorOf } from '../actor-of.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { createListDeriver, readDerivedKey, sendRepeated } from '../derive-list.ts';
import { refuse } from '../errors.ts';
import { ref, type WireList } from '../openapi/schemas.ts';
import { reads } from '../read-for.ts';
import { callerOf, KEYED_BODY, LOCATION, type Parts, refusals, response } from '../route-parts.ts';
import { readBody } from '../take-body.ts';
import { idempotencyHeader, REPLAYED } from '../wire/idempotency-key.ts';
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
      config: { keys: FULL_KEYS, role: 'member' },
      schema: {
        operationId: 'renameList',
        summary: 'Rename a list',
        description: 'Changes nothing else. The name follows the rules of `POST /v1/lists`.',
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
      config: { keys: FULL_KEYS, role: 'member' },
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
      const cancelled = await cancelList(context, actorOf(request), id, callerOf(request).accountId);
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

  const pauses = [
    {
      verb: 'pause',
      change: pauseList,
      summary: 'Pause a list',
      description: `Stops checking until the list is resumed: what is being asked at a mail server ends first. The status stays as it is, no credit moves, and a list whose last addresses end meanwhile is done. After ${MAX_PAUSE_DAYS} days it is cancelled.`,
      refusal: 'list_paused',
    },
    {
      verb: 'resume',
      change: resumeList,
      summary: 'Resume a paused list',
      description:
        'Goes on where the list was paused. The time in between counts neither in the hours that a list may take nor in the waits between attempts.',
      refusal: 'list_not_paused',
    },
  ] as const;
  for (const { verb, change, summary, description, refusal } of pauses)
    app.post<OneList>(
      `/lists/:id/${verb}`,
      {
        config: { keys: FULL_KEYS, role: 'member' },
        schema: {
          operationId: `${verb}List`,
          summary,
          description,
          params: idParam,
          response: {
            200: response('The list, with its progress.', ref('ListSummary')),
            ...refusals('list_not_found', 'list_finished', refusal, 'single_check'),
          },
        },
      },
      async (request, reply) => {
        const id = readListId(request.params.id);
        const changed: PauseResult = id
          ? await change(context, id, callerOf(request).accountId)
          : { kind: 'list_not_found' };
        if (changed.kind !== 'changed') return refuse(request, reply, { why: changed.kind });
        return listSummary(changed.list) satisfies WireList;
      },
    );

  app.post<OneList>(
    '/lists/:id/retry',
    {
      config: { keys: FULL_KEYS, role: 'member' },
      schema: {
        operationId: 'retryList',
        summary: 'Check again what a list has left open',
        description:
          'Creates a new list of the addresses of this finished list whose state is `unknown` and, if it failed or was cancelled, of those that were never checked, without what earlier retries have answered. It has the same name, no callback and no group, and one credit each is charged. Counts its addresses in the addresses window. `nothing_to_retry` also while another retry of the list is unfinished.',
        params: idParam,
        headers: { type: 'object', properties: { 'Idempotency-Key': idempotencyHeader } },
        response: {
          201: response('The new list, charged.', ref('ListSummary'), { ...LOCATION, ...REPLAYED }),
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
        const nothing = 'nothing_to_retry';
        return deriver.inTurn(request, async () => {
          const count = openCount(list);
          const earlier = count === 0 ? null : await endedRetries(context.db, list);
          if (!earlier) return deriver.refuseOrRepeat(request, reply, 'retry', key, nothing);
          return deriver.submit(request, reply, 'retry', key, {
            ...{ of: list, count, nothing, duplicatesRemoved: 0, retry: { of: list, earlier } },
            read: () => readOpen(context.db, reading, list, earlier),
          });
        });
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
