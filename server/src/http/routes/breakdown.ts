// GET /lists/{id}/breakdown: what a list consists of.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { countBreakdown } from '../../rules/breakdown.ts';
import { readResults } from '../../rules/chunk-results.ts';
import { findList } from '../../store/lists.ts';
import { refuse } from '../errors.ts';
import { ref, type WireBreakdown } from '../openapi/schemas.ts';
import { callerOf, type Parts, refusals, response } from '../route-parts.ts';
import { scanFor } from '../scan-for.ts';
import { readListId } from '../wire/query.ts';
import { idParam } from './lists.ts';

export function breakdownRoutes(app: FastifyInstance, parts: Parts): void {
  app.get<{ Params: { id: string } }>(
    '/lists/:id/breakdown',
    {
      schema: {
        operationId: 'getBreakdown',
        summary: 'Count a list by reason, detail, provider, flag and domain',
        params: idParam,
        response: {
          200: response('Counts of what is checked so far.', ref('Breakdown')),
          ...refusals('list_not_found'),
        },
      },
    },
    async (request, reply) => {
      const id = readListId(request.params.id);
      const list = id && (await findList(parts.context.db, id, callerOf(request).accountId));
      if (!list) return refuse(request, reply, { why: 'list_not_found' });
      const counted = countBreakdown();
      const refusal = await scanFor(parts, request, reply, list, ({ size, emails, results }) =>
        counted.add(JSON.parse(emails) as string[], readResults(results, size)),
      );
      if (refusal) return refuse(request, reply, refusal);
      const steps = counted.result();
      let step = steps.next();
      for (; !step.done; step = steps.next()) await nextTurn();
      return step.value satisfies WireBreakdown;
    },
  );
}
