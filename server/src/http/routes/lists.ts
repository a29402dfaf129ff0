// Lists: create, show one or all.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mailMemberFor } from '../../flow/list-mail.ts';
import { type SubmitResult, submitList } from '../../flow/submit-list.ts';
import { isAllowedPort } from '../../rules/callback-targets.ts';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { LIST_STATUSES, type List, listSummary } from '../../rules/list.ts';
import { GROUP_PATTERN } from '../../rules/list-group.ts';
import { resultsExpireAt } from '../../rules/retention.ts';
import {
  isAnsweredLate,
  MAX_TEST_ADDRESSES,
  SLOW_ANSWER_MS,
  testListRefusal,
} from '../../rules/test-outcome.ts';
import { emailsOfSingles } from '../../store/chunks.ts';
import type { RememberedRequest, RememberedResponse } from '../../store/idempotency.ts';
import { findList, listsOf } from '../../store/lists.ts';
import { retentionOf } from '../../store/retention.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { keyIdOf } from '../check-access.ts';
import { refuse } from '../errors.ts';
import { free } from '../free-buffers.ts';
import { ref, type WireList } from '../openapi/schemas.ts';
import { readsOnce, sendEntries, waitForReader } from '../read-for.ts';
import { refuseInTest } from '../refuse-in-test.ts';
import { ANY_BODY, callerOf, LOCATION, type Parts, refusals, response } from '../route-parts.ts';
import { takeBody } from '../take-body.ts';
import { idempotencyHeader, REPLAYED, sendRemembered, sendResponse } from '../wire/idempotency-key.ts';
import { commaList, MAX_LIMIT, readListId, readQuery, word } from '../wire/query.ts';

export const idParam = {
  type: 'object',
  properties: { id: { type: 'integer', minimum: 1, description: 'List identifier.' } },
} as const;

export const groupParam = { type: 'string', pattern: GROUP_PATTERN } as const;

/** A comma-separated list, not one parameter per word. */
const COMMA_SEPARATED = { type: 'object', style: 'form', explode: false } as const;

const includeQuery = {
  include: commaList(
    ['group', 'email', 'retention', 'paused', 'file'],
    'Fields to add: `group`, the group a list is of, or null; `email`, the address of a single check, or null for other lists; `retention`, when the results are or were deleted; `paused`, since when a list is paused; `file`, the file it was made of.',
  ),
};
const INCLUDE_CODE = { include: 'bad_list_include' } as const;

export const pageQuery = {
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Number of entries to skip.' }),
  limit: Type.Integer({
    minimum: 1,
    default: 1_000,
    description: `Page size. Values above ${MAX_LIMIT} are treated as ${MAX_LIMIT}.`,
  }),
};

/** In the order in which they are refused. */
const listsQuery = {
  ...pageQuery,
  status: Type.Optional(word(LIST_STATUSES)),
  single: Type.Unsafe<boolean | 'only'>({
    anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['only'] }],
    default: false,
    description: 'Include single checks; `only`: nothing else.',
  }),
  group: Type.Optional(Type.Unsafe<string>({ ...groupParam, description: 'Only lists of this group.' })),
  ...includeQuery,
};

export function listRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, gate } = parts;
  // The document has `group` before `single`.
  const { single, include, ...first } = listsQuery;

  app.post(
    '/lists',
    {
      config: { keys: FULL_KEYS, role: 'member' },
      schema: {
        operationId: 'createList',
        summary: 'Check many addresses',
        description:
          'Charges one credit per unique address. Counts its unique addresses in the addresses window, and nothing in the requests window.',
        body: REQUESTS.lists,
        headers: {
          type: 'object',
          properties: { 'Idempotency-Key': idempotencyHeader },
        },
        response: {
          201: response('List created and charged.', ref('ListSummary'), { ...LOCATION, ...REPLAYED }),
          ...refusals(
            'emails_required',
            'emails_not_strings',
            'email_too_long',
            'too_many_addresses',
            'too_many_test_addresses',
            'name_not_string',
            'name_too_long',
            'callback_url_not_https',
            'callback_url_too_long',
            'callback_port_not_allowed',
            'bad_group',
            'bad_file',
            'bad_mail_when_done',
            'no_member',
            'no_mail_sent',
            'mailbox_not_proved',
            'group_full',
            ...ANY_BODY,
          ),
        },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const repeated = ({ sameBody, listId, response: first }: RememberedRequest) => {
        if (!sameBody) return refuse(request, reply, { why: 'idempotency_key_reused' });
        if (!first) throw new Error('the answer of POST /lists is remembered with its charge');
        return sendRemembered(reply, 'lists', listId, first);
      };
      const taken = await takeBody(parts, request, reply, 'lists');
      if (taken.kind === 'refused') return refuse(request, reply, taken.refusal);
      if (taken.kind === 'repeated') return repeated(taken.remembered);
      const { body, key } = taken;
      const { total } = body.emails;
      if (caller.test && total > MAX_TEST_ADDRESSES)
        return refuse(request, reply, { why: 'too_many_test_addresses' });
      if (body.callbackUrl !== null && !isAllowedPort(new URL(body.callbackUrl), parts.callbackPorts))
        return refuse(request, reply, { why: 'callback_port_not_allowed' });
      const refusal = caller.test ? testListRefusal(body.name) : null;
      if (refusal) return refuseInTest(parts, request, reply, refusal, total);
      const mailed = await mailMemberFor(context.db, caller.session?.memberId ?? null, {
        wanted: body.mailWhenDone,
        sendsMail: parts.sendsMail,
      });
      if (typeof mailed === 'string') return refuse(request, reply, { why: mailed });
      const rate = await gate.takeAddresses(caller, total);
      if (!rate.granted)
        return refuse(request, reply, { why: 'rate_limited', retryAfterMs: rate.retryAfterMs });
      let submitted: SubmitResult;
      try {
        submitted = await submitList(context, {
          accountId: caller.accountId,
          keyId: keyIdOf(caller),
          mailMemberId: mailed.memberId,
          emails: body.emails,
          duplicatesRemoved: body.duplicatesRemoved,
          name: body.name,
          callbackUrl: body.callbackUrl,
          group: body.group,
          file: body.file,
          single: false,
          idempotency: key,
          responseOf: createdResponse,
        });
      } catch (error) {
        gate.giveBack(caller, 'addresses', total);
        throw error;
      } finally {
        free(body.emails.pieces.map(({ text }) => text));
      }
      // An accepted list costs its addresses alone, a 429 nothing, any other answer the one request alone.
      const { kind } = submitted;
      if (kind === 'created' || kind === 'test_lists_full') gate.giveBack(caller, 'requests', 1);
      if (kind !== 'created') gate.giveBack(caller, 'addresses', total);
      switch (submitted.kind) {
        case 'insufficient_credits':
          return refuse(request, reply, { why: 'insufficient_credits', needed: submitted.needed });
        case 'group_full':
        case 'test_lists_full':
          return refuse(request, reply, { why: submitted.kind });
        case 'retried_meanwhile':
          throw new Error('a new list is no retry');
        case 'repeated':
          return repeated(submitted.remembered);
        case 'created':
          if (caller.test && isAnsweredLate(body.name)) await waitForReader(reply, SLOW_ANSWER_MS);
          return sendResponse(reply, 'lists', submitted.list.id, createdResponse(submitted.list));
        default:
          return submitted satisfies never;
      }
    },
  );

  app.get(
    '/lists',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getLists',
        summary: 'List all lists, newest first',
        description: 'Without single checks, unless `single` includes them.',
        querystring: {
          ...COMMA_SEPARATED,
          properties: { ...first, single, include },
        },
        response: {
          200: response('A page of lists.', ref('ListPage')),
          ...refusals('bad_offset', 'bad_limit', 'bad_status', 'bad_group', 'bad_single', 'bad_list_include'),
        },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const query = readQuery(listsQuery, request.query, INCLUDE_CODE);
      if ('why' in query) return refuse(request, reply, query);
      const lists = await listsOf(context.db, {
        accountId: callerOf(request).accountId,
        ...query,
        withSingles: query.single,
      });
      return sendEntries(reply, 'lists', lists, await toWire(request, lists, query.include));
    }),
  );

  app.get<{ Params: { id: string } }>(
    '/lists/:id',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getList',
        summary: 'Show a list',
        description:
          'Its `status` is `done` when every address has its result; ask every 5 to 10 seconds, or follow its events.',
        params: idParam,
        querystring: { ...COMMA_SEPARATED, properties: includeQuery },
        response: {
          200: response('The list with its current progress.', ref('ListSummary')),
          ...refusals('list_not_found', 'bad_list_include'),
        },
      },
    },
    async (request, reply) => {
      const id = readListId(request.params.id);
      const list = id && (await findList(context.db, id, callerOf(request).accountId));
      if (!list) return refuse(request, reply, { why: 'list_not_found' });
      const query = readQuery(includeQuery, request.query, INCLUDE_CODE);
      if ('why' in query) return refuse(request, reply, query);
      return (await toWire(request, [list], query.include))(list);
    },
  );

  /** How each of these lists is written. */
  async function toWire(
    request: FastifyRequest,
    lists: readonly List[],
    include: readonly string[] | null,
  ): Promise<(list: List) => WireList> {
    if (include === null) return listSummary;
    const { accountId, test } = callerOf(request);
    const singles = lists.filter(({ single }) => single).map(({ id }) => id);
    const emails = include.includes('email') ? await emailsOfSingles(context.db, singles) : null;
    const kept = include.includes('retention')
      ? await retentionOf(context.db, accountId, parts.retention)
      : null;
    return (list) => ({
      ...listSummary(list),
      ...(include.includes('group') && { group: list.group }),
      ...(emails && { email: emails.get(list.id) ?? null }),
      ...(kept && {
        results_expire_at: resultsExpireAt(list, kept, test),
        results_expired_at: list.resultsExpiredAtSeconds,
      }),
      ...(include.includes('paused') && { paused_at: list.pausedAtSeconds }),
      ...(include.includes('file') && { file: list.file }),
    });
  }
}

export function createdResponse(list: List): RememberedResponse {
  return { status: 201, body: JSON.stringify(listSummary(list)) };
}
