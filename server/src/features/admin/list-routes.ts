// Lists of all accounts, and their callbacks. Promise: never an address of a list, and of a callback's URL no query.
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { cancelList } from '../../flow/cancel-list.ts';
import { type AnyList, listsOfAllAccounts } from '../../flow/lists-of-all.ts';
import { readListWaiting } from '../../flow/read-waiting.ts';
import { resendCallback } from '../../flow/resend-callback.ts';
import { refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import type { Parts } from '../../http/route-parts.ts';
import { wireWaiting } from '../../http/routes/list-waiting.ts';
import { pageQuery } from '../../http/routes/lists.ts';
import { readListId as readId, readQuery, word } from '../../http/wire/query.ts';
import { LIST_STATUSES, listSummary } from '../../rules/list.ts';
import { type Callback, callbacksOf } from '../../store/callbacks.ts';
import type { Tx } from '../../store/database.ts';
import { findLists } from '../../store/lists.ts';
import { adminActor } from './admin-door.ts';
import {
  adminResponse,
  LIST_ID,
  ONCE_HEADERS,
  type OneOf,
  onceRefusals,
  onceResponse,
  queryOf,
  readRefusals,
} from './admin-parts.ts';
import { answerOnce } from './answer-once.ts';
import { ADMIN_REQUESTS } from './bodies.ts';
import type { WireAdminCallback, WireAdminList } from './service-schemas.ts';

const account = Type.Optional(Type.Integer({ minimum: 1, description: 'Only of this account.' }));
/** Each of them is looked at for what it waits for. */
const MAX_LISTS = 1_000;
const page = {
  ...pageQuery,
  limit: Type.Integer({
    minimum: 1,
    default: 100,
    description: `Page size. Values above ${MAX_LISTS} are treated as ${MAX_LISTS}.`,
  }),
};

const listsQuery = {
  ...page,
  account,
  status: Type.Optional(word(LIST_STATUSES)),
  stuck: Type.Boolean({
    default: false,
    description: 'Only unfinished ones of which nothing is asked, and nothing waits for a known time.',
  }),
};

const callbacksQuery = {
  ...page,
  account,
  state: Type.Optional(word(['pending', 'delivered', 'failed'])),
};

export function adminListRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, listLimitMs } = parts;
  const { db } = context;

  app.get(
    '/lists',
    {
      schema: {
        operationId: 'getAllLists',
        summary: 'List the lists of all accounts',
        description: 'Newest first, those that are stuck oldest first; without single checks and test lists.',
        querystring: queryOf(listsQuery),
        response: {
          200: adminResponse('A page of lists.', ref('AdminListPage')),
          ...readRefusals('bad_offset', 'bad_limit', 'bad_account', 'bad_status', 'bad_stuck'),
        },
      },
    },
    async (request, reply) => {
      const query = readQuery(listsQuery, request.query);
      if ('why' in query) return refuse(request, reply, query);
      const { account: accountId, status, stuck: isStuck, offset, limit } = query;
      const lists = await listsOfAllAccounts(db, {
        ...{ accountId, status, isStuck, offset },
        limit: Math.min(limit, MAX_LISTS),
      });
      return { lists: lists.map(wireList) };
    },
  );

  app.get<OneOf>(
    '/lists/:id/waiting',
    {
      schema: {
        operationId: 'getAnyListWaiting',
        summary: 'Show what a list waits for',
        params: LIST_ID,
        response: {
          200: adminResponse('What the list waits for.', ref('ListWaiting')),
          ...readRefusals('list_not_found'),
        },
      },
    },
    async (request, reply) => {
      const list = await listIn(db, request);
      const now = list && (await readListWaiting(db, list.id, list.accountId, listLimitMs));
      return now ? wireWaiting(now) : refuse(request, reply, { why: 'list_not_found' });
    },
  );

  app.post<OneOf>(
    '/lists/:id/cancel',
    {
      schema: {
        operationId: 'cancelAnyList',
        summary: 'Cancel a list',
        description: 'It ends as `failed`: finished rows stay, unknown and unchecked ones are refunded.',
        headers: ONCE_HEADERS,
        params: LIST_ID,
        body: ADMIN_REQUESTS.nothing,
        response: {
          200: onceResponse('The list as it is now.', ref('AdminList')),
          ...onceRefusals('bad_body', 'list_not_found', 'list_finished'),
        },
      },
    },
    async (request, reply) =>
      answerOnce(parts, request, reply, 'nothing', async (within) => {
        const id = readId((request.params as OneOf['Params']).id);
        const done = id && (await cancelList(within, adminActor(request), id, null));
        if (!done || done.kind === 'not_found') return { why: 'list_not_found' };
        if (done.kind !== 'cancelled') return { why: 'list_finished' };
        return { status: 200, body: wireList({ list: done.list, pending: 0, checking: 0, groups: [] }) };
      }),
  );

  app.get(
    '/callbacks',
    {
      schema: {
        operationId: 'getAllCallbacks',
        summary: 'List the callbacks of all accounts',
        description: 'Newest first, without those of test lists.',
        querystring: queryOf(callbacksQuery),
        response: {
          200: adminResponse('A page of callbacks.', ref('AdminCallbackPage')),
          ...readRefusals('bad_offset', 'bad_limit', 'bad_account', 'bad_delivery_state'),
        },
      },
    },
    async (request, reply) => {
      const query = readQuery(callbacksQuery, request.query, { state: 'bad_delivery_state' });
      if ('why' in query) return refuse(request, reply, query);
      const { account: accountId, state, offset, limit } = query;
      const found = await callbacksOf(db, { accountId, state, offset, limit: Math.min(limit, MAX_LISTS) });
      return { callbacks: found.map(wireCallback) };
    },
  );

  app.post<OneOf>(
    '/callbacks/:id/resend',
    {
      schema: {
        operationId: 'resendAnyCallback',
        summary: 'Send the callback of a list again',
        description: 'The same bytes, with three attempts anew.',
        headers: ONCE_HEADERS,
        params: LIST_ID,
        body: ADMIN_REQUESTS.nothing,
        response: {
          202: onceResponse('It is on its way.', ref('AdminResending')),
          ...onceRefusals('bad_body', 'list_not_found', 'no_callback', 'callback_pending'),
        },
      },
    },
    async (request, reply) =>
      answerOnce(parts, request, reply, 'nothing', async (within) => {
        const list = await listIn(within.db, request);
        if (!list) return { why: 'list_not_found' };
        const sent = await resendCallback(within, adminActor(request), list.id);
        if (sent === 'no_callback') return { why: 'no_callback' };
        if (sent === 'still_pending') return { why: 'callback_pending' };
        return { status: 202, body: { list_id: list.id, state: 'pending' } };
      }),
  );
}

async function listIn(tx: Tx, { params }: { readonly params: unknown }) {
  const id = readId((params as OneOf['Params']).id);
  return id === null ? null : ((await findLists(tx, [id])).get(id) ?? null);
}

function wireList({ list, pending, checking, groups }: AnyList): WireAdminList {
  const [largest] = groups;
  const { id, ...summary } = listSummary(list);
  return {
    id,
    account_id: list.accountId,
    ...summary,
    paused_at: list.pausedAtSeconds,
    pending,
    checking,
    waits_for: largest
      ? { why: largest.why, host: largest.host, next_attempt_at: largest.nextAttemptAt }
      : null,
  };
}

function wireCallback(callback: Callback): WireAdminCallback {
  const { origin, pathname } = new URL(callback.url);
  return {
    list_id: callback.listId,
    account_id: callback.accountId,
    url: `${origin}${pathname}`,
    state: callback.state,
    created_at: callback.createdAtSeconds,
    attempts: callback.attempts.map(({ atSeconds, status, error, durationMs }) => ({
      at: atSeconds,
      status,
      error,
      duration_ms: durationMs,
    })),
    next_attempt_at: callback.nextAttemptAtSeconds,
  };
}
