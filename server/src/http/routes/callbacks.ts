// GET /callbacks/listen: the callbacks of test lists as they are sent.
import type { FastifyInstance } from 'fastify';
import type { CallbackWatch } from '../../flow/watch-callbacks.ts';
import { newestShownId, type ShownCallback } from '../../store/shown-callbacks.ts';
import { refuse } from '../errors.ts';
import type { StreamEvent } from '../event-stream.ts';
import type { WireSentCallback } from '../openapi/schemas.ts';
import { callerOf, eventStream, type Parts, refusals } from '../route-parts.ts';
import { readListId as readId } from '../wire/query.ts';

export function callbackRoutes(app: FastifyInstance, { context, streams, callbackWatch }: Parts): void {
  app.get(
    '/callbacks/listen',
    {
      schema: {
        operationId: 'listenToCallbacks',
        summary: 'Listen to the callbacks of test lists',
        description:
          'For test keys. Each attempt comes as `event: callback` when it is sent, whether or not its receiver answers; its `data` is a SentCallback. A comment line comes every 15 seconds. At most 10 open streams per key and node.',
        headers: {
          type: 'object',
          properties: {
            'Last-Event-ID': {
              type: 'string',
              description:
                'The `id` last received: what was sent since, within the last hour, comes first. Anything else is ignored.',
            },
          },
        },
        response: {
          200: eventStream('The callbacks.', [
            'event: callback\nid: 42\ndata: {"list_id":17,"url":"https://example.com/hook","headers":{…},"body":"…"}\n\n',
          ]),
          ...refusals('only_test_keys', 'too_many_streams'),
        },
      },
    },
    async (request, reply) => {
      const { accountId, test } = callerOf(request);
      if (!test) return refuse(request, reply, { why: 'only_test_keys' });
      const after =
        readId(String(request.headers['last-event-id'])) ?? (await newestShownId(context.db, accountId));
      return streams.open(request, reply, (signal) => eventsOf(callbackWatch, accountId, after, signal));
    },
  );
}

async function* eventsOf(
  watch: CallbackWatch,
  accountId: number,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent | 'open'> {
  yield 'open';
  for await (const shown of watch.sent(accountId, after, signal))
    yield { event: 'callback', id: shown.id, data: JSON.stringify(wire(shown)) };
}

function wire({ listId, url, headers, body }: ShownCallback): WireSentCallback {
  return { list_id: listId, url, headers: JSON.parse(headers) as Record<string, string>, body };
}
