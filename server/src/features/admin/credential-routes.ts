// An account's keys, sign-in links, sessions and webhook secret, for its operator.
// Promise: a key, link or secret is shown once, in the answer that makes it and its repeats.
import type { FastifyInstance } from 'fastify';
import { addKey } from '../../flow/add-key.ts';
import { rotateWebhookSecret } from '../../flow/open-account.ts';
import { revokeKey } from '../../flow/revoke-key.ts';
import { makeSignInLink, signAllOut } from '../../flow/sign-in.ts';
import { refuse } from '../../http/errors.ts';
import { ref, type WireNewKey } from '../../http/openapi/schemas.ts';
import { NO_BODY, type Parts } from '../../http/route-parts.ts';
import { MAX_KEYS, wireKey } from '../../http/routes/keys.ts';
import { wireMember } from '../../http/routes/members.ts';
import { readListId as readId } from '../../http/wire/query.ts';
import { findAccount } from '../../store/accounts.ts';
import type { Tx } from '../../store/database.ts';
import { countKeys, keysOf } from '../../store/keys.ts';
import { membersOf } from '../../store/members.ts';
import { LINK_MINUTES } from '../../store/sign-in-links.ts';
import type { WireSignInLink } from './account-schemas.ts';
import { adminActor } from './admin-door.ts';
import {
  ACCOUNT_ID,
  adminResponse,
  changeRefusals,
  ONCE_HEADERS,
  type OneOf,
  onceRefusals,
  onceResponse,
  readRefusals,
} from './admin-parts.ts';
import { answerOnce } from './answer-once.ts';
import { ADMIN_REQUESTS } from './bodies.ts';

const KEY_ID = {
  type: 'object',
  properties: {
    ...ACCOUNT_ID.properties,
    key: { type: 'integer', minimum: 1, description: 'Key identifier.' },
  },
} as const;

export function credentialRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, box, publicUrl } = parts;
  const { db } = context;

  /** Null: no account that operators deal with. */
  async function accountIn(tx: Tx, request: { readonly params: unknown }): Promise<number | null> {
    const id = readId((request.params as OneOf['Params']).id);
    const account = id && (await findAccount(tx, id));
    return account && !account.test ? account.id : null;
  }

  app.get<OneOf>(
    '/accounts/:id/keys',
    {
      schema: {
        operationId: 'getAccountKeys',
        summary: 'List an account’s keys',
        description: 'Live and test keys, expired ones included.',
        params: ACCOUNT_ID,
        response: {
          200: adminResponse('All keys.', ref('KeyPage')),
          ...readRefusals('account_not_found'),
        },
      },
    },
    async (request, reply) => {
      const id = await accountIn(db, request);
      if (id === null) return refuse(request, reply, { why: 'account_not_found' });
      return { keys: (await keysOf(db, id, { revoked: false })).map(wireKey) };
    },
  );

  app.post<OneOf>(
    '/accounts/:id/keys',
    {
      schema: {
        operationId: 'createAccountKey',
        summary: 'Make a key for an account',
        headers: ONCE_HEADERS,
        params: ACCOUNT_ID,
        body: ADMIN_REQUESTS.key,
        response: {
          201: onceResponse('The key; it is shown only here.', ref('NewKey')),
          ...onceRefusals(
            'bad_label',
            'bad_test',
            'bad_manage',
            'bad_access',
            'bad_expires_at',
            'bad_allowed_ips',
            'manage_needs_full',
            'account_not_found',
            'too_many_keys',
          ),
        },
      },
    },
    async (request, reply) =>
      answerOnce(parts, request, reply, 'key', async ({ db: tx }, body) => {
        const { label, manage = false, access = 'full', allowed_ips: allowedIps = null } = body;
        const { expires_at: expiresAtSeconds = null } = body;
        if (manage && access !== 'full') return { why: 'manage_needs_full' };
        if (expiresAtSeconds !== null && expiresAtSeconds * 1000 <= Date.now())
          return { why: 'bad_expires_at' };
        const accountId = await accountIn(tx, request);
        if (accountId === null) return { why: 'account_not_found' };
        if ((await countKeys(tx, accountId)) >= MAX_KEYS) return { why: 'too_many_keys' };
        const wanted = {
          accountId,
          label,
          test: body.test ?? false,
          manage,
          access,
          expiresAtSeconds,
          allowedIps,
        };
        const { key, apiKey } = await addKey(tx, adminActor(request), wanted);
        return { status: 201, body: { ...wireKey(key), api_key: apiKey } satisfies WireNewKey };
      }),
  );

  app.delete<{ Params: { id: string; key: string } }>(
    '/accounts/:id/keys/:key',
    {
      schema: {
        operationId: 'deleteAccountKey',
        summary: 'Delete a key of an account',
        description: 'The key is refused from now on, and browsers that it signed in are signed out.',
        params: KEY_ID,
        response: {
          200: adminResponse('Key deleted.', ref('Deleted')),
          ...changeRefusals('account_not_found', 'key_not_found', ...NO_BODY),
        },
      },
    },
    async (request, reply) => {
      const keyId = readId(request.params.key);
      const accountId = await accountIn(db, request);
      if (accountId === null) return refuse(request, reply, { why: 'account_not_found' });
      const isDone = keyId !== null && (await revokeKey(db, adminActor(request), keyId, accountId));
      return isDone ? { deleted: true } : refuse(request, reply, { why: 'key_not_found' });
    },
  );

  app.get<OneOf>(
    '/accounts/:id/members',
    {
      schema: {
        operationId: 'getAccountMembers',
        summary: 'List an account’s members',
        description: 'People who may use it in a browser, those who are invited included.',
        params: ACCOUNT_ID,
        response: {
          200: adminResponse('All members.', ref('MemberPage')),
          ...readRefusals('account_not_found'),
        },
      },
    },
    async (request, reply) => {
      const id = await accountIn(db, request);
      if (id === null) return refuse(request, reply, { why: 'account_not_found' });
      return { members: (await membersOf(db, id)).map(wireMember) };
    },
  );

  app.post<OneOf>(
    '/accounts/:id/link',
    {
      schema: {
        operationId: 'createSignInLink',
        summary: 'Make a link that signs a browser in',
        description: `It works once, within ${LINK_MINUTES} minutes, for anyone who has it.`,
        headers: ONCE_HEADERS,
        params: ACCOUNT_ID,
        body: ADMIN_REQUESTS.nothing,
        response: {
          201: onceResponse('The link.', ref('SignInLink')),
          ...onceRefusals('bad_body', 'account_not_found'),
        },
      },
    },
    async (request, reply) =>
      answerOnce(parts, request, reply, 'nothing', async ({ db: tx }) => {
        const accountId = await accountIn(tx, request);
        if (accountId === null) return { why: 'account_not_found' };
        const token = await makeSignInLink(tx, adminActor(request), accountId);
        const base = publicUrl ?? `${request.protocol}://${request.host}`;
        const link: WireSignInLink = {
          url: `${base}/sign-in/${token}`,
          expires_at: Math.floor(Date.now() / 1000) + LINK_MINUTES * 60,
        };
        return { status: 201, body: link };
      }),
  );

  app.post<OneOf>(
    '/accounts/:id/sign-out',
    {
      schema: {
        operationId: 'signAccountOut',
        summary: 'Sign all browsers of an account out',
        description: 'Its sign-in links and the links of its invitations end, too; keys keep working.',
        headers: ONCE_HEADERS,
        params: ACCOUNT_ID,
        body: ADMIN_REQUESTS.nothing,
        response: {
          200: onceResponse('How many were signed in.', ref('SignedOut')),
          ...onceRefusals('bad_body', 'account_not_found'),
        },
      },
    },
    async (request, reply) =>
      answerOnce(parts, request, reply, 'nothing', async ({ db: tx }) => {
        const accountId = await accountIn(tx, request);
        if (accountId === null) return { why: 'account_not_found' };
        const ended = await signAllOut(tx, adminActor(request), accountId);
        return { status: 200, body: { sessions_ended: ended } };
      }),
  );

  app.post<OneOf>(
    '/accounts/:id/webhook-secret',
    {
      schema: {
        operationId: 'rotateAccountWebhookSecret',
        summary: 'Replace an account’s webhook secret',
        description: 'For 24 hours `webhook-signature` carries a signature of each secret.',
        headers: ONCE_HEADERS,
        params: ACCOUNT_ID,
        body: ADMIN_REQUESTS.nothing,
        response: {
          200: onceResponse('The new secret; it is shown only here.', ref('WebhookSecret')),
          ...onceRefusals('bad_body', 'account_not_found'),
        },
      },
    },
    async (request, reply) =>
      answerOnce(parts, request, reply, 'nothing', async ({ db: tx }) => {
        const accountId = await accountIn(tx, request);
        const secret = accountId && (await rotateWebhookSecret(tx, adminActor(request), box, accountId));
        return secret ? { status: 200, body: { webhook_secret: secret } } : { why: 'account_not_found' };
      }),
  );
}
