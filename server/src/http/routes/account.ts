// The account: its name and balance.

import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { type Account, findAccount, renameAccount } from '../../store/accounts.ts';
import { retentionOf } from '../../store/retention.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { refuse } from '../errors.ts';
import { ref, type WireAccount } from '../openapi/schemas.ts';
import { callerOf, KEYED_BODY, mayManage, type Parts, refusals, response } from '../route-parts.ts';
import { readBody } from '../take-body.ts';
import { readQuery, word } from '../wire/query.ts';

const accountQuery = {
  include: Type.Optional(
    word(['retention'], {
      description: 'A field to add: `retention`, how long the account keeps its data.',
    }),
  ),
};

export function accountRoutes(app: FastifyInstance, parts: Parts): void {
  const { context } = parts;
  app.get(
    '/account',
    {
      config: { keys: READING_KEYS },
      schema: {
        operationId: 'getAccount',
        summary: 'Show the balance',
        description: 'Live and test keys have a balance each; this is that of the mode of the key.',
        querystring: { type: 'object', properties: accountQuery },
        response: {
          200: response('The account of the key.', ref('Account')),
          ...refusals('bad_account_include'),
        },
      },
    },
    async (request, reply) => {
      const query = readQuery(accountQuery, request.query, { include: 'bad_account_include' });
      if ('why' in query) return refuse(request, reply, query);
      const { accountId } = callerOf(request);
      const account = wire(await findAccount(context.db, accountId));
      if (query.include === null) return account;
      const kept = await retentionOf(context.db, accountId, parts.retention);
      const evidence = kept.evidence === null ? null : Math.ceil(kept.evidence);
      return { ...account, retention: { ...kept, evidence } } satisfies WireAccount;
    },
  );

  app.patch(
    '/account',
    {
      config: { keys: FULL_KEYS },
      schema: {
        operationId: 'renameAccount',
        summary: 'Rename the account',
        description: 'In live and test mode alike. Needs a live key that may manage keys.',
        body: REQUESTS.account,
        response: {
          200: response('The account with its new name.', ref('Account')),
          ...refusals(
            'name_not_string',
            'name_too_long',
            'bad_account_name',
            'may_not_manage',
            'test_keys_only',
            ...KEYED_BODY,
          ),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const { accountId, test } = callerOf(request);
      // The name is the live account's too.
      if (test) return refuse(request, reply, { why: 'test_keys_only' });
      const read = await readBody(parts, request, reply, 'account', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      return wire(await renameAccount(context.db, accountId, read.body.name));
    },
  );
}

function wire(account: Account | null): WireAccount {
  if (!account) throw new Error('a key belongs to no account');
  const { name, credits, used, lists } = account;
  return { name, credits, credits_used: used, lists };
}
