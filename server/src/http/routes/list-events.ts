// GET /lists/{id}/events: a list's progress as it happens, whichever node works on it.

import type { FastifyInstance } from 'fastify';
import { type ListWatch, progressOf } from '../../flow/watch-list.ts';
import { READING_KEYS } from '../../rules/key-access.ts';
import { type List, listSummary } from '../../rules/list.ts';
import { findList } from '../../store/lists.ts';
import { refuse } from '../errors.ts';
import type { StreamEvent } from '../event-stream.ts';
import { callerOf, eventStream, type Parts, refusals, response } from '../route-parts.ts';
import { readListId } from '../wire/query.ts';
import { idParam } from './lists.ts';

export function listEventRoutes(app: FastifyInstance, { context, streams, watch }: Parts): void {
  app.get<{ Params: { id: string } }>(
    '/lists/:id/events',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getListEvents',
        summary: 'Follow a list',
        description:
          'Server-sent events. `progress` at once, then at most twice a second while something changes; `done` or `failed` last, then the stream ends. A list that is deleted ends it without either. Each `data` is the list (ListSummary), each `id` says how far it has come. A comment line comes every 15 seconds. A slow reader misses states, never the last one. At most 10 open streams per key and 100 per account, on each node.',
        params: idParam,
        headers: {
          type: 'object',
          properties: {
            'Last-Event-ID': {
              type: 'string',
              description:
                'The `id` last received: while the list has come no further, nothing is sent again. Anything else is ignored.',
            },
          },
        },
        response: {
          200: eventStream('The list’s events.', [
            'event: progress\nid: 42\ndata: {"id":17,"status":"checking",…}\n\n',
          ]),
          204: response(
            'The list has ended, and `Last-Event-ID` is its last event: nothing is left to tell.',
            null,
          ),
          ...refusals('list_not_found', 'too_many_streams'),
        },
      },
    },
    async (request, reply) => {
      const id = readListId(request.params.id);
      const list = id && (await findList(context.db, id, callerOf(request).accountId));
      if (!list) return refuse(request, reply, { why: 'list_not_found' });
      const isSeen = request.headers['last-event-id'] === String(progressOf(list));
      // What a browser takes for the end: to anything else it would connect again and again.
      if (isSeen && list.finishedAtSeconds !== null) return reply.code(204).send();
      return streams.open(request, reply, (signal) => eventsOf(watch, list, isSeen, signal));
    },
  );
}

async function* eventsOf(
  watch: ListWatch,
  list: List,
  isSeen: boolean,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent | 'open'> {
  yield isSeen ? 'open' : eventOf(list);
  if (list.finishedAtSeconds !== null) return;
  for await (const changed of watch.changes(list, signal)) yield eventOf(changed);
}

function eventOf(list: List): StreamEvent {
  const { status } = list;
  const event = status === 'done' || status === 'failed' ? status : 'progress';
  return { event, id: progressOf(list), data: JSON.stringify(listSummary(list)) };
}
