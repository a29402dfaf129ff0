// A list's callback: how it went, and sending it again.

import type { FastifyInstance } from 'fastify';
import { resendCallback } from '../../flow/resend-callback.ts';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { type Attempt, type Callback, findCallback } from '../../store/callbacks.ts';
import { findList } from '../../store/lists.ts';
import { actorOf } from '../actor-of.ts';
import { refuse } from '../errors.ts';
import type { WireAttempt, WireCallback } from '../openapi/callback-schemas.ts';
import { ref } from '../openapi/schemas.ts';
import { callerOf, type Parts, refusals, response } from '../route-parts.ts';
import { readListId } from '../wire/query.ts';
import { idParam } from './lists.ts';

type OneList = { Params: { id: string } };

export function listCallbackRoutes(app: FastifyInstance, { context }: Parts): void {
  app.get<OneList>(
    '/lists/:id/callback',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getCallback',
        summary: 'Show a list’s callback and its attempts',
        description:
          'Where it goes, whether it has arrived, what each attempt was answered, and when the next one is.',
        params: idParam,
        response: {
          200: response('The callback.', ref('Callback')),
          ...refusals('list_not_found', 'no_callback'),
        },
      },
    },
    async (request, reply) => {
      const found = await findOwn(request.params.id, callerOf(request).accountId);
      return 'why' in found ? refuse(request, reply, found) : found;
    },
  );

  app.post<OneList>(
    '/lists/:id/callback/resend',
    {
      config: { keys: FULL_KEYS, role: 'member' },
      schema: {
        operationId: 'resendCallback',
        summary: 'Send a list’s callback again',
        description: 'The same bytes, with all attempts anew.',
        params: idParam,
        response: {
          202: response('The callback, pending again.', ref('Callback')),
          ...refusals('list_not_found', 'no_callback', 'callback_pending'),
        },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request);
      const found = await findOwn(request.params.id, accountId);
      if ('why' in found) return refuse(request, reply, found);
      if (found.state === 'pending') return refuse(request, reply, { why: 'callback_pending' });
      const resent = await resendCallback(context, actorOf(request), Number(request.params.id));
      switch (resent) {
        case 'no_callback':
          return refuse(request, reply, { why: 'no_callback' });
        case 'still_pending':
          return refuse(request, reply, { why: 'callback_pending' });
        case 'resent': {
          const now = await findOwn(request.params.id, accountId);
          return 'why' in now ? refuse(request, reply, now) : reply.code(202).send(now);
        }
        default:
          return resent satisfies never;
      }
    },
  );

  async function findOwn(
    listId: string,
    accountId: number,
  ): Promise<WireCallback | { readonly why: 'list_not_found' | 'no_callback' }> {
    const id = readListId(listId);
    const list = id && (await findList(context.db, id, accountId));
    if (!list) return { why: 'list_not_found' };
    const callback = await findCallback(context.db, list.id);
    if (callback) return onWire(callback);
    // Asked for, and to be sent when the list is done.
    if (list.callbackUrl !== null && list.finishedAtSeconds === null)
      return { url: list.callbackUrl, state: 'pending', attempts: [], next_attempt_at: null };
    return { why: 'no_callback' };
  }
}

function onWire({ url, state, attempts, nextAttemptAtSeconds }: Callback): WireCallback {
  return { url, state, attempts: attempts.map(wireAttempt), next_attempt_at: nextAttemptAtSeconds };
}

export function wireAttempt({ atSeconds, status, error, durationMs }: Attempt): WireAttempt {
  return { at: atSeconds, status, error, duration_ms: durationMs };
}
