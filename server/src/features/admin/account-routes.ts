// Accounts: found, opened, changed, credited, deleted.
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { changeCredits } from '../../flow/change-credits.ts';
import { deleteAccount } from '../../flow/delete-account.ts';
import { openAccount } from '../../flow/open-account.ts';
import { refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import { NO_BODY, type Parts } from '../../http/route-parts.ts';
import { pageQuery } from '../../http/routes/lists.ts';
import { readListId as readId, readQuery, word } from '../../http/wire/query.ts';
import { isTakenExternalId, readSettings } from '../../store/accounts.ts';
import type { Tx } from '../../store/database.ts';
import { searchAccounts } from '../../store/search-accounts.ts';
import type { WireAccountDetail, WireNewAccount } from './account-schemas.ts';
import { adminActor } from './admin-door.ts';
import {
  ACCOUNT_ID,
  adminResponse,
  bodyRefusals,
  changeRefusals,
  ONCE_HEADERS,
  type OneOf,
  onceRefusals,
  onceResponse,
  queryOf,
  readRefusals,
} from './admin-parts.ts';
import { answerOnce } from './answer-once.ts';
import { ADMIN_REQUESTS, readAdminBody } from './bodies.ts';
import { changeAccount, readAccountDetails } from './change-account.ts';
import { wireAccount, wireDetail } from './wire-account.ts';

const accountsQuery = {
  ...pageQuery,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'A piece of the name, the beginning of the external id, or the id.',
    }),
  ),
  status: Type.Optional(word(['active', 'suspended'], { description: 'Only these.' })),
};
const CODES = { q: 'bad_search', status: 'bad_account_status' } as const;

const TOTAL = {
  'X-Total-Count': { description: 'How many there are in all pages.', type: 'integer', minimum: 0 },
};

export function adminAccountRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, box } = parts;
  const { db } = context;

  /** Null: no such account. */
  async function detailOf(tx: Tx, id: number): Promise<WireAccountDetail | null> {
    const found = await readAccountDetails(tx, id);
    return found && wireDetail(found, await readSettings(tx, id));
  }

  app.get(
    '/accounts',
    {
      schema: {
        operationId: 'getAccounts',
        summary: 'Find accounts',
        description: 'Newest first. Test sides of accounts are not among them.',
        querystring: queryOf(accountsQuery),
        response: {
          200: adminResponse('A page of accounts.', ref('AdminAccountPage'), TOTAL),
          ...readRefusals('bad_offset', 'bad_limit', 'bad_search', 'bad_account_status'),
        },
      },
    },
    async (request, reply) => {
      const query = readQuery(accountsQuery, request.query, CODES);
      if ('why' in query) return refuse(request, reply, query);
      const { accounts, total } = await searchAccounts(db, query);
      reply.header('x-total-count', String(total));
      return { accounts: accounts.map(wireAccount) };
    },
  );

  app.post(
    '/accounts',
    {
      schema: {
        operationId: 'createAccount',
        summary: 'Open an account',
        description: 'With its first credits, a key that may do everything, and a webhook secret.',
        headers: ONCE_HEADERS,
        body: ADMIN_REQUESTS.account,
        response: {
          201: onceResponse('The account; key and secret are shown only here.', ref('NewAccount')),
          ...onceRefusals(
            'name_not_string',
            'name_too_long',
            'bad_account_name',
            'bad_first_credits',
            'bad_note',
            'bad_external_id',
            'external_id_taken',
          ),
        },
      },
    },
    async (request, reply) =>
      answerOnce(parts, request, reply, 'account', async ({ db: tx }, body) => {
        const { name, credits = 0, note = '', external_id: externalId = null } = body;
        const wanted = { name, credits, note, externalId };
        const opened = await openAccount(tx, adminActor(request), box, wanted).catch(nullIfTaken);
        if (opened === null) return { why: 'external_id_taken' };
        const made: WireNewAccount = {
          ...(await detailOf(tx, opened.accountId))!,
          api_key: opened.apiKey,
          webhook_secret: opened.webhookSecret,
        };
        return { status: 201, body: made };
      }),
  );

  app.get<OneOf>(
    '/accounts/:id',
    {
      schema: {
        operationId: 'getAccount',
        summary: 'Show an account',
        description: 'With what is set for it.',
        params: ACCOUNT_ID,
        response: {
          200: adminResponse('The account.', ref('AdminAccountDetail')),
          ...readRefusals('account_not_found'),
        },
      },
    },
    async (request, reply) => {
      const id = readId(request.params.id);
      const found = id && (await detailOf(db, id));
      return found || refuse(request, reply, { why: 'account_not_found' });
    },
  );

  app.patch<OneOf>(
    '/accounts/:id',
    {
      schema: {
        operationId: 'changeAccount',
        summary: 'Change an account',
        description:
          'All of it or nothing. A suspended account is refused whatever begins something new; it still reads results and deletes.',
        params: ACCOUNT_ID,
        body: ADMIN_REQUESTS.account_change,
        response: {
          200: adminResponse('The account as it is now.', ref('AdminAccountDetail')),
          ...bodyRefusals(
            'bad_body',
            'name_not_string',
            'name_too_long',
            'bad_account_name',
            'bad_external_id',
            'bad_account_status',
            'bad_rate',
            'bad_retention',
            'bad_monthly_credits',
            'bad_mail',
            'account_not_found',
            'external_id_taken',
          ),
        },
      },
    },
    async (request, reply) => {
      const read = await readAdminBody(parts, request, reply, 'account_change');
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const id = readId(request.params.id);
      if (!id) return refuse(request, reply, { why: 'account_not_found' });
      const { kind: _, unknownFields, ...body } = read.body;
      // What is unknown was warned of.
      if (Object.keys(body).length + unknownFields.length === 0)
        return refuse(request, reply, { why: 'bad_body' });
      const changed = await changeAccount(db, adminActor(request), id, {
        name: body.name,
        externalId: body.external_id,
        status: body.status,
        rateRequests: body.rate_requests,
        rateAddresses: body.rate_addresses,
        retention: body.retention,
        monthlyCredits: body.monthly_credits,
        mail: body.mail,
      });
      if (changed.kind === 'no_account') return refuse(request, reply, { why: 'account_not_found' });
      if (changed.kind !== 'changed') return refuse(request, reply, { why: changed.kind });
      return wireDetail(changed.details, await readSettings(db, id));
    },
  );

  app.delete<OneOf>(
    '/accounts/:id',
    {
      schema: {
        operationId: 'deleteAccount',
        summary: 'Delete an account',
        description:
          'At once it admits no key and no browser; its unfinished lists end and are refunded. Its data is removed within minutes. What stays is a row without a name, its ledger, and the audit trail. It cannot be undone.',
        params: ACCOUNT_ID,
        response: {
          200: adminResponse('Deleted.', ref('Deleted')),
          ...changeRefusals('account_not_found', ...NO_BODY),
        },
      },
    },
    async (request, reply) => {
      const id = readId(request.params.id);
      const done = id === null ? 'no_account' : await deleteAccount(context, adminActor(request), id);
      return done === 'deleted' ? { deleted: true } : refuse(request, reply, { why: 'account_not_found' });
    },
  );

  app.post<OneOf>(
    '/accounts/:id/credits',
    {
      schema: {
        operationId: 'changeCredits',
        summary: 'Add credits, or take some back',
        description: 'At most the balance is taken back: what unfinished lists were charged stays theirs.',
        headers: ONCE_HEADERS,
        params: ACCOUNT_ID,
        body: ADMIN_REQUESTS.credits,
        response: {
          200: onceResponse('The account as it is now.', ref('AdminAccountDetail')),
          ...onceRefusals('bad_credits', 'bad_note', 'account_not_found', 'not_enough_credits'),
        },
      },
    },
    async (request, reply) =>
      answerOnce(parts, request, reply, 'credits', async ({ db: tx }, { credits, note = '' }) => {
        const accountId = readId((request.params as OneOf['Params']).id);
        if (!accountId) return { why: 'account_not_found' };
        const wanted = { accountId, amount: credits, note, key: null };
        const changed = await changeCredits(tx, adminActor(request), wanted);
        switch (changed.kind) {
          case 'changed':
          case 'repeated':
            return { status: 200, body: (await detailOf(tx, accountId))! };
          case 'no_account':
            return { why: 'account_not_found' };
          case 'too_few':
            return { why: 'not_enough_credits' };
          case 'key_reused':
            throw new Error('a change of credits without a key was found again');
          default:
            return changed satisfies never;
        }
      }),
  );
}

function nullIfTaken(error: unknown): null {
  if (isTakenExternalId(error)) return null;
  throw error;
}
