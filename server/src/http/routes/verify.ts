// POST /verify: checks one address and waits for the result.

import { holderOf } from '@mxproof/common/fair-share';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readOutcome, type VerifyResult, verifyOne } from '../../flow/verify-one.ts';
import { createFairSemaphore } from '../../rules/fair-semaphore.ts';
import { CHECKING_KEYS } from '../../rules/key-access.ts';
import { isSlow, SLOW_WAIT_SECONDS, testRefusal } from '../../rules/test-outcome.ts';
import {
  type IdempotencyKey,
  type RememberedRequest,
  type RememberedResponse,
  recall,
  rememberResponse,
} from '../../store/idempotency.ts';
import { REQUESTS } from '../body/request-schemas.ts';
import { keyIdOf } from '../check-access.ts';
import { refuse } from '../errors.ts';
import { ref } from '../openapi/schemas.ts';
import { refuseInTest } from '../refuse-in-test.ts';
import { ANY_BODY, callerOf, type Parts, refusals, response } from '../route-parts.ts';
import { takeBody } from '../take-body.ts';
import { idempotencyHeader, REPLAYED, sendRemembered, sendResponse } from '../wire/idempotency-key.ts';
import { type Include, includeQuery } from '../wire/include-query.ts';
import { preferredWaitSeconds } from '../wire/prefer-wait.ts';
import { readQuery } from '../wire/query.ts';
import { jsonChecked } from '../wire/wire-row.ts';

/** How often a repeat checks whether the first request, maybe on another node, has a response. */
const POLL_MS = 500;
/** Repeats that check at the same moment, shared fairly among accounts. */
const POLLS_AT_ONCE = 4;

const singleHeaders = {
  'Content-Location': {
    description: 'Where the result can be read.',
    type: 'string',
    examples: ['/v1/lists/17/results'],
  },
  'Preference-Applied': {
    description: 'Present if `Prefer: wait=N` was applied.',
    type: 'string',
    examples: ['wait=5'],
  },
  ...REPLAYED,
};

type CheckOutcome = Extract<VerifyResult, { listId: number }>;

export function verifyRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, singles } = parts;
  const polls = createFairSemaphore(POLLS_AT_ONCE);

  app.post(
    '/verify',
    {
      config: { keys: CHECKING_KEYS, role: 'member', hurries: true },
      schema: {
        operationId: 'verifyAddress',
        summary: 'Check one address',
        description: 'Charges one credit. Unknown results are refunded.',
        querystring: { type: 'object', style: 'form', explode: false, properties: includeQuery },
        body: REQUESTS.verify,
        headers: {
          type: 'object',
          properties: {
            'Idempotency-Key': idempotencyHeader,
            Prefer: { type: 'string', description: '`wait=N` (0–20): answer 202 after N seconds.' },
          },
        },
        response: {
          200: response('The check is complete.', ref('CheckedAddress'), singleHeaders),
          202: response(
            'The check continues and is charged: read its result from the list.',
            ref('Pending'),
            singleHeaders,
          ),
          ...refusals('bad_include', 'email_required', 'email_too_long', ...ANY_BODY),
        },
      },
    },
    async (request, reply) => {
      const query = readQuery(includeQuery, request.query);
      if ('why' in query) return refuse(request, reply, query);
      const taken = await takeBody(parts, request, reply, 'verify');
      if (taken.kind === 'refused') return refuse(request, reply, taken.refusal);
      const { body, key } = taken;
      const toResponse = (outcome: CheckOutcome) => wire(outcome, body.email, query.include ?? []);
      const caller = callerOf(request);
      const isSlowTest = caller.test && isSlow(body.email);
      const waitMs = applyPreference(request, reply, isSlowTest ? SLOW_WAIT_SECONDS : null) * 1000;
      if (taken.kind === 'repeated')
        return again(request, reply, taken.key, taken.remembered, waitMs, toResponse);
      const refusal = caller.test ? testRefusal(body.email) : null;
      if (refusal) return refuseInTest(parts, request, reply, refusal, 1);
      const verified = await verifyOne(
        context,
        singles,
        {
          accountId: caller.accountId,
          keyId: keyIdOf(caller),
          isTest: caller.test,
          emails: [body.email],
          duplicatesRemoved: 0,
          name: '',
          callbackUrl: null,
          single: true,
          idempotency: key,
        },
        waitMs,
      );
      switch (verified.kind) {
        case 'insufficient_credits':
          return refuse(request, reply, { why: 'insufficient_credits', needed: verified.needed });
        case 'test_lists_full':
          parts.gate.giveBack(caller, 'requests', 1);
          return refuse(request, reply, { why: 'test_lists_full' });
        case 'group_full':
        case 'retried_meanwhile':
          throw new Error('a single check is of no group, and no retry');
        case 'repeated':
          return again(request, reply, key!, verified.remembered, waitMs, toResponse);
        case 'checked':
        case 'pending':
          return sendResponse(
            reply,
            'verify',
            verified.listId,
            await firstResponse(key, toResponse(verified)),
          );
        default:
          return verified satisfies never;
      }
    },
  );

  function applyPreference(
    request: FastifyRequest,
    reply: FastifyReply,
    limitSeconds: number | null,
  ): number {
    const longest = Math.min(parts.verifyWaitSeconds, limitSeconds ?? parts.verifyWaitSeconds);
    const preferred = preferredWaitSeconds(request.headers.prefer, longest);
    if (preferred === null) return longest;
    reply.header('preference-applied', `wait=${preferred}`);
    return preferred;
  }

  /** The first answer again; while there is none yet, it is waited for. */
  async function again(
    request: FastifyRequest,
    reply: FastifyReply,
    key: IdempotencyKey,
    remembered: RememberedRequest,
    waitMs: number,
    toResponse: (outcome: CheckOutcome) => RememberedResponse,
  ): Promise<FastifyReply> {
    if (!remembered.sameBody) return refuse(request, reply, { why: 'idempotency_key_reused' });
    let first = remembered.response;
    for (let left = waitMs; !first; left -= POLL_MS) {
      const verdict = await singles.finished(remembered.listId, Math.max(0, Math.min(left, POLL_MS)));
      const end = await polls.acquire(holderOf(key.accountId, true));
      try {
        const outcome = await readOutcome(context, remembered.listId, verdict);
        first = (await recall(context.db, key))?.response ?? null;
        if (!first && (outcome.kind === 'checked' || left <= POLL_MS))
          first = await firstResponse(key, toResponse(outcome));
      } finally {
        end?.();
      }
    }
    return sendRemembered(reply, 'verify', remembered.listId, first);
  }

  /** The first response is remembered, and every repeat returns it. */
  async function firstResponse(
    key: IdempotencyKey | null,
    mine: RememberedResponse,
  ): Promise<RememberedResponse> {
    if (!key) return mine;
    await rememberResponse(context.db, key, mine);
    return (await recall(context.db, key))?.response ?? mine;
  }
}

function wire(outcome: CheckOutcome, email: string, include: readonly Include[]): RememberedResponse {
  if (outcome.kind === 'checked') return { status: 200, body: jsonChecked(email, outcome.verdict, include) };
  return { status: 202, body: JSON.stringify({ state: 'pending', list_id: outcome.listId }) };
}
