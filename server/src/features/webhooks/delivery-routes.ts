// What was sent to an endpoint, sending it again, and a test event.
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import { readsOnce, sendEntries } from '../../http/read-for.ts';
import { callerOf, mayManage, type Parts, refusals, response } from '../../http/route-parts.ts';
import { pageQuery } from '../../http/routes/lists.ts';
import { readQuery, word } from '../../http/wire/query.ts';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { endpointOf, idParam, type OneEndpoint } from './routes.ts';
import { enqueueDeliveries } from './schedule-deliveries.ts';
import type { WireDelivery } from './schemas.ts';
import {
  type Delivery,
  deliveriesOf,
  insertTestDelivery,
  lockShownDelivery,
  reopenDelivery,
} from './stored-deliveries.ts';
import { findEndpoint, lockEndpoint } from './stored-endpoints.ts';
import { messageId, uuidOf } from './webhook-event.ts';

type OneDelivery = { Params: { id: string; delivery: string } };

const deliveriesQuery = {
  ...pageQuery,
  state: Type.Optional(word(['pending', 'delivered', 'failed'], { description: 'Only deliveries in it.' })),
};

export function deliveryRoutes(app: FastifyInstance, parts: Parts): void {
  const { db, jobs } = parts.context;

  app.get<OneEndpoint>(
    '/webhooks/:id/deliveries',
    {
      config: { keys: READING_KEYS, role: 'owner' },
      schema: {
        operationId: 'getDeliveries',
        summary: 'List what was sent to a webhook endpoint',
        description: 'Newest first, with every attempt and how its answer began. Kept for 30 days.',
        params: idParam,
        querystring: { type: 'object', properties: deliveriesQuery },
        response: {
          200: response('A page of deliveries.', ref('WebhookDeliveryPage')),
          ...refusals('bad_offset', 'bad_limit', 'bad_delivery_state', 'may_not_manage', 'webhook_not_found'),
        },
      },
    },
    readsOnce<OneEndpoint>(parts, async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const page = readQuery(deliveriesQuery, request.query, { state: 'bad_delivery_state' });
      if ('why' in page) return refuse(request, reply, page);
      const asked = endpointOf(request);
      if (!asked || !(await findEndpoint(db, asked.id, asked.accountId)))
        return refuse(request, reply, { why: 'webhook_not_found' });
      const deliveries = await deliveriesOf(db, { endpointId: asked.id, ...page });
      const { test } = callerOf(request);
      return sendEntries(reply, 'deliveries', deliveries, (each) => wireDelivery(each, test));
    }),
  );

  app.post<OneEndpoint>(
    '/webhooks/:id/test',
    {
      config: { keys: FULL_KEYS, role: 'owner' },
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a test event to a webhook endpoint',
        description: 'With the type `test` and empty `data`, signed and repeated like any other.',
        params: idParam,
        response: {
          202: response('The delivery.', ref('WebhookDelivery')),
          ...refusals('may_not_manage', 'webhook_not_found', 'webhook_not_active'),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const asked = endpointOf(request);
      const sent = await db.transaction(async (tx) => {
        const endpoint = asked && (await lockEndpoint(tx, asked.id, asked.accountId));
        if (!endpoint) return 'webhook_not_found';
        if (!isActive(endpoint)) return 'webhook_not_active';
        const delivery = await insertTestDelivery(tx, asked.id);
        await enqueueDeliveries(tx, jobs, asked, [delivery.id]);
        return delivery;
      });
      if (typeof sent === 'string') return refuse(request, reply, { why: sent });
      return reply.code(202).send(wireDelivery(sent, callerOf(request).test));
    },
  );

  app.post<OneDelivery>(
    '/webhooks/:id/deliveries/:delivery/resend',
    {
      config: { keys: FULL_KEYS, role: 'owner' },
      schema: {
        operationId: 'resendDelivery',
        summary: 'Send a delivery again',
        description: 'The same bytes with the same `webhook-id`, with all attempts anew.',
        params: {
          type: 'object',
          properties: {
            ...idParam.properties,
            delivery: { type: 'string', description: 'Identifier of the delivery.' },
          },
        },
        response: {
          202: response('The delivery, pending again.', ref('WebhookDelivery')),
          ...refusals(
            'may_not_manage',
            'webhook_not_found',
            'delivery_not_found',
            'delivery_pending',
            'webhook_not_active',
          ),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const asked = endpointOf(request);
      const uuid = uuidOf(request.params.delivery);
      const resent = await db.transaction(async (tx) => {
        const endpoint = asked && (await lockEndpoint(tx, asked.id, asked.accountId));
        if (!endpoint) return 'webhook_not_found';
        const delivery = uuid && (await lockShownDelivery(tx, asked.id, uuid));
        if (!delivery) return 'delivery_not_found';
        if (delivery.state === 'pending') return 'delivery_pending';
        if (!isActive(endpoint)) return 'webhook_not_active';
        const reopened = await reopenDelivery(tx, delivery.id);
        await enqueueDeliveries(tx, jobs, asked, [delivery.id]);
        return reopened;
      });
      if (typeof resent === 'string') return refuse(request, reply, { why: resent });
      return reply.code(202).send(wireDelivery(resent, callerOf(request).test));
    },
  );
}

function isActive(endpoint: { pausedAtSeconds: number | null; offAtSeconds: number | null }): boolean {
  return endpoint.pausedAtSeconds === null && endpoint.offAtSeconds === null;
}

function wireDelivery(delivery: Delivery, test: boolean): WireDelivery {
  return {
    id: messageId(delivery.uuid, test),
    event: delivery.event,
    list_id: delivery.listId,
    state: delivery.state,
    created_at: delivery.createdAtSeconds,
    next_attempt_at: delivery.nextAttemptAtSeconds,
    attempts: delivery.attempts.map(({ atSeconds, status, error, durationMs, answer }) => ({
      at: atSeconds,
      status,
      error,
      duration_ms: durationMs,
      answer,
    })),
  };
}
