// GET /lists/{id}/waiting: what an unfinished list waits for, whichever nodes work on it.

import type { FastifyInstance } from 'fastify';
import { readListWaiting, type WaitingNow } from '../../flow/read-waiting.ts';
import { READING_KEYS } from '../../rules/key-access.ts';
import { refuse } from '../errors.ts';
import { ref } from '../openapi/schemas.ts';
import type { WireWaiting } from '../openapi/waiting-schema.ts';
import { readsOnce } from '../read-for.ts';
import { callerOf, type Parts, refusals, response } from '../route-parts.ts';
import { readListId } from '../wire/query.ts';
import { idParam } from './lists.ts';

export function listWaitingRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, listLimitMs } = parts;
  app.get<{ Params: { id: string } }>(
    '/lists/:id/waiting',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getListWaiting',
        summary: 'Show what a list waits for',
        description:
          'What the addresses without a result wait for, and when the list is done at the latest. Of a finished list: zeros, `done_by` null and no groups.',
        params: idParam,
        response: {
          200: response('What the list waits for.', ref('ListWaiting')),
          ...refusals('list_not_found'),
        },
      },
    },
    readsOnce<{ Params: { id: string } }>(parts, async (request, reply) => {
      const id = readListId(request.params.id);
      const now = id && (await readListWaiting(context.db, id, callerOf(request).accountId, listLimitMs));
      if (!now) return refuse(request, reply, { why: 'list_not_found' });
      return wireWaiting(now);
    }),
  );
}

export function wireWaiting({ pending, checking, doneBy, groups }: WaitingNow): WireWaiting {
  return {
    pending,
    checking,
    done_by: doneBy,
    waiting: groups.map(({ nextAttemptAt, ...group }) => ({ ...group, next_attempt_at: nextAttemptAt })),
  };
}
