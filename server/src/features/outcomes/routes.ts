// POST /outcomes and GET /accuracy: what became of mail, and what that says of verdicts.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { REQUESTS } from '../../http/body/request-schemas.ts';
import { refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import { reads, readsOnce } from '../../http/read-for.ts';
import { callerOf, KEYED_BODY, type Parts, refusals, response } from '../../http/route-parts.ts';
import { pageQuery } from '../../http/routes/lists.ts';
import { readBody } from '../../http/take-body.ts';
import { readQuery } from '../../http/wire/query.ts';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { MAX_OUTCOMES } from '../../rules/mail-outcome.ts';
import { accuracyOf } from './accuracy.ts';
import type { WireAccuracy, WireTakenOutcomes, WireWrongVerdicts } from './schemas.ts';
import { countAddresses, KEPT_DAYS } from './stored-outcomes.ts';
import { readWrongVerdicts } from './stored-wrong-verdicts.ts';
import { MATCHED_WITHIN_DAYS, takeOutcomes } from './take-outcomes.ts';

const MAX_BYTES = 8 * 1024 * 1024;

/** By the media type of the body; whatever else it is called, it is JSON. */
const ROUTES = { 'text/csv': 'outcome_table', 'application/x-ndjson': 'outcome_lines' } as const;

const accuracyQuery = {
  days: Type.Integer({
    minimum: 1,
    maximum: KEPT_DAYS,
    default: 90,
    description: 'Mail of so many days in UTC, today included.',
  }),
};

const MAX_WRONG = 1_000;
const wrongQuery = {
  ...accuracyQuery,
  offset: pageQuery.offset,
  limit: Type.Integer({
    minimum: 1,
    default: 100,
    description: `Page size. Values above ${MAX_WRONG} are treated as ${MAX_WRONG}.`,
  }),
};

export function outcomeRoutes(app: FastifyInstance, parts: Parts): void {
  const { context, gate } = parts;

  app.post(
    '/outcomes',
    {
      config: { keys: FULL_KEYS, role: 'member' },
      schema: {
        operationId: 'postOutcomes',
        summary: 'Tell what became of mail',
        description: `At most ${MAX_OUTCOMES}, each of which counts 1 in the addresses window, and 8 MB. As JSON; as CSV with a header (\`text/csv\`); or as a JSON object in each line (\`application/x-ndjson\`), with the same names. An outcome is held against the latest result of its address, on its day or up to ${MATCHED_WITHIN_DAYS} days before. Of a bounce only its \`reply\` counts. The address itself is not kept.`,
        body: {
          content: {
            'application/json': { schema: REQUESTS.outcomes },
            'text/csv': {
              schema: { type: 'string', examples: ['email,outcome,reply\r\nann@example.com,delivered,\r\n'] },
            },
            'application/x-ndjson': {
              schema: { type: 'string', examples: ['{"email":"ann@example.com","outcome":"delivered"}\n'] },
            },
          },
        },
        response: {
          200: response('What was taken.', ref('TakenOutcomes')),
          ...refusals('outcomes_required', 'too_many_outcomes', 'outcomes_off', ...KEYED_BODY),
        },
      },
    },
    async (request, reply) => {
      const read = await readBody(parts, request, reply, routeOf(request), {
        hashed: false,
        maxBytes: MAX_BYTES,
      });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const { given, wrong } = read.body;
      const caller = callerOf(request);
      const amount = given.length + wrong.length;
      const rate = await gate.takeAddresses(caller, amount);
      if (!rate.granted)
        return refuse(request, reply, { why: 'rate_limited', retryAfterMs: rate.retryAfterMs });
      const taken = await takeOutcomes(parts, { accountId: caller.accountId, source: '' }, given).catch(
        (error: unknown) => {
          gate.giveBack(caller, 'addresses', amount);
          throw error;
        },
      );
      if (taken.kind !== 'taken') {
        gate.giveBack(caller, 'addresses', amount);
        return refuse(request, reply, { why: taken.kind });
      }
      const { accepted, ignored, duplicates } = taken;
      return { accepted, ignored, duplicates, errors: [...wrong] } satisfies WireTakenOutcomes;
    },
  );

  app.get(
    '/accuracy',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getAccuracy',
        summary: 'Show how often verdicts were right',
        description:
          'By what became of the account’s own mail, of the mode of the key. Each address counts once for each verdict: as `bounced` if its mail server said once that there is no such mailbox, else by what happened last.',
        querystring: { type: 'object', properties: accuracyQuery },
        response: {
          200: response('What became of mail, by verdict.', ref('Accuracy')),
          ...refusals('bad_days'),
        },
      },
    },
    readsOnce(parts, async (request, reply) => {
      const query = readQuery(accuracyQuery, request.query);
      if ('why' in query) return refuse(request, reply, query);
      const { counts, unmatched } = await countAddresses(context.db, callerOf(request).accountId, query.days);
      const matched = counts.reduce((sum, { count }) => sum + count, 0);
      return { matched, unmatched, ...accuracyOf(counts) } as unknown as WireAccuracy;
    }),
  );

  app.get(
    '/accuracy/wrong',
    {
      config: { keys: READING_KEYS, role: 'viewer' },
      schema: {
        operationId: 'getWrongVerdicts',
        summary: 'Show the verdicts that were wrong',
        description:
          'The latest first: addresses called deliverable of which the mail server said that there is no such mailbox, and addresses called undeliverable to which mail was delivered. Only those whose list and results are there: nothing else has their address. Of the mode of the key.',
        querystring: { type: 'object', properties: wrongQuery },
        response: {
          200: response('A page of them.', ref('WrongVerdicts')),
          ...refusals('bad_days', 'bad_offset', 'bad_limit'),
        },
      },
    },
    reads(parts, async (request, reply, reading) => {
      const query = readQuery(wrongQuery, request.query);
      if ('why' in query) return refuse(request, reply, query);
      const page = { ...query, limit: Math.min(query.limit, MAX_WRONG) };
      const { accountId } = callerOf(request);
      return (await readWrongVerdicts(context.db, reading, accountId, page)) as unknown as WireWrongVerdicts;
    }),
  );
}

/** The header is gone by then, so that no other route reads it. */
function routeOf(request: FastifyRequest): 'outcomes' | (typeof ROUTES)[keyof typeof ROUTES] {
  const { rawHeaders } = request.raw;
  const at = rawHeaders.findIndex((each, place) => place % 2 === 0 && /^content-type$/i.test(each));
  const type = (rawHeaders[at + 1] ?? '').split(';')[0]!.trim().toLowerCase();
  return at >= 0 && Object.hasOwn(ROUTES, type) ? ROUTES[type as keyof typeof ROUTES] : 'outcomes';
}
