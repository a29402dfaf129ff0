// The account: its name, its balance and its settings.

import type { FastifyInstance } from 'fastify';
import { changeOwnAccount } from '../../flow/change-own-account.ts';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { type Account, type AccountSettings, findAccount, readSettings } from '../../store/accounts.ts';
import { forgetOutcomes } from '../../store/outcome-settings.ts';
import { retentionOf } from '../../store/retention.ts';
import { actorOf } from '../actor-of.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { refuse } from '../errors.ts';
import { ref, type WireAccount } from '../openapi/schemas.ts';
import { callerOf, KEYED_BODY, mayManage, type Parts, refusals, response } from '../route-parts.ts';
import { readBody } from '../take-body.ts';
import { commaList, readQuery } from '../wire/query.ts';

const accountQuery = {
  include: commaList(
    ['retention', 'settings'],
    'Fields to add: `retention`, how long the account keeps its data; `settings`, what `PATCH /v1/account` sets besides the name.',
  ),
};

export function accountRoutes(app: FastifyInstance, parts: Parts): void {
  const { context } = parts;
  app.get(
    '/account',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getAccount',
        summary: 'Show the balance',
        description: 'Live and test keys have a balance each; this is that of the mode of the key.',
        querystring: { type: 'object', style: 'form', explode: false, properties: accountQuery },
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
      const found = await findAccount(context.db, accountId);
      // It was deleted since the request was admitted.
      if (!found) return refuse(request, reply, { why: 'invalid_api_key' });
      const account = wire(found);
      const include = query.include ?? [];
      if (include.includes('retention')) {
        const kept = await retentionOf(context.db, accountId, parts.retention);
        const evidence = kept.evidence === null ? null : Math.ceil(kept.evidence);
        account.retention = { ...kept, evidence };
      }
      if (include.includes('settings'))
        account.settings = wireSettings(await readSettings(context.db, accountId));
      return account;
    },
  );

  app.patch(
    '/account',
    {
      config: { keys: FULL_KEYS, role: 'owner' },
      schema: {
        operationId: 'renameAccount',
        summary: 'Rename the account, or change its settings',
        description:
          'The name is that of live and test mode alike, and needs a live key; a setting is of the mode of the key. What is left out stays as it is. Lists that were checked before `outcomes` was switched on are not found by outcomes; switching it off deletes all outcomes, and keeps the suppressions.',
        body: REQUESTS.account,
        response: {
          200: response('The account as it is now; with `settings`, if one was changed.', ref('Account')),
          ...refusals(
            'name_not_string',
            'name_too_long',
            'bad_account_name',
            'bad_low_credits',
            'bad_outcomes',
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
      const read = await readBody(parts, request, reply, 'account', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const { name, low_credits: lowCredits, outcomes } = read.body;
      const isSetting = lowCredits !== undefined || outcomes !== undefined;
      // The name is the live account's too.
      if (test && name !== undefined) return refuse(request, reply, { why: 'test_keys_only' });
      if (name === undefined && !isSetting)
        return refuse(request, reply, { why: 'name_not_string', detail: 'name is missing: send a string' });
      // What a switch-off has left, since its process died.
      if (outcomes === true) await forgetOutcomes(context.db, accountId);
      const { account, settings } = await context.db.transaction((tx) =>
        changeOwnAccount(tx, actorOf(request), accountId, { name, lowCredits, outcomes }),
      );
      // Deleted by the operator since it was admitted.
      if (!account) return refuse(request, reply, { why: 'invalid_api_key' });
      if (outcomes === false) await forgetOutcomes(context.db, accountId);
      return isSetting ? { ...wire(account), settings: wireSettings(settings) } : wire(account);
    },
  );
}

function wire({ name, credits, used, lists }: Account): WireAccount {
  return { name, credits, credits_used: used, lists };
}

function wireSettings({ lowCredits, outcomes }: AccountSettings): NonNullable<WireAccount['settings']> {
  return { low_credits: lowCredits, outcomes };
}
