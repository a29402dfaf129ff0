// An account's endpoints, for keys that may manage: a test key's belong to test mode.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { actorOf } from '../../http/actor-of.ts';
import { REQUESTS } from '../../http/body/request-schemas.ts';
import { refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import { readsOnce, sendEntries } from '../../http/read-for.ts';
import {
  callerOf,
  KEYED_BODY,
  mayManage,
  NO_BODY,
  type Parts,
  refusals,
  response,
} from '../../http/route-parts.ts';
import { readBody } from '../../http/take-body.ts';
import { readListId as readId } from '../../http/wire/query.ts';
import { type AuditValue, changesBetween } from '../../rules/audit.ts';
import { isAllowedPort } from '../../rules/callback-targets.ts';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { writeAudit } from '../../store/audit.ts';
import { PREVIOUS_SECRET_HOURS } from '../../store/webhook-secrets.ts';
import { reschedule } from './schedule-deliveries.ts';
import type { WireNewWebhook, WireWebhook } from './schemas.ts';
import {
  changeEndpoint,
  type Endpoint,
  endpointsOf,
  findEndpoint,
  insertEndpoint,
  lockEndpoint,
  MAX_ENDPOINTS,
  removeEndpoint,
  rotateEndpointSecret,
} from './stored-endpoints.ts';

export type OneEndpoint = { Params: { id: string } };

export const idParam = {
  type: 'object',
  properties: { id: { type: 'integer', minimum: 1, description: 'Endpoint identifier.' } },
} as const;

/** Null: no endpoint of the caller. */
export function endpointOf(request: FastifyRequest<OneEndpoint>): { id: number; accountId: number } | null {
  const id = readId(request.params.id);
  return id === null ? null : { id, accountId: callerOf(request).accountId };
}

export function webhookRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, box, callbackPorts } = parts;
  const { db } = context;
  const mayGoTo = (url: string) => isAllowedPort(new URL(url), callbackPorts);

  app.get(
    '/webhooks',
    {
      config: { keys: READING_KEYS, role: 'owner' },
      schema: {
        operationId: 'getWebhooks',
        summary: 'List the webhook endpoints',
        description: 'Those of the mode of the key, in one page.',
        response: {
          200: response('All endpoints.', ref('WebhookPage')),
          ...refusals('may_not_manage'),
        },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const endpoints = await endpointsOf(db, callerOf(request).accountId);
      return sendEntries(reply, 'webhooks', endpoints, wireEndpoint);
    }),
  );

  app.post(
    '/webhooks',
    {
      config: { keys: FULL_KEYS, role: 'owner' },
      schema: {
        operationId: 'createWebhook',
        summary: 'Make a webhook endpoint',
        description: `It is told of the account’s events for days, signed with a secret of its own; at most ${MAX_ENDPOINTS} for each mode. Give it a URL of its own: what is sent is a \`WebhookEvent\`, not what a list’s \`callback_url\` gets. There are no events of single checks.`,
        body: REQUESTS.webhook,
        response: {
          201: response('The endpoint and its secret, which is shown only here.', ref('NewWebhook')),
          ...refusals(
            'url_not_https',
            'url_too_long',
            'url_port_not_allowed',
            'bad_events',
            'bad_description',
            'may_not_manage',
            'too_many_webhooks',
            ...KEYED_BODY,
          ),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const read = await readBody(parts, request, reply, 'webhook', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const { url, events, description = '' } = read.body;
      if (!mayGoTo(url)) return refuse(request, reply, { why: 'url_port_not_allowed' });
      const { accountId } = callerOf(request);
      const made = await db.transaction(async (tx) => {
        const inserted = await insertEndpoint(tx, box, { accountId, url, events, description });
        if (inserted)
          await writeAudit(tx, actorOf(request), {
            action: 'webhook.created',
            accountId,
            subjectId: inserted.endpoint.id,
            changes: changesBetween({}, factsOf(inserted.endpoint)),
            changed: textsOf(null, inserted.endpoint),
          });
        return inserted;
      });
      if (!made) return refuse(request, reply, { why: 'too_many_webhooks' });
      const answer = { ...wireEndpoint(made.endpoint), webhook_secret: made.secret };
      return reply.code(201).send(answer satisfies WireNewWebhook);
    },
  );

  app.get<OneEndpoint>(
    '/webhooks/:id',
    {
      config: { keys: READING_KEYS, role: 'owner' },
      schema: {
        operationId: 'getWebhook',
        summary: 'Show a webhook endpoint',
        description: 'Its secret is not shown: it was when it was made.',
        params: idParam,
        response: {
          200: response('The endpoint.', ref('Webhook')),
          ...refusals('may_not_manage', 'webhook_not_found'),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const asked = endpointOf(request);
      const endpoint = asked && (await findEndpoint(db, asked.id, asked.accountId));
      return endpoint ? wireEndpoint(endpoint) : refuse(request, reply, { why: 'webhook_not_found' });
    },
  );

  app.patch<OneEndpoint>(
    '/webhooks/:id',
    {
      config: { keys: FULL_KEYS, role: 'owner' },
      schema: {
        operationId: 'changeWebhook',
        summary: 'Change, pause or resume a webhook endpoint',
        description:
          'Pending deliveries go to the new URL. A change of `events` counts for what happens from now on. `paused: false` also switches an endpoint on again that the service has switched off.',
        params: idParam,
        body: REQUESTS.webhook_change,
        response: {
          200: response('The endpoint as it is now.', ref('Webhook')),
          ...refusals(
            'url_not_https',
            'url_too_long',
            'url_port_not_allowed',
            'bad_events',
            'bad_description',
            'bad_paused',
            'may_not_manage',
            'webhook_not_found',
            ...KEYED_BODY,
          ),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const asked = endpointOf(request);
      if (!asked) return refuse(request, reply, { why: 'webhook_not_found' });
      const read = await readBody(parts, request, reply, 'webhook_change', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const { url, events, description, paused } = read.body;
      if (url !== undefined && !mayGoTo(url)) return refuse(request, reply, { why: 'url_port_not_allowed' });
      const changed = await db.transaction(async (tx) => {
        const before = await lockEndpoint(tx, asked.id, asked.accountId);
        if (!before) return null;
        const endpoint = await changeEndpoint(tx, asked.id, { url, events, description, paused });
        if (paused !== undefined) await reschedule(tx, context.jobs, asked);
        const changes = changesBetween(factsOf(before), factsOf(endpoint));
        const changed = textsOf(before, endpoint);
        if (Object.keys(changes).length > 0 || changed.length > 0)
          await writeAudit(tx, actorOf(request), {
            ...{ action: 'webhook.changed', accountId: asked.accountId, subjectId: asked.id },
            ...{ changes, changed },
          });
        return endpoint;
      });
      return changed ? wireEndpoint(changed) : refuse(request, reply, { why: 'webhook_not_found' });
    },
  );

  app.delete<OneEndpoint>(
    '/webhooks/:id',
    {
      config: { keys: FULL_KEYS, role: 'owner' },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook endpoint',
        description: 'With its deliveries, pending ones too.',
        params: idParam,
        response: {
          200: response('Endpoint deleted.', ref('Deleted')),
          ...refusals('may_not_manage', 'webhook_not_found', ...NO_BODY),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const asked = endpointOf(request);
      if (!asked) return refuse(request, reply, { why: 'webhook_not_found' });
      const { id, accountId } = asked;
      const isRemoved = await db.transaction(async (tx) => {
        const removed = await removeEndpoint(tx, id, accountId);
        if (removed)
          await writeAudit(tx, actorOf(request), { action: 'webhook.deleted', accountId, subjectId: id });
        return removed;
      });
      if (!isRemoved) return refuse(request, reply, { why: 'webhook_not_found' });
      return { deleted: true };
    },
  );

  app.post<OneEndpoint>(
    '/webhooks/:id/secret',
    {
      config: { keys: FULL_KEYS, role: 'owner' },
      schema: {
        operationId: 'rotateEndpointSecret',
        summary: 'Replace the secret of a webhook endpoint',
        description: `For ${PREVIOUS_SECRET_HOURS} hours \`webhook-signature\` carries a signature of each secret; \`X-MX-Signature\` is made with the new one at once.`,
        params: idParam,
        response: {
          200: response('The new secret; it is shown only here.', ref('WebhookSecret')),
          ...refusals('may_not_manage', 'webhook_not_found'),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const asked = endpointOf(request);
      if (!asked) return refuse(request, reply, { why: 'webhook_not_found' });
      const { id, accountId } = asked;
      const secret = await db.transaction(async (tx) => {
        const replaced = await rotateEndpointSecret(tx, box, id, accountId);
        if (replaced !== null)
          await writeAudit(tx, actorOf(request), {
            action: 'webhook.secret_replaced',
            accountId,
            subjectId: id,
          });
        return replaced;
      });
      return secret === null
        ? refuse(request, reply, { why: 'webhook_not_found' })
        : { webhook_secret: secret };
    },
  );
}

/** For the audit trail: what is no text of the owner's. */
function factsOf({ events, pausedAtSeconds, offReason }: Endpoint): Record<string, AuditValue> {
  return { events: events.join(','), paused: pausedAtSeconds !== null, off: offReason };
}

/** Which texts differ. */
function textsOf(before: Endpoint | null, { url, description }: Endpoint): string[] {
  return [
    ...(url === before?.url ? [] : ['url']),
    ...(description === (before?.description ?? '') ? [] : ['description']),
  ];
}

function wireEndpoint(endpoint: Endpoint): WireWebhook {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: [...endpoint.events],
    description: endpoint.description,
    created_at: endpoint.createdAtSeconds,
    paused_at: endpoint.pausedAtSeconds,
    off_at: endpoint.offAtSeconds,
    off_reason: endpoint.offReason,
  };
}
