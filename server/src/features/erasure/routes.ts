// An owner erases an address from the account's lists: asked for here, done by whichever node comes first.

import type { FastifyInstance } from 'fastify';
import { actorOf } from '../../http/actor-of.ts';
import { REQUESTS } from '../../http/body/request-schemas.ts';
import { refuse } from '../../http/errors.ts';
import { ref } from '../../http/openapi/schemas.ts';
import { readsOnce } from '../../http/read-for.ts';
import { callerOf, KEYED_BODY, mayManage, type Parts, refusals, response } from '../../http/route-parts.ts';
import { readBody } from '../../http/take-body.ts';
import { readListId as readId } from '../../http/wire/query.ts';
import { FULL_KEYS, READING_KEYS } from '../../rules/key-access.ts';
import { requestErasure } from './erase-address.ts';
import type { WireBegunErasure, WireErasure } from './schemas.ts';
import { countErasures, findErasure, MAX_RUNNING } from './stored-erasures.ts';

/** Of one account in 24 hours. Each stays in the files beside backups. */
const MAX_A_DAY = 1_000;

export function eraseRoutes(app: FastifyInstance, parts: Parts): void {
  const { db } = parts.context;

  app.post(
    '/erase',
    {
      config: { keys: FULL_KEYS, role: 'owner', whileSuspended: true },
      schema: {
        operationId: 'eraseAddress',
        summary: 'Erase an address',
        description:
          'From all lists, evidence, callbacks and remembered answers of the account, in the background. Its rows stay, with an empty `email` and their result; one that is pending ends `unknown` and is refunded. A live key erases in test lists too, a test key in test lists only. Asked for again while it runs, it is the same erasure.',
        body: REQUESTS.erase,
        response: {
          202: response('The address is being erased.', ref('BegunErasure')),
          ...refusals(
            'email_required',
            'email_too_long',
            'may_not_manage',
            'too_many_erasures',
            'too_many_erasures_a_day',
            ...KEYED_BODY,
          ),
        },
      },
    },
    async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const read = await readBody(parts, request, reply, 'erase', { hashed: false });
      if (read.kind === 'refused') return refuse(request, reply, read.refusal);
      const { accountId } = callerOf(request);
      const { email } = read.body;
      const begun = await db.transaction(async (tx) => {
        const { running, lastDay } = await countErasures(tx, accountId);
        if (running >= MAX_RUNNING) return 'too_many_erasures';
        if (lastDay >= MAX_A_DAY) return 'too_many_erasures_a_day';
        return requestErasure(tx, actorOf(request), parts.box, { email, accountId, isMine: false });
      });
      if (typeof begun === 'string') return refuse(request, reply, { why: begun });
      return reply.code(202).send({ id: begun.id } satisfies WireBegunErasure);
    },
  );

  app.get<{ Params: { id: string } }>(
    '/erase/:id',
    {
      config: { keys: READING_KEYS, role: 'owner' },
      schema: {
        operationId: 'getErasure',
        summary: 'See how far an erasure is',
        description: 'Ask again until `status` is `done`.',
        params: {
          type: 'object',
          properties: { id: { type: 'integer', minimum: 1, description: 'Erasure identifier.' } },
        },
        response: {
          200: response('How far it is.', ref('Erasure')),
          ...refusals('may_not_manage', 'erasure_not_found'),
        },
      },
    },
    readsOnce<{ Params: { id: string } }>(parts, async (request, reply) => {
      const refusal = mayManage(request);
      if (refusal) return refuse(request, reply, refusal);
      const id = readId(request.params.id);
      const found = id && (await findErasure(db, id, callerOf(request).accountId));
      if (!found) return refuse(request, reply, { why: 'erasure_not_found' });
      const { isDone, lists, rows } = found;
      return { status: isDone ? 'done' : 'running', lists, rows } satisfies WireErasure;
    }),
  );
}
