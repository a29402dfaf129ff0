// An account's credentials: its API keys and its webhook secret, for keys that may manage them.
// Promise: a key or secret is shown once, in the answer that makes it, and nowhere else.

import type { FastifyInstance } from 'fastify';
import { addKey } from '../../flow/add-key.ts';
import { rotateWebhookSecret } from '../../flow/open-account.ts';
import { revokeKey } from '../../flow/revoke-key.ts';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { countKeys, type KeyInfo, keysOf } from '../../store/keys.ts';
import { PREVIOUS_SECRET_HOURS } from '../../store/webhook-secrets.ts';
import { actorOf } from '../actor-of.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { keyIdOf } from '../check-access.ts';
import { refuse } from '../errors.ts';
import { ref, type WireKey, type WireNewKey } from '../openapi/schemas.ts';
import { readsOnce, sendEntries } from '../read-for.ts';
import { callerOf, KEYED_BODY, mayManage, NO_BODY, type Parts, refusals, response } from '../route-parts.ts';
import { readBody } from '../take-body.ts';
import { readListId as readId } from '../wire/query.ts';

/** Expired ones included, deleted ones not: what GET /keys shows in one page. */
export const MAX_KEYS = 1_000;

const idParam = {
  type: 'object',
  properties: { id: { type: 'integer', minimum: 1, description: 'Key identifier.' } },
} as const;

export function keyRoutes(app: FastifyInstance, parts: Parts): void {
  const { db } = parts.context;

  app.get(
    '/keys',
    {
      config: { keys: READING_KEYS, role: 'owner' },
      schema: {
        operationId: 'getKeys',
        summary: 'List the API keys',
        description: 'A live key sees the live and the test keys of its account, a test key the test keys.',
        response: {
          200: response('All keys, expired ones included.', ref('KeyPage')),
          ...refusals('may_not_manage'),
        },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const keys = await keysOf(db, callerOf(request).accountId, { revoked: false });
      return sendEntries(reply, 'keys', keys, wireKey);
    }),
  );

  app.post(
    '/keys',
    {
      config: { keys: FULL_KEYS, role: 'owner' },
      schema: {
        operationId: 'createKey',
        summary: 'Make an API key',
        description:
          'Needs a key that may manage keys. A live key makes live and test keys, a test key test keys only.',
        body: REQUESTS.keys,
        response: {
          201: response('The key; it is shown only here.', ref('NewKey')),
          ...refusals(
            'bad_label',
            'bad_test',
            'bad_manage',
            'bad_access',
            'bad_expires_at',
            'bad_allowed_ips',
            'manage_needs_full',
            'may_not_manage',
            'test_keys_only',
            'too_many_keys',
            ...KEYED_BODY,
          ),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const read = await readBody(parts, request, reply, 'keys', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const { accountId, test: isTest } = callerOf(request);
      const {
        label,
        manage = false,
        access = 'full',
        expires_at: expiresAtSeconds = null,
        allowed_ips: allowedIps = null,
      } = read.body;
      if (manage && access !== 'full') return refuse(request, reply, { why: 'manage_needs_full' });
      const test = read.body.test ?? isTest;
      if (isTest && !test) return refuse(request, reply, { why: 'test_keys_only' });
      if (expiresAtSeconds !== null && expiresAtSeconds * 1000 <= Date.now())
        return refuse(request, reply, { why: 'bad_expires_at' });
      if ((await countKeys(db, accountId)) >= MAX_KEYS)
        return refuse(request, reply, { why: 'too_many_keys' });
      const { key, apiKey } = await db.transaction((tx) =>
        addKey(tx, actorOf(request), {
          accountId,
          label,
          test,
          manage,
          access,
          expiresAtSeconds,
          allowedIps,
        }),
      );
      return reply.code(201).send({ ...wireKey(key), api_key: apiKey } satisfies WireNewKey);
    },
  );

  app.delete<{ Params: { id: string } }>(
    '/keys/:id',
    {
      config: { keys: FULL_KEYS, role: 'owner' },
      schema: {
        operationId: 'deleteKey',
        summary: 'Delete an API key',
        description: 'The key is refused from now on.',
        params: idParam,
        response: {
          200: response('Key deleted.', ref('Deleted')),
          ...refusals('may_not_manage', 'key_not_found', 'own_key', ...NO_BODY),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const id = readId(request.params.id);
      const caller = callerOf(request);
      // Nor the key that a browser is signed in with.
      if (id !== null && id === keyIdOf(caller)) return refuse(request, reply, { why: 'own_key' });
      if (!id || !(await revokeKey(db, actorOf(request), id, caller.accountId)))
        return refuse(request, reply, { why: 'key_not_found' });
      return { deleted: true };
    },
  );

  app.post(
    '/account/webhook-secret',
    {
      config: { keys: FULL_KEYS, role: 'owner' },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the webhook secret',
        description: `For ${PREVIOUS_SECRET_HOURS} hours \`webhook-signature\` carries a signature of each secret; \`X-MX-Signature\` is made with the new one at once.`,
        response: {
          200: response('The new secret; it is shown only here.', ref('WebhookSecret')),
          ...refusals('may_not_manage', 'test_keys_only'),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const { accountId, test } = callerOf(request);
      // Live callbacks are signed with it.
      if (test) return refuse(request, reply, { why: 'test_keys_only' });
      const secret = await db.transaction((tx) =>
        rotateWebhookSecret(tx, actorOf(request), parts.box, accountId),
      );
      // The account was deleted meanwhile.
      if (secret === null) return refuse(request, reply, { why: 'invalid_api_key' });
      return { webhook_secret: secret };
    },
  );
}

export function wireKey(key: KeyInfo): WireKey {
  return {
    id: key.id,
    label: key.label,
    prefix: key.prefix,
    test: key.test,
    manage: key.manage,
    access: key.access,
    created_at: key.createdAtSeconds,
    last_used_at: key.lastUsedAtSeconds,
    expires_at: key.expiresAtSeconds,
    allowed_ips: key.allowedIps,
  };
}
