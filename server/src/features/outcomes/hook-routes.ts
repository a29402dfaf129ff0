// An account's hooks, for keys that may manage: those that a test key makes belong to test mode.
import type { FastifyInstance } from 'fastify';
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
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { writeAudit } from '../../store/audit.ts';
import type { WireHook, WireNewHook } from './hook-schemas.ts';
import { createServices } from './services/services.ts';
import { type Hook, hooksOf, insertHook, MAX_HOOKS, removeHook } from './stored-hooks.ts';

export function hookRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, box, publicUrl } = parts;
  const { db } = context;
  const services = createServices();

  app.get(
    '/hooks',
    {
      config: { keys: READING_KEYS, role: 'owner' },
      schema: {
        operationId: 'getHooks',
        summary: 'List the hooks of sending services',
        description: 'Those of the mode of the key, in one page.',
        response: { 200: response('All hooks.', ref('HookPage')), ...refusals('may_not_manage') },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      return sendEntries(reply, 'hooks', await hooksOf(db, callerOf(request).accountId), wireHook);
    }),
  );

  app.post(
    '/hooks',
    {
      config: { keys: FULL_KEYS, role: 'owner' },
      schema: {
        operationId: 'createHook',
        summary: 'Make a hook for a sending service',
        description: `A URL to which the service sends its own events: deliveries, bounces and complaints become outcomes of the account. At most ${MAX_HOOKS} for each mode.`,
        body: REQUESTS.hook,
        response: {
          201: response('The hook and its URL, which is shown only here.', ref('NewHook')),
          ...refusals(
            'bad_service',
            'bad_signing_key',
            'bad_topic',
            'may_not_manage',
            'too_many_hooks',
            ...KEYED_BODY,
          ),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const read = await readBody(parts, request, reply, 'hook', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const { service, signing_key: signingKey = null, topic = null } = read.body;
      const wrong = services[service].wrongSetting({ signingKey, topic });
      if (wrong) return refuse(request, reply, { why: wrong });
      const { accountId } = callerOf(request);
      const made = await db.transaction(async (tx) => {
        const inserted = await insertHook(tx, box, { accountId, service, signingKey, topic });
        if (inserted)
          await writeAudit(tx, actorOf(request), {
            action: 'hook.created',
            accountId,
            subjectId: inserted.hook.id,
            changes: { service: [null, service] },
            changed: [...(signingKey === null ? [] : ['signing_key']), ...(topic === null ? [] : ['topic'])],
          });
        return inserted;
      });
      if (!made) return refuse(request, reply, { why: 'too_many_hooks' });
      const origin = publicUrl ?? `${request.protocol}://${request.host}`;
      const url = new URL(`/v1/hooks/${service}/${made.token}`, origin).href;
      return reply.code(201).send({ ...wireHook(made.hook), url } satisfies WireNewHook);
    },
  );

  app.delete<{ Params: { id: string } }>(
    '/hooks/:id',
    {
      config: { keys: FULL_KEYS, role: 'owner' },
      schema: {
        operationId: 'deleteHook',
        summary: 'Delete a hook',
        description: 'Nothing is taken at its URL any more; the outcomes that it took stay.',
        params: {
          type: 'object',
          properties: { id: { type: 'integer', minimum: 1, description: 'Hook identifier.' } },
        },
        response: {
          200: response('Hook deleted.', ref('Deleted')),
          ...refusals('may_not_manage', 'hook_not_found', ...NO_BODY),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const id = readId(request.params.id);
      if (id === null) return refuse(request, reply, { why: 'hook_not_found' });
      const { accountId } = callerOf(request);
      const isRemoved = await db.transaction(async (tx) => {
        const removed = await removeHook(tx, id, accountId);
        if (removed)
          await writeAudit(tx, actorOf(request), { action: 'hook.deleted', accountId, subjectId: id });
        return removed;
      });
      if (!isRemoved) return refuse(request, reply, { why: 'hook_not_found' });
      return { deleted: true };
    },
  );
}

function wireHook({ id, service, topic, createdAtSeconds, lastEventAtSeconds }: Hook): WireHook {
  return { id, service, topic, created_at: createdAtSeconds, last_event_at: lastEventAtSeconds };
}
