// GET /callbacks: the account's callbacks. GET /callbacks/listen: those of test lists as they are sent.

import type { FastifyInstance } from 'fastify';
import type { CallbackWatch } from '../../flow/watch-callbacks.ts';
import { READING_KEYS } from '../../rules/key-access.ts';
import { type CallbackEntry, callbackEntries } from '../../store/callbacks.ts';
import { newestShownId, type ShownCallback } from '../../store/shown-callbacks.ts';
import { refuse } from '../errors.ts';
import type { StreamEvent } from '../event-stream.ts';
import type { WireCallbackEntry, WireSentCallback } from '../openapi/callback-schemas.ts';
import { ref } from '../openapi/schemas.ts';
import { readsOnce, sendEntries } from '../read-for.ts';
import { callerOf, eventStream, type Parts, refusals, response } from '../route-parts.ts';
import { readListId as readId, readQuery } from '../wire/query.ts';
import { wireAttempt } from './list-callback.ts';
import { pageQuery } from './lists.ts';

export function callbackRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, streams, callbackWatch } = parts;
  app.get(
    '/callbacks',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getCallbacks',
        summary: 'List all callbacks, those of the newest lists first',
        description:
          'Lists that are not done are included if they have a `callback_url`. Each callback’s attempts are at its list.',
        querystring: { type: 'object', properties: pageQuery },
        response: {
          200: response('A page of callbacks.', ref('CallbackPage')),
          ...refusals('bad_offset', 'bad_limit'),
        },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const page = readQuery(pageQuery, request.query);
      if ('why' in page) return refuse(request, reply, page);
      const entries = await callbackEntries(context.db, { accountId: callerOf(request).accountId, ...page });
      return sendEntries(reply, 'callbacks', entries, wireEntry);
    }),
  );

  app.get(
    '/callbacks/listen',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'listenToCallbacks',
        summary: 'Listen to the callbacks of test lists',
        description:
          'For test keys. Each attempt comes as `event: callback` when it is sent, whether or not its receiver answers; its `data` is a SentCallback. A comment line comes every 15 seconds. At most 10 open streams per key and 100 per account, on each node.',
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
    yield { event: 'callback', id: shown.id, data: JSON.stringify(wireSent(shown)) };
}

function wireSent({ listId, url, headers, body }: ShownCallback): WireSentCallback {
  return { list_id: listId, url, headers: JSON.parse(headers) as Record<string, string>, body };
}

function wireEntry(entry: CallbackEntry): WireCallbackEntry {
  return {
    list_id: entry.listId,
    list_name: entry.listName,
    url: entry.url,
    state: entry.state,
    attempt_count: entry.attemptCount,
    last_attempt: entry.lastAttempt && wireAttempt(entry.lastAttempt),
    next_attempt_at: entry.nextAttemptAtSeconds,
  };
}
